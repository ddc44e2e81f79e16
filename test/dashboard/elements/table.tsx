import { test } from 'tap'
import { type Column, Table } from '../../../src/dashboard/elements/table.js'
import { rendered } from '../../fixtures/dashboard-context.js'

const COLUMNS: readonly Column<{ readonly name: string; readonly count: number }>[] = [
  { heading: 'Name', isRowHeading: true, cell: ({ name }) => name },
  { heading: 'Count', kind: 'number', cell: ({ count }) => count },
  { heading: 'Actions', kind: 'action', cell: () => <b>x</b> },
]

test('a table keeps its roles in every layout', async (t) => {
  const rows = [{ name: 'a <b>', count: 1 }]
  const text = rendered(<Table caption="Things" columns={COLUMNS} rows={rows} total={['all', 1]} />)
  t.match(text, '<table role="table"><caption class="unseen">Things</caption>')
  t.match(text, '<th role="columnheader" scope="col" class="number">Count</th>')
  t.match(text, '<span class="unseen">Actions</span>')
  t.match(text, '<th role="rowheader" scope="row" class="text" data-label="Name">a &lt;b></th>')
  t.match(text, '<td role="cell" class="number" data-label="Count">1</td>')
  t.match(text, /<tfoot role="rowgroup"><tr role="row"><th [^>]*>all<\/th><td [^>]*>1<\/td>/)
  t.notMatch(rendered(<Table caption="c" columns={COLUMNS} rows={rows} />), 'tfoot')
})
