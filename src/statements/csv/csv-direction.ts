import type { DirectionWords } from './csv-profile.js'
import { columnKey } from './csv-profile.js'

export type DirectionKind = 'debit' | 'credit'

/**
 * The words of direction columns: German, Dutch, English, Danish, Norwegian, Swedish, French,
 * Italian, Portuguese, Spanish, Czech, Hungarian, Polish, ISO 20022, and the signs. `A` is left
 * out: it is Dutch for debit (Af) and Italian for credit (Avere). So is the Czech `MD`, whose
 * counterpart is a `D` for credit.
 */
export const DIRECTION_WORDS: DirectionWords = {
  debit: [
    ...['Af', 'D', 'DR', 'DB', 'DBIT', 'Debit', 'Debet', 'Débit', 'S', 'Soll', 'Debe', 'Dare'],
    ...['Belastung', 'Ausgang', 'Abgang', 'Auszahlung', 'Lastschrift', 'Ausgabe'],
    ...['Withdrawal', 'Money out', 'Paid out', 'Outflow', 'OUT', 'Outgoing', 'Expense'],
    ...['Cargo', 'Adeudo', 'Débito', 'Addebito', 'Uscita', 'Sortie', 'Dépense', 'Saída'],
    ...['Obciążenie', 'Wydatek', 'Výdaj', 'Terhelés', 'Kiadás'],
    ...['Uttag', 'Utgift', 'Udgift', 'Ut', 'Ud', 'Afschrijving', 'Uitgave', '-'],
  ],
  credit: [
    ...['Bij', 'C', 'CR', 'K', 'CRDT', 'Credit', 'Kredit', 'Crédit', 'H', 'Haben', 'Haber'],
    ...['Avere', 'Gutschrift', 'Eingang', 'Zugang', 'Einzahlung', 'Einnahme'],
    ...['Deposit', 'Money in', 'Paid in', 'Inflow', 'IN', 'Incoming', 'Income'],
    ...['Abono', 'Ingreso', 'Crédito', 'Accredito', 'Entrata', 'Entrée', 'Recette', 'Entrada'],
    ...['Uznanie', 'Wpływ', 'Příjem', 'Jóváírás', 'Bevétel'],
    ...['Insättning', 'Inkomst', 'Indtægt', 'Inntekt', 'Inn', 'Ind', 'Bijschrijving', '+'],
  ],
}

/** The {@link columnKey} of each word -> its meaning. */
export function directionKeys(words: DirectionWords): ReadonlyMap<string, DirectionKind> {
  return new Map([
    ...words.debit.map((word) => [columnKey(word), 'debit'] as const),
    ...words.credit.map((word) => [columnKey(word), 'credit'] as const),
  ])
}

/** Words of each side that a message lists. */
const LISTED_WORDS = 9

/** The first words of each side for a message: `Af, D for debit; Bij, C for credit`. */
export function directionText({ debit, credit }: DirectionWords): string {
  return `${listOf(debit)} for debit; ${listOf(credit)} for credit`
}

function listOf(words: readonly string[]): string {
  const left = words.length - LISTED_WORDS
  return [...words.slice(0, LISTED_WORDS), ...(left > 0 ? [`${left} more`] : [])].join(', ')
}
