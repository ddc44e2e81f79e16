import type { Amount } from '../../money.js'
import { addAmounts, formatAmount, negateAmount } from '../../money.js'
import type { EntryCells } from './csv-cells.js'
import type { DirectionKind } from './csv-direction.js'
import { DIRECTION_WORDS, directionText } from './csv-direction.js'
import { columnKey } from './csv-profile.js'

const ZERO: Amount = { unscaled: 0, scale: 0 }

/** Amount of a record, without the fee, and the fee as a text. */
interface BookedAmount {
  readonly amount: Amount
  readonly feeText: string | undefined
}

/**
 * The signed amount by which a record moved the balance. Refuses the record when its columns
 * contradict each other: no sign is guessed.
 */
export function amountOf(cells: EntryCells): BookedAmount {
  const gross = grossOf(cells)
  const fee = cells.decimal('fee')
  if (fee === undefined || fee.unscaled === 0) return { amount: gross, feeText: undefined }
  if (fee.unscaled < 0 && cells.plan.profile.name === '--columns') {
    const found = JSON.stringify(cells.text('fee'))
    const remedy = 'map the column with the amount after fees to amount, and no column to fee'
    cells.refuse(
      cells.plan.at.fee,
      `${found} has a minus, so the amount after it is unclear; ${remedy}`,
    )
  }
  const amount = addAmounts(gross, negateAmount(fee))
  if (amount === undefined) cells.refuse(cells.plan.at.fee, 'makes the amount too long')
  const written = formatAmount(fee.unscaled, fee.scale)
  return { amount: amount ?? gross, feeText: `Charges ${written} ${cells.currency}` }
}

/** The value of the amount column, else of the charge, debit or credit, one of which is filled. */
function grossOf(cells: EntryCells): Amount {
  const charge = cells.decimal('charge')
  if (charge !== undefined) return negateAmount(charge)
  const amount = cells.decimal('amount')
  if (amount !== undefined && cells.plan.at.direction !== undefined) return directed(cells, amount)
  return amount ?? ofTwoColumns(cells)
}

/** The amount with the sign of the direction column. */
function directed(cells: EntryCells, amount: Amount): Amount {
  if (amount.unscaled === 0) return ZERO
  const { plan, notation } = cells
  const direction = directionOf(cells)
  if (direction === undefined) return amount
  const isNegative = amount.unscaled < 0
  const found = `${JSON.stringify(cells.text('amount'))}`
  const said = JSON.stringify(cells.text('direction'))
  if (direction === 'credit') {
    if (isNegative) cells.refuse(plan.at.amount, `${found} has a minus, but ${said} means credit`)
    return amount
  }
  if (isNegative !== notation.debitsNegative) {
    const sign = isNegative ? 'a minus' : 'no minus'
    const message = `${found} has ${sign} next to ${said}, unlike the debits before it`
    cells.refuse(plan.at.amount, message)
  }
  return isNegative ? amount : negateAmount(amount)
}

/** Direction of a record; refuses an unknown word. */
function directionOf(cells: EntryCells): DirectionKind | undefined {
  const { at, directions, profile } = cells.plan
  const text = cells.text('direction')
  const direction = directions.get(columnKey(text ?? ''))
  if (direction !== undefined) return direction
  const known = directionText(profile.directions ?? DIRECTION_WORDS)
  const found = text === undefined ? 'is empty' : `${JSON.stringify(text)} is not known`
  const remedy = 'specify the words with --columns, for example direction=Column:out|in'
  cells.refuse(at.direction, `${found}; the known words are ${known}; ${remedy}`)
  return undefined
}

function ofTwoColumns(cells: EntryCells): Amount {
  const { at } = cells.plan
  const debit = cells.decimal('debit')
  const credit = cells.decimal('credit')
  const owed = debit !== undefined && debit.unscaled !== 0
  const due = credit !== undefined && credit.unscaled !== 0
  if (owed && due) {
    cells.refuse(at.debit, 'has a value, and so has the credit column')
  }
  if (owed && debit.unscaled < 0 !== cells.notation.debitsNegative) {
    const sign = cells.notation.debitsNegative ? 'has no minus' : 'has a minus'
    cells.refuse(at.debit, `${JSON.stringify(cells.text('debit'))} ${sign}, unlike the others`)
  }
  if (owed) return cells.notation.debitsNegative ? debit : negateAmount(debit)
  if (due) return credit
  if (debit === undefined && credit === undefined) {
    cells.refuse(at.amount ?? at.charge ?? at.debit ?? at.credit, 'has no amount')
  }
  return ZERO
}
