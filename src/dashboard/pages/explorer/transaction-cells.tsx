import type { VNode } from '../../../browser/jsx.js'
import type { Transaction } from '../../../domain/transaction.js'
import { parseInstant } from '../../../instant.js'
import type { Term } from '../../../text/normal-forms.js'
import { amountOf } from '../../account-list.js'
import { DayText } from '../../elements/day-text.js'
import { IbanText } from '../../elements/iban-text.js'
import { Link } from '../../elements/link.js'
import { Money } from '../../elements/money.js'
import type { Column } from '../../elements/table.js'
import { transactionPath } from './explorer-paths.js'
import { spansOf } from './highlight.js'
import { MarkedText } from './marked-text.js'
import { SEARCHED_FIELDS, SHOWN_NAMES, type TextField, textField } from './transaction-row.js'

/** The columns of a list of transactions, with the terms of the search marked. */
export function transactionColumns(
  workspaceId: string,
  terms: readonly Term[],
): Column<Transaction>[] {
  return [
    { heading: 'Booked', cell: (row) => <Booked row={row} /> },
    {
      heading: 'Counterpart',
      isRowHeading: true,
      cell: (row) => <Counterpart {...{ row, terms, workspaceId }} />,
    },
    { heading: 'Purpose', cell: (row) => <Purpose row={row} terms={terms} /> },
    { heading: 'Category', cell: (row) => <Category row={row} terms={terms} /> },
    { heading: 'Amount', kind: 'number', cell: (row) => <AmountText row={row} /> },
  ]
}

interface CellProps {
  readonly row: Transaction
  readonly terms: readonly Term[]
}

/** The booking date, or else the value date. */
export function Booked({ row }: { readonly row: Transaction }): VNode {
  const ms = parseInstant(row.bookingDate ?? row.valueDate ?? '')
  return ms === undefined ? <span class="soft">no date</span> : <DayText ms={ms} />
}

/** The amount of a movement. */
export function AmountText({ row }: { readonly row: Transaction }): VNode {
  return <Money amount={amountOf(row.amount)} currency={row.currency} isMovement />
}

/** The counterpart, as the link to the transaction. */
export function Counterpart(props: CellProps & { readonly workspaceId: string }): VNode {
  const { row, terms, workspaceId } = props
  const { name, iban } = row.counterpart
  const ibanSpans = iban === undefined ? [] : spansOf(iban, terms)
  return (
    <div class="counterpart">
      <Link to={transactionPath(workspaceId, row.id)}>
        {name === undefined ? `Transaction ${row.id}` : <FoundIn text={name} terms={terms} />}
      </Link>
      {iban === undefined ? null : (
        <div class="soft">
          {ibanSpans.length === 0 ? (
            <IbanText iban={iban} />
          ) : (
            <MarkedText text={iban} spans={ibanSpans} />
          )}
        </div>
      )}
    </div>
  )
}

/** The purpose, and every other field with a found term, with its name. */
function Purpose({ row, terms }: CellProps): VNode {
  const others = SEARCHED_FIELDS.filter(({ name }) => !SHOWN_NAMES.includes(name))
  return (
    <div class="purpose">
      {row.purpose === undefined ? (
        <span class="soft">
          <MarkedText text={row.type ?? '–'} spans={[]} />
        </span>
      ) : (
        <FoundIn text={row.purpose} terms={terms} />
      )}
      {others.map((field) => (
        <FoundElsewhere key={field.name} {...{ row, terms, field }} />
      ))}
    </div>
  )
}

function FoundElsewhere({ row, terms, field }: CellProps & { readonly field: TextField }) {
  const text = field.read(row)
  const spans = text === undefined ? [] : spansOf(text, terms)
  if (text === undefined || spans.length === 0) return null
  return (
    <div class="soft">
      {field.label}: <MarkedText text={text} spans={spans} />
    </div>
  )
}

function Category({ row, terms }: CellProps): VNode {
  const parent = textField('parentCategory.name').read(row)
  const name = row.category.name
  if (name === undefined) return <span class="soft">none</span>
  return (
    <div>
      {parent === undefined ? null : (
        <span class="soft">
          <FoundIn text={parent} terms={terms} /> ›{' '}
        </span>
      )}
      <FoundIn text={name} terms={terms} />
    </div>
  )
}

function FoundIn({ text, terms }: { readonly text: string; readonly terms: readonly Term[] }) {
  return <MarkedText text={text} spans={spansOf(text, terms)} />
}
