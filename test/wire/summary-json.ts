import { test } from 'tap'
import { sumOf } from '../../src/money.js'
import { groupsJson } from '../../src/wire/summary-json.js'

const SUMS = {
  ...{ currency: 'EUR', count: 3 },
  ...{ incoming: sumOf(9_007_199_254_740_993n, 2), outgoing: sumOf(-5n, 1) },
}

test('a group has its values in the order asked, and exact sums', async (t) => {
  const day = Date.UTC(2026, 0, 31)
  const groups = [
    { ...SUMS, values: ['2026-01', { id: 3 }], firstBookedMs: day, lastBookedMs: day },
    { ...SUMS, values: [undefined, undefined], firstBookedMs: undefined, lastBookedMs: undefined },
  ]
  const sums = '"in":90071992547409.93,"out":-0.5,"net":90071992547409.43'
  t.equal(
    Buffer.from(groupsJson(groups, ['month', 'category'])).toString(),
    `[{"month":"2026-01","category":{"id":3},"currency":"EUR","count":3,${sums},` +
      '"firstBookingDate":"2026-01-31T00:00:00.000Z",' +
      '"lastBookingDate":"2026-01-31T00:00:00.000Z"}' +
      `,{"currency":"EUR","count":3,${sums}}]`,
  )
  t.equal(Buffer.from(groupsJson([], [])).toString(), '[]')
})
