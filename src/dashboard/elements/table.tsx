import type { ComponentChildren, VNode } from '../../browser/jsx.js'

/** A column of a {@link Table}. */
export interface Column<Row> {
  readonly heading: string
  readonly cell: (row: Row) => ComponentChildren
  /** `number` = right-aligned figures; `action` = links and buttons. */
  readonly kind?: 'text' | 'number' | 'action'
  /** The cell that names the row. One column of a table has it. */
  readonly isRowHeading?: boolean
}

interface TableProps<Row> {
  /** The content of the table; only for screen readers, which do not see the heading above it. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** Cells of a last row under a double rule, one per column. */
  readonly total?: readonly ComponentChildren[]
}

/** Explicit, because some browsers drop the table roles of elements that CSS lays out as blocks. */
const ROLES = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const

/** A table, which on a phone becomes a card per row. */
export function Table<Row>({ caption, columns, rows, total }: TableProps<Row>): VNode {
  return (
    <div class="table-wrap">
      <table {...ROLES.table}>
        <caption class="unseen">{caption}</caption>
        <thead {...ROLES.rowgroup}>
          <tr {...ROLES.row}>
            {columns.map(({ heading, kind = 'text' }) => (
              <th key={heading} {...ROLES.columnheader} scope="col" class={kind}>
                {kind === 'action' ? <span class="unseen">{heading}</span> : heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.rowgroup}>
          {rows.map((row) => (
            <tr {...ROLES.row}>
              {columns.map((column) => (
                <Cell key={column.heading} column={column}>
                  {column.cell(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
        {total === undefined ? null : (
          <tfoot {...ROLES.rowgroup}>
            <tr {...ROLES.row}>
              {columns.map((column, i) => (
                <Cell key={column.heading} column={column}>
                  {total[i]}
                </Cell>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

interface CellProps<Row> {
  readonly column: Column<Row>
  readonly children: ComponentChildren
}

function Cell<Row>({ column, children }: CellProps<Row>): VNode {
  const { heading, kind = 'text', isRowHeading = false } = column
  if (isRowHeading) {
    return (
      <th {...ROLES.rowheader} scope="row" class={kind} data-label={heading}>
        {children}
      </th>
    )
  }
  return (
    <td {...ROLES.cell} class={kind} data-label={heading}>
      {children}
    </td>
  )
}
