import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { matchFieldsOf } from '../../src/snapshot/match-fields.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveFields } from '../fixtures/naive-match.js'
import { segmentOf } from '../fixtures/snapshots.js'
import { workspaceRows } from '../fixtures/workspaces.js'

test('the fields of a row are parsed from its bytes; an empty one is absent', async (t) => {
  let fieldCount = 0
  assertProperty(
    fc.property(
      workspaceRows({ maxLength: 10 }).filter(({ transactions }) => transactions.length > 0),
      (workspace) => {
        const segment = segmentOf(workspace)
        for (const [i, row] of workspace.transactions.toReversed().entries()) {
          const stored = Object.entries(naiveFields(row)).map(([name, text]) => [
            name,
            text || null,
          ])
          assert.deepEqual(matchFieldsOf(segment, i), Object.fromEntries(stored))
          fieldCount += stored.filter(([, text]) => text !== null).length
        }
      },
    ),
  )
  t.ok(fieldCount > 100, `${fieldCount} fields`)
})
