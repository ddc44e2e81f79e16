import { writtenText } from './csv-columns.js'
import { FEW_MAX } from './csv-guess-kinds.js'
import type { GuessedColumn } from './csv-guess-table.js'

/** Characters of a text that a message shows. */
const SHOWN_CHARS = 60

/**
 * The question whether a column decides the sign of amounts without a minus, with the mapping for
 * each answer.
 */
export function possibleDirectionText(amount: GuessedColumn, codes: GuessedColumn): string {
  const found = [...new Set(codes.filled)]
  const shown = found
    .slice(0, FEW_MAX)
    .map((word) => JSON.stringify(word.slice(0, SHOWN_CHARS)))
    .concat(found.length > FEW_MAX ? [`${found.length - FEW_MAX} more`] : [])
    .join(', ')
  const words = found.slice(0, 2).map(writtenText).join('|')
  const isMappable = found.length > 1 && found.length <= FEW_MAX
  const directed = isMappable
    ? "map it with the bank's words, debit first, such as " +
      `amount=${amount.written},direction=${codes.written}:${words}`
    : 'export the file with signs, or in another format'
  return (
    `no amount has a minus, and column ${codes.written} may have debit or credit (${shown}); if ` +
    `it does, ${directed}; if not, and all are credits, amount=${amount.written} alone; if all ` +
    `are debits, charge=${amount.written} alone`
  )
}
