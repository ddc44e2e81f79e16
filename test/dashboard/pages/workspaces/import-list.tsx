import { test } from 'tap'
import { renderToString } from '../../../../src/browser/jsx.js'
import { ImportList } from '../../../../src/dashboard/pages/workspaces/import-list.js'
import type { BalanceProof } from '../../../../src/statements/import/file-balances.js'

/** The page's list with one finished import. */
function listWith(balances: BalanceProof | undefined, warnings: string[] = []): string {
  const counts = { accounts: 1, added: 2, unchanged: 0, updated: 0, skipped: 0 }
  const rest = { kept: 0, changed: 0, changes: [], changedIds: {}, warnings, sequence: 1 }
  const proof = balances === undefined ? {} : { balances }
  const state = { kind: 'done', format: 'mt940', ...counts, ...rest, ...proof } as const
  const file = { id: '1', workspaceId: 'w', name: 'a.sta', bytes: 1, queuedAtMs: 0, who: 'ada' }
  return renderToString(<ImportList all={[{ ...file, state, readBytes: 1, readRows: 2 }]} />)
}

test('an import says what the balances of its file prove', async (t) => {
  t.match(listWith({ result: 'proved' }), '<p>The balances of the file confirm its rows.</p>')
  t.match(listWith({ result: 'gaps', at: 'line 1' }), 'one between them may be missing')
  t.match(listWith({ result: 'contradicted', at: 'line 1' }), 'contradict its rows')
  t.notMatch(listWith({ result: 'unproved' }), 'balances')
  t.notMatch(listWith(undefined), 'balances')
})

test('a warning names the fields of the form, not the flags of a command', async (t) => {
  const warning = 'no byte decides; name the right encoding, for example --encoding windows-1252'
  const list = listWith(undefined, [warning])
  t.match(list, '“Encoding” windows-1252</li>')
  t.notMatch(list, '--encoding')
})
