import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { ordinalOfId } from '../../src/snapshot/snapshot.js'
import { codeOfString, stringOfCode } from '../../src/snapshot/strings.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveAccount, naiveCategory, naiveTransaction } from '../fixtures/naive.js'
import { snapshotOf } from '../fixtures/snapshots.js'
import { workspaceRows } from '../fixtures/workspaces.js'

function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'))
}

test('rendered rows equal the resources, are found by id, in descending order of id', async () => {
  assertProperty(
    fc.property(workspaceRows({ maxLength: 30 }), (workspace) => {
      const snapshot = snapshotOf(workspace)
      const segment = snapshot.segments[0]?.segment
      const found = workspace.transactions.toReversed().map((row, ordinal) => {
        assert.equal(segment && ordinalOfId(segment, row.id), ordinal, 'found by id')
        const start = segment?.rowOffsets[ordinal] ?? 0
        const end = segment?.rowOffsets[ordinal + 1] ?? 0
        const text = Buffer.from(segment?.rowBytes.subarray(start, end) ?? []).toString('utf8')
        assert.ok(text.endsWith(','), 'a comma ends each row')
        assert.doesNotMatch(text, /null|\n/, 'no value is null, and a row is one line')
        return JSON.parse(text.slice(0, -1))
      })
      const expected = workspace.transactions.toReversed()
      assert.deepEqual(
        found,
        expected.map((row) => naiveTransaction(row, workspace)),
      )
      assert.deepEqual(
        snapshot.accounts.map(({ bytes }) => parsed(bytes)),
        workspace.accounts.map(naiveAccount),
      )
      assert.deepEqual(
        snapshot.categories.map(({ bytes }) => parsed(bytes)),
        workspace.categories.map((row) => naiveCategory(row, workspace.categories)),
      )
    }),
    { numRuns: 150 },
  )
})

test('an id between two known ones is not found', async () => {
  assertProperty(
    fc.property(workspaceRows({ maxLength: 30 }), fc.nat({ max: 120 }), (workspace, id) => {
      const segment = snapshotOf(workspace).segments[0]?.segment
      const known = workspace.transactions.some((row) => row.id === id)
      assert.equal(segment !== undefined && ordinalOfId(segment, id) !== undefined, known)
    }),
    { numRuns: 300 },
  )
})

test('every counterpart IBAN has a code, and the code its text', async () => {
  assertProperty(
    fc.property(workspaceRows({ maxLength: 30 }), (workspace) => {
      const segment = snapshotOf(workspace).segments[0]?.segment
      if (segment === undefined) return
      for (const iban of ['X1', 'DE89370400440532013000', 'unknown', '']) {
        const code = codeOfString(segment.counterpartIbans, iban)
        const used =
          iban !== '' && workspace.transactions.some((row) => row.counterpartIban === iban)
        assert.equal(code !== -1, used, iban)
        if (used) assert.equal(stringOfCode(segment.counterpartIbans, code), iban)
      }
    }),
  )
})
