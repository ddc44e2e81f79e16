// One reference and amount on two days: a naive twin says which pairs of entries are named.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { FORMATS } from '../../../src/statements/formats.js'
import { importText } from '../../../src/statements/readers.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { entry, message, messageAs } from '../../fixtures/camt-text.js'
import { withWorkspace } from '../../fixtures/files.js'
import { piecesOf } from '../../fixtures/statement-reading.js'

const FIRST_DAY_MS = Date.UTC(2024, 4, 28)
const DAY_MS = 86_400_000

const dayText = (day: number): string =>
  new Date(FIRST_DAY_MS + day * DAY_MS).toISOString().slice(0, 10)

interface Single {
  readonly day: number
  readonly reference: string
  readonly amount: string
  readonly kind: '052' | '053'
}

const single: fc.Arbitrary<Single> = fc.record({
  day: fc.nat({ max: 8 }),
  reference: fc.constantFrom('R1', 'R2'),
  amount: fc.constantFrom('10', '20'),
  kind: fc.constantFrom('052' as const, '053' as const),
})

/** A message with one entry, booked and valued on one day. */
function textOf({ day, reference, amount, kind }: Single): string {
  const text = message(entry({ amount, head: `<AcctSvcrRef>${reference}</AcctSvcrRef>` }))
  return messageAs(kind, text.replaceAll(/\d{4}-\d\d-\d\d/g, dayText(day)))
}

/** Whether the second entry is named: statements alone never repeat an entry on another day. */
function isNamed(first: Single, second: Single): boolean {
  const apart = Math.abs(first.day - second.day)
  const isReport = first.kind === '052' || second.kind === '052'
  const isLike = first.reference === second.reference && first.amount === second.amount
  return isReport && isLike && apart >= 1 && apart <= 3
}

test('entries of other days are named as by the naive twin', async () => {
  await assertProperty(
    fc.asyncProperty(single, single, async (first, second) => {
      await withWorkspace(async (file) => {
        const given = { now: Date.UTC(2026, 0, 1), lenient: false }
        const read = async (each: Single): Promise<readonly string[]> => {
          const text = piecesOf([textOf(each)])
          return (await importText(FORMATS, `camt${each.kind}`, file, text, given)).warnings
        }
        assert.deepEqual(await read(first), [])
        const named = (await read(second)).filter((each) => each.includes('may be one payment'))
        assert.equal(named.length, isNamed(first, second) ? 1 : 0, named.join())
        if (named[0] !== undefined) assert(named[0].includes(` ${dayText(first.day)};`))
        assert.deepEqual(
          (await read(second)).filter((each) => each.includes('may be one payment')),
          [],
        )
      })
    }),
  )
})
