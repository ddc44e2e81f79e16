import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { makeDataDirectory, workspacePath } from '../../src/store/data-directory.js'
import { FILTERS } from '../../src/wire/filter-rows.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { withDirectory } from '../fixtures/files.js'
import { naiveList } from '../fixtures/naive.js'
import { listQueries } from '../fixtures/queries.js'
import { filterTexts } from '../fixtures/query-text.js'
import { OTHER_IBAN, SAMPLE } from '../fixtures/sample-workspace.js'
import { runHere } from '../fixtures/terminal.js'
import { workspaceRows, writeWorkspace } from '../fixtures/workspaces.js'

function flagOf(parameter: string): string {
  return `--${parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** Ids of the printed transactions, and the number of other lines. */
function printed(stdout: string): { ids: number[]; others: number } {
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { kind: string; id: number })
  const ids = lines.filter(({ kind }) => kind === 'transaction').map(({ id }) => id)
  return { ids, others: lines.length - ids.length }
}

const cases = workspaceRows({ maxLength: 25 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    lists: fc.array(listQueries(workspace), { minLength: 3, maxLength: 3 }),
  }),
)

test('filters choose the transactions that a list has', async (t) => {
  let number = 0
  await withDirectory(async (directory) => {
    const data = makeDataDirectory(join(directory, 'data'))
    await assertProperty(
      fc.asyncProperty(cases, async ({ workspace, lists }) => {
        number += 1
        await writeWorkspace(workspacePath(data, `w${number}`), workspace)
        for (const { query } of lists) {
          const flags = Object.entries(filterTexts(query)).map(
            ([name, text]) => `${flagOf(name)}=${text}`,
          )
          const words = ['export', '--workspace', `w${number}`, '--data-dir', data.path, ...flags]
          const { code, stdout, stderr } = await runHere(words)
          assert.equal(code, 0, stderr)
          const expected = naiveList(workspace, { ...query, sortBy: '_id', order: 'asc' }, {})
          const { ids, others } = printed(stdout)
          assert.deepEqual(
            ids,
            expected.map(({ id }) => id),
            flags.join(' '),
          )
          assert.equal(others, workspace.accounts.length + workspace.categories.length)
        }
      }),
      { numRuns: 20 },
    )
  })
  t.pass('20 workspaces')
})

test('a wrong filter is refused, and the message names the flag', async (t) => {
  await withDirectory(async (directory) => {
    const data = makeDataDirectory(join(directory, 'data'))
    await writeWorkspace(workspacePath(data, 'w'), SAMPLE)
    const exported = (...flags: string[]) =>
      runHere(['export', '--workspace', 'w', '--data-dir', data.path, ...flags])
    const named = await exported('--account-ids', `2,${OTHER_IBAN}`)
    t.same(printed(named.stdout).ids, [301])
    t.equal(named.stderr, 'only transactions that pass --account-ids are exported\n')
    const negative = await exported('--amount-to', '-0.5', '--account-ids', '1')
    const expected = SAMPLE.transactions.filter((row) => row.accountId === 1 && row.id % 7 === 0)
    t.same(
      printed(negative.stdout).ids,
      expected.map(({ id }) => id),
      'a negative amount is no flag',
    )
    for (const parameter of FILTERS) {
      const flag = flagOf(parameter.name)
      const { code, stderr } = await exported(`${flag}=${'x'.repeat(300)}`)
      t.equal(code, 2, flag)
      t.match(stderr, new RegExp(`${flag} (must|names).*; for example ${flag}=`), flag)
    }
    const missing = await exported('--account-ids', '1,9')
    t.equal(missing.code, 2)
    t.match(missing.stderr, '--account-ids names an account that is not accessible: id 9')
  })
})
