// groupBy of the tool against the summaries and lists of REST.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { assertProperty } from '../../fixtures/assert-property.js'
import { matchedWorkspaces } from '../../fixtures/naive-match.js'
import { SAMPLE, transactionRow } from '../../fixtures/sample-workspace.js'
import { indexedSnapshotOf, lives, snapshotAfter } from '../../fixtures/snapshots.js'
import { ToolFixture } from '../../fixtures/tool-fixture.js'

const FIELDS = ['month', 'category', 'parentCategory', 'account', 'counterpart', 'direction']

/** Sums as JSON has them for REST: a text stands for a number that a double rounds. */
function inNumbers(group: Readonly<Record<string, unknown>>): unknown {
  const { in: incoming, out, net } = group
  return { ...group, in: Number(incoming), out: Number(out), net: Number(net) }
}

test('groups are those of REST, and sums those of all transactions', async (t) => {
  const cases = matchedWorkspaces({ maxLength: 40 }).chain((workspace) =>
    fc.record({
      workspace: fc.constant(workspace),
      life: lives,
      groupBy: fc.subarray(FIELDS, { minLength: 1, maxLength: 2 }),
      sortBy: fc.constantFrom(undefined, 'net', 'count'),
      offset: fc.constantFrom(0, 1),
      isRestricted: fc.constantFrom(true, false),
    }),
  )
  const seen = { groups: 0, several: 0 }
  await assertProperty(
    fc.asyncProperty(cases, async ({ workspace, life, groupBy, sortBy, offset, isRestricted }) => {
      const own = workspace.accounts.map(({ id }) => id)
      const accountIds = isRestricted ? own.slice(1) : null
      const fixture = new ToolFixture(snapshotAfter(workspace, life), { accountIds })
      const page = { groupBy: groupBy.join(), ...(sortBy === undefined ? {} : { sortBy }) }
      const query = new URLSearchParams({ ...page, offset: String(offset), limit: '25' })
      const rest = await fixture.rest(`/v1/w/transactions/summary?${query}`)
      const input = { ...page, offset, fields: 'full' }
      const { items, groups, ...reply } = await fixture.reply('get_transactions', input)
      assert.equal(items, undefined)
      assert.deepEqual(groups?.map(inNumbers), rest.body)
      assert.equal(reply.totalCount, rest.total)
      const listed = await fixture.reply('get_transactions', { limit: 0 })
      assert.deepEqual(reply.sums, listed.sums)
      seen.groups += groups?.length ?? 0
      if (reply.nextOffset !== undefined) seen.several += 1
    }),
    { numRuns: 40 },
  )
  t.ok(seen.groups > 40, `${seen.groups} groups`)
})

const ROWS = {
  ...SAMPLE,
  transactions: [
    ...[1, 2, 3].map((id) =>
      transactionRow(id, 1, {
        ...{ counterpartName: 'Erika Mustermann', counterpartIban: 'AT611904300234573201' },
        ...{ amountUnscaled: 999_999_999_999_999, amountScale: 2, purpose: `RE X${id}` },
        bookedAt: Date.UTC(2026, 0, id),
      }),
    ),
    transactionRow(4, 2, { counterpartName: 'Max', purpose: 'RE X4' }),
  ],
}

test('a group is compact, exact and masked as an item is', async (t) => {
  const plain = new ToolFixture(indexedSnapshotOf(ROWS))
  const groups = [
    {
      counterpart: { name: 'Erika Mustermann', iban: 'AT611904300234573201' },
      ...{ currency: 'EUR', count: 3 },
      ...{ in: '29999999999999.97', out: 0, net: '29999999999999.97' },
      ...{ firstBookingDate: '2026-01-01', lastBookingDate: '2026-01-03' },
    },
    {
      counterpart: { name: 'Max' },
      ...{ currency: 'EUR', count: 1, in: 0, out: -1, net: -1 },
    },
  ]
  const reply = await plain.reply('get_transactions', { groupBy: 'counterpart' })
  t.same(reply.groups, groups)
  t.equal(reply.items, undefined)
  const masked = new ToolFixture(indexedSnapshotOf(ROWS), { masksIbans: true, masksNames: true })
  const { groups: hidden = [] } = await masked.reply('get_transactions', { groupBy: 'counterpart' })
  t.match(hidden[0]?.['counterpart'], { name: /^Counterpart [0-9a-f]{10}$/, iban: '…3201' })
  const name = JSON.stringify(hidden).match(/Counterpart [0-9a-f]+/)?.[0]
  t.equal((await masked.reply('get_transactions', { search: name })).totalCount, 3)
})

test('groupBy is combined with filters and searches, and refused with match', async (t) => {
  const fixture = new ToolFixture(indexedSnapshotOf(ROWS))
  const searched = await fixture.reply('get_transactions', { groupBy: 'month', search: 're x2' })
  t.same(
    searched.groups?.map(({ count }) => count),
    [1],
  )
  t.same(searched.sums[0]?.['count'], 1)
  const cases: readonly (readonly [Record<string, unknown>, RegExp])[] = [
    [{ groupBy: 'month', match: 'RE 2' }, /^groupBy and match cannot be combined/],
    [{ groupBy: 'month', id: 1 }, /^id selects one transaction .* not with groupBy/],
    [{ groupBy: 'week' }, /^groupBy must .*month.*; for example groupBy: "month,category"$/],
    [{ groupBy: 'month', sortBy: 'amount' }, /^sortBy must be one of net, in, out, count/],
    [{ groupBy: 'month', order: 'asc' }, /^order /],
    [{ sortBy: 'net' }, /^sortBy must be one of bookingDate/],
  ]
  for (const [input, pattern] of cases) {
    t.match(await fixture.refused('get_transactions', input), pattern, JSON.stringify(input))
  }
})
