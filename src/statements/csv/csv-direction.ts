import type { DirectionWords } from './csv-profile.js'
import { columnKey } from './csv-profile.js'

export type DirectionKind = 'debit' | 'credit'

/**
 * The words of direction columns: German, Dutch, English, French, Italian, Polish, Spanish, ISO
 * 20022, and the signs. `A` is left out: it is Dutch for debit (Af) and Italian for credit (Avere).
 */
export const DIRECTION_WORDS: DirectionWords = {
  debit: [
    'Af',
    'D',
    'DR',
    'DB',
    'DBIT',
    'Debit',
    'Debet',
    'Débit',
    'S',
    'Soll',
    'Debe',
    'Dare',
    'Belastung',
    'Ausgang',
    'Lastschrift',
    'Withdrawal',
    'Money out',
    'Paid out',
    'Obciążenie',
    'Outflow',
    'OUT',
    '-',
  ],
  credit: [
    'Bij',
    'C',
    'CR',
    'K',
    'CRDT',
    'Credit',
    'Kredit',
    'Crédit',
    'H',
    'Haben',
    'Haber',
    'Avere',
    'Gutschrift',
    'Deposit',
    'Money in',
    'Paid in',
    'Uznanie',
    'Eingang',
    'Inflow',
    'IN',
    '+',
  ],
}

/** The {@link columnKey} of each word -> its meaning. */
export function directionKeys(words: DirectionWords): ReadonlyMap<string, DirectionKind> {
  return new Map([
    ...words.debit.map((word) => [columnKey(word), 'debit'] as const),
    ...words.credit.map((word) => [columnKey(word), 'credit'] as const),
  ])
}

/** The known words for a message: `Af, D or S for debit; Bij, C or H for credit`. */
export function directionText({ debit, credit }: DirectionWords): string {
  return `${debit.join(', ')} for debit; ${credit.join(', ')} for credit`
}
