import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { Ordinal } from '../../src/ordinals/ordinal.js'
import type { RankedMatch } from '../../src/query/match-ranking.js'
import { BodyBuffer } from '../../src/wire/body-buffer.js'
import { parseCustomSchema } from '../../src/wire/custom-schema.js'
import { matchPageJson } from '../../src/wire/match-json.js'
import { TRANSACTION_SHAPE } from '../../src/wire/object-shape.js'
import { ANY_CHARACTER } from '../fixtures/any-character.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveTransaction } from '../fixtures/naive.js'
import { naiveRewrite, type Tree } from '../fixtures/naive-rewrite.js'
import { lives, onlySegment, snapshotAfter, snapshotOf } from '../fixtures/snapshots.js'
import { workspaceRows } from '../fixtures/workspaces.js'

const asIs = { staleFragments: new Map(), customSchema: undefined }

const explanations = fc.record({
  field: fc.constantFrom('purpose' as const, 'customerReference' as const),
  matched: fc.string({ unit: ANY_CHARACTER, maxLength: 20 }),
  kind: fc.constantFrom('exact' as const, 'conflict' as const),
  adjustments: fc.subarray(['digits_differ' as const, 'look_alikes' as const]),
})

const ENTRIES = { id: 'number', 'counterpart.iban': 'x.y', purpose: null, amount: 'currency' }
const schemas = fc.constantFrom(undefined, ENTRIES, { accountId: 'counterpart' })

const cases = workspaceRows({ maxLength: 12 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    life: lives,
    entries: schemas,
    drawn: fc.array(
      fc.record({
        row: fc.nat(),
        score: fc.integer({ min: 0, max: 10_000 }),
        explanation: fc.option(explanations, { nil: undefined }),
      }),
      { maxLength: 6 },
    ),
  }),
)

test('a match is the rewritten transaction with its score', async (t) => {
  let rewrittenCount = 0
  assertProperty(
    fc.property(cases, ({ workspace, life, entries, drawn }) => {
      const snapshot = snapshotAfter(workspace, life)
      const alive = workspace.transactions.flatMap((row) => {
        const live = snapshot.segments.find(({ segment, alive }) => {
          const ordinal = segment.ids.indexOf(row.id)
          return ordinal >= 0 && (alive === undefined || isAlive(alive.words, ordinal))
        })
        return live === undefined ? [] : [{ row, segment: live.segment }]
      })
      const chosen = alive.length === 0 ? [] : drawn
      const page = chosen.map(({ row, score, explanation }) => {
        const { segment, row: of } = alive[row % alive.length]!
        const ordinal = segment.ids.indexOf(of.id) as Ordinal
        const match: RankedMatch = { segment, ordinal, score }
        return { of, match: explanation === undefined ? match : { ...match, explanation } }
      })
      const customSchema =
        entries && parseCustomSchema(JSON.stringify(entries), { shape: TRANSACTION_SHAPE })
      const changes = { staleFragments: snapshot.staleFragments, customSchema }
      const bytes = matchPageJson(
        new BodyBuffer(),
        page.map(({ match }) => match),
        changes,
      )
      const wanted = page.map(({ of, match: { score, explanation } }) => {
        const plain = JSON.parse(JSON.stringify(naiveTransaction(of, workspace))) as Tree
        const rewritten = entries === undefined ? plain : naiveRewrite(plain, entries).result
        if (entries !== undefined) rewrittenCount += 1
        const added = { score: Number(`${score}e-4`), explanation: published(explanation) }
        // As in JSON: undefined members are absent, and objects are plain.
        return JSON.parse(JSON.stringify({ ...(rewritten as object), ...added }))
      })
      assert.deepEqual(JSON.parse(Buffer.from(bytes).toString()), wanted)
    }),
    { numRuns: 300 },
  )
  t.ok(rewrittenCount > 10, `${rewrittenCount} rewritten`)
})

/** The fields with their public names. */
function published(explanation: RankedMatch['explanation']): object | undefined {
  if (explanation === undefined) return undefined
  const { field } = explanation
  return {
    ...explanation,
    field: field === 'customerReference' ? 'counterpart.customerReference' : field,
  }
}

function isAlive(words: Uint32Array, ordinal: number): boolean {
  return ((words[ordinal >>> 5] ?? 0) >>> (ordinal & 31)) % 2 === 1
}

const SCORES: readonly (readonly [score: number, written: string])[] = [
  [0, '0'],
  [1, '0.0001'],
  [10, '0.001'],
  [100, '0.01'],
  [1_000, '0.1'],
  [6_000, '0.6'],
  [6_001, '0.6001'],
  [9_876, '0.9876'],
  [9_990, '0.999'],
  [9_999, '0.9999'],
  [10_000, '1'],
]

test('without an explanation, it is the transaction and the shortest decimal', async (t) => {
  const [workspace] = fc.sample(
    workspaceRows({ maxLength: 3 }).filter(({ transactions }) => transactions.length > 0),
    1,
  )
  if (workspace === undefined) throw new Error('a sample is one')
  const segment = onlySegment(snapshotOf(workspace))
  const ordinal = 0 as Ordinal
  const row = Buffer.from(segment.rowBytes.subarray(0, (segment.rowOffsets[1] ?? 0) - 1)).toString()
  for (const [score, written] of SCORES) {
    const bytes = matchPageJson(new BodyBuffer(), [{ segment, ordinal, score }], asIs)
    t.equal(Buffer.from(bytes).toString(), `[${row.slice(0, -1)},"score":${written}}]`)
  }
  t.equal(Buffer.from(matchPageJson(new BodyBuffer(), [], asIs)).toString(), '[]')
})

test('an object without remaining members begins with the score', async (t) => {
  const names = [...TRANSACTION_SHAPE.keys()]
  const removeAll = JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))
  const customSchema = parseCustomSchema(removeAll, { shape: TRANSACTION_SHAPE })
  assertProperty(
    fc.property(
      workspaceRows({ maxLength: 3 }).filter(({ transactions }) => transactions.length > 0),
      (workspace) => {
        const segment = onlySegment(snapshotOf(workspace))
        const match = { segment, ordinal: 0 as Ordinal, score: 7_500 }
        const changes = { ...asIs, customSchema }
        const bytes = matchPageJson(new BodyBuffer(), [match, match], changes)
        assert.equal(Buffer.from(bytes).toString(), '[{"score":0.75},{"score":0.75}]')
      },
    ),
    { numRuns: 10 },
  )
  t.pass('no comma before it')
})
