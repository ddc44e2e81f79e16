// The questions of a bookkeeper over the demo, as an agent asks them: at most two calls and 10 KB
// of answers each, and figures that SQL over the workspace's file gives as well, to the cent.
import { strict as assert } from 'node:assert'
import { type Test, test } from 'tap'
import { fillDemo } from '../../src/demo/fill.js'
import { type Connection, Database } from '../../src/store/sqlite/sqlite-driver.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import {
  callOf,
  jsonOf,
  newMcpKey,
  overMcpFixtures,
  rpc,
  sendMcp,
} from '../fixtures/mcp-fixture.js'
import type { OAuthFixture } from '../fixtures/oauth-fixture.js'
import type { ToolReply } from '../fixtures/tool-fixture.js'

/** The content of `kontor demo`; it ends on 2026-10-31. */
const DEMO = { transactions: 20_000, seed: 1 }

const CALLS_MAX = 2
/** Of all answers to a question, on the wire: text and structured content. */
const ANSWER_BYTES_MAX = 10_000
const TOOL_LIST_BYTES_MAX = 12_000

const THIS_YEAR = { bookedFrom: '2026-01-01', bookedTo: '2026-12-31' }
const LAST_MONTH = { bookedFrom: '2026-09-01', bookedTo: '2026-09-30' }
const THIRD_QUARTER = { bookedFrom: '2026-07-01', bookedTo: '2026-09-30' }
const NO_ITEMS = { limit: 0 }

type Fields = Readonly<Record<string, unknown>>

/** SQL of a transaction's amount in cents; the demo has no smaller unit. */
const CENTS = "amount_unscaled * CAST(substr('100', 1, 3 - amount_scale) AS INTEGER)"
const SUMS =
  `currency, count(*) AS count, sum(max(${CENTS}, 0)) AS "in", ` +
  `sum(min(${CENTS}, 0)) AS out, sum(${CENTS}) AS net`
const NOT_OWN =
  "coalesce(counterpart_iban, '') NOT IN (SELECT iban FROM accounts WHERE iban IS NOT NULL)"

/** SQL of the bounds that a call sends as days. */
function booked({ bookedFrom, bookedTo }: typeof THIS_YEAR): string {
  return `date(booking_date / 1000, 'unixepoch') BETWEEN '${bookedFrom}' AND '${bookedTo}'`
}

/** SQL of a category's id, by name. */
function idOf(name: string): string {
  return `(SELECT id FROM categories WHERE name = '${name}')`
}

/** The workspace, as an agent and as SQL see it. */
class Books {
  callCount = 0
  bytes = 0

  constructor(
    private readonly fixture: OAuthFixture,
    private readonly key: string,
    private readonly file: Connection,
  ) {}

  async call(name: string, input: Fields): Promise<ToolReply> {
    const reply = await sendMcp(this.fixture, { key: this.key, body: callOf(name, input) })
    this.callCount += 1
    this.bytes += Buffer.byteLength(reply.text)
    const { structuredContent, isError } = jsonOf(reply)['result'] as {
      structuredContent: ToolReply
      isError: boolean
    }
    assert.equal(isError, false, reply.text)
    return structuredContent
  }

  transactions(input: Fields): Promise<ToolReply> {
    return this.call('get_transactions', input)
  }

  rows(sql: string): Fields[] {
    return this.file.prepare(sql).all() as Fields[]
  }

  /** Sums of the rows that fulfil a condition, by currency, in the order of an answer. */
  sums(where: string): Fields[] {
    const of = `FROM transactions WHERE ${where}`
    return this.rows(`SELECT ${SUMS} ${of} GROUP BY currency ORDER BY count DESC, currency`)
  }

  ids(where: string): number[] {
    const rows = this.rows(`SELECT id FROM transactions WHERE ${where} ORDER BY id DESC`)
    return rows.map(({ id }) => Number(id))
  }
}

/** The cents of a figure, read from its digits. */
function centsOf(figure: unknown): number {
  const [, sign = '', whole = '', decimals = ''] =
    /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(`${figure}`) ?? []
  assert.notEqual(whole, '', `${figure} is an amount in cents`)
  return Number(`${sign}${whole}${decimals.padEnd(2, '0')}`) + 0
}

/** The figures of sums or groups in cents, as SQL returns them. */
function inCents(rows: readonly Fields[] = []): Fields[] {
  return rows.map(({ currency, count, in: incoming, out, net }) => ({
    ...{ currency, count, in: centsOf(incoming), out: centsOf(out), net: centsOf(net) },
  }))
}

function idsOf({ items }: ToolReply): number[] {
  return items.map(({ id }) => Number(id))
}

type Question = readonly [asked: string, answer: (t: Test, books: Books) => Promise<void>]

const PAYMENTS: readonly Question[] = [
  [
    'Which customer paid invoice RE-2025-0042?',
    async (t, books) => {
      const reply = await books.transactions({ match: 'RE-2025-0042', direction: 'in' })
      const where = "purpose LIKE '%RE_2025-0042%' AND amount_unscaled > 0"
      t.same(idsOf(reply), books.ids(where))
      t.equal(reply.items[0]?.['counterpartName'], 'Restaurant Sander GmbH & Co. KG')
      t.same(inCents(reply.sums), books.sums(where))
    },
  ],
  [
    'What came in above 1,000 last month, and how much is it together?',
    async (t, books) => {
      const asked = { amountFrom: 1000.01, currency: 'EUR', ...LAST_MONTH, ownTransfers: 'exclude' }
      const above = `${CENTS} > 100000 AND currency = 'EUR'`
      const where = `${above} AND ${booked(LAST_MONTH)} AND ${NOT_OWN}`
      const reply = await books.transactions({ ...asked, limit: 15 })
      t.equal(reply.totalCount, books.ids(where).length)
      t.same(idsOf(reply), books.ids(where).slice(0, 15))
      t.same(inCents(reply.sums), books.sums(where))
    },
  ],
  [
    'Which direct debits were returned in the third quarter, and of which invoices?',
    async (t, books) => {
      const reply = await books.transactions({
        search: 'rücklastschrift retoure',
        ...THIRD_QUARTER,
      })
      const where = `type = 'RUECKLASTSCHRIFT' AND ${booked(THIRD_QUARTER)}`
      t.same(idsOf(reply), books.ids(where))
      t.same(inCents(reply.sums), books.sums(where))
      const invoices = reply.items.map(({ purpose }) => /RE-\d{4}-\d{4}/.exec(`${purpose}`)?.[0])
      const sql = `SELECT end_to_end_reference AS invoice FROM transactions WHERE ${where}`
      const known = books.rows(`${sql} ORDER BY id DESC`).map(({ invoice }) => invoice)
      t.same(invoices, known)
      t.ok(known.length > 5)
    },
  ],
  [
    'Is there a payment of exactly 574.70?',
    async (t, books) => {
      const reply = await books.transactions({ absoluteAmount: '574.70' })
      t.same(idsOf(reply), books.ids(`abs(${CENTS}) = 57470`))
      t.equal(reply.totalCount, 1)
    },
  ],
  [
    'Was invoice 2026-394154 paid twice in the third quarter?',
    async (t, books) => {
      const reply = await books.transactions({ match: '2026-394154', ...THIRD_QUARTER })
      const where = `purpose LIKE '%2026-394154%' AND ${booked(THIRD_QUARTER)}`
      t.same(idsOf(reply), books.ids(where))
      t.same(inCents(reply.sums), books.sums(where))
      t.equal(reply.totalCount, 3, 'the demo pays it every month')
    },
  ],
  [
    'Which customers have not paid in full?',
    async (t, books) => {
      const reply = await books.transactions({ match: 'RE-2026-0383', direction: 'in' })
      t.match(reply.hint, /payments, not invoices/, 'an answer says what cannot be known')
      t.same(
        inCents(reply.sums),
        books.sums("purpose LIKE '%RE-2026-0383%' AND amount_unscaled > 0"),
      )
    },
  ],
]

const CATEGORIES: readonly Question[] = [
  [
    'What was spent on „Reise“ in the third quarter?',
    async (t, books) => {
      const asked = { parentCategory: 'Reise', ...THIRD_QUARTER, ...NO_ITEMS }
      t.same(inCents((await books.transactions(asked)).sums), books.sums(travel()))
    },
  ],
  [
    'What was spent on travel in the third quarter?',
    async (t, books) => {
      const unknown = await books.transactions({
        category: 'travel',
        ...THIRD_QUARTER,
        ...NO_ITEMS,
      })
      const [, parentCategory] = /broad categories.*"(Reise)"/.exec(unknown.hint ?? '') ?? []
      const asked = { parentCategory, ...THIRD_QUARTER, ...NO_ITEMS }
      t.same(inCents((await books.transactions(asked)).sums), books.sums(travel()))
    },
  ],
  [
    'How much VAT was paid this year?',
    async (t, books) => {
      const unknown = await books.transactions({ category: 'VAT', ...THIS_YEAR, ...NO_ITEMS })
      const [, category] = /finer ones.*"(Umsatzsteuer)"/.exec(unknown.hint ?? '') ?? []
      const reply = await books.transactions({ category, ...THIS_YEAR, ...NO_ITEMS })
      const where = `category_id = ${idOf('Umsatzsteuer')} AND ${booked(THIS_YEAR)}`
      t.same(inCents(reply.sums), books.sums(where))
      t.ok(reply.totalCount > 0)
    },
  ],
  [
    'Which rows have no category?',
    async (t, books) => {
      const reply = await books.transactions({ uncategorized: true, limit: 5 })
      const where = 'category_id IS NULL AND parent_category_id IS NULL'
      t.equal(reply.totalCount, books.ids(where).length)
      t.same(idsOf(reply), books.ids(where).slice(0, 5))
      t.same(inCents(reply.sums), books.sums(where))
    },
  ],
]

function travel(): string {
  return `${idOf('Reise')} IN (category_id, parent_category_id) AND ${booked(THIRD_QUARTER)}`
}

const TOTALS: readonly Question[] = [
  [
    'Which are the five largest suppliers this year?',
    async (t, books) => {
      const page = { groupBy: 'counterpart', sortBy: 'out', order: 'asc', limit: 5 }
      const of = { parentCategory: 'Einkauf', currency: 'EUR', ...THIS_YEAR }
      const { groups, sums } = await books.transactions({ ...page, ...of })
      const where =
        `${idOf('Einkauf')} IN (category_id, parent_category_id) AND currency = 'EUR' ` +
        `AND ${booked(THIS_YEAR)}`
      const supplier = 'coalesce(counterpart_iban, counterpart_name)'
      const sql =
        `SELECT counterpart_iban AS iban, ${SUMS} FROM transactions WHERE ${where} ` +
        `GROUP BY ${supplier} ORDER BY out LIMIT 5`
      const known = books.rows(sql)
      t.same(
        groups?.map(({ counterpart }) => (counterpart as Fields)['iban']),
        known.map(({ iban }) => iban),
      )
      t.same(
        inCents(groups),
        known.map(({ iban: _, ...figures }) => figures),
      )
      t.same(inCents(sums), books.sums(where))
    },
  ],
  [
    'What was the income by month?',
    async (t, books) => {
      const of = { direction: 'in', ownTransfers: 'exclude', ...THIS_YEAR }
      const { groups } = await books.transactions({ groupBy: 'month', ...of })
      const month = "strftime('%Y-%m', booking_date / 1000, 'unixepoch')"
      const sql =
        `SELECT ${month} AS month, ${SUMS} FROM transactions WHERE amount_unscaled > 0 ` +
        `AND ${booked(THIS_YEAR)} AND ${NOT_OWN} GROUP BY month, currency ORDER BY month, currency`
      const known = books.rows(sql)
      t.same(
        groups?.map(({ month }) => month),
        known.map(({ month }) => month),
      )
      t.same(
        inCents(groups),
        known.map(({ month: _, ...figures }) => figures),
      )
      t.equal(known.length, 10)
    },
  ],
  [
    'What was the balance of the current account on 30 September?',
    async (t, books) => {
      const { items } = await books.call('get_accounts', { account: 1, fields: 'full' })
      const since = await books.transactions({ account: 1, bookedFrom: '2026-10-01', ...NO_ITEMS })
      const balance = centsOf(items[0]?.['balance']) - centsOf(since.sums[0]?.['net'])
      t.equal(items[0]?.['updatedAt'], '2026-10-31T23:59:59.999Z', 'the day that it is known for')
      // The demo's company begins with 45,127.33.
      const [until] = books.rows(
        `SELECT 4512733 + sum(${CENTS}) AS cents FROM transactions WHERE account_id = 1 ` +
          "AND booking_date < unixepoch('2026-10-01') * 1000",
      )
      t.equal(balance, until?.['cents'])
    },
  ],
  [
    'What are all income and all spending, without transfers between own accounts?',
    async (t, books) => {
      const reply = await books.transactions({ ownTransfers: 'exclude', ...NO_ITEMS })
      t.same(inCents(reply.sums), books.sums(NOT_OWN))
      const { totalCount } = await books.transactions(NO_ITEMS)
      t.ok(reply.totalCount < totalCount, 'there are transfers')
    },
  ],
]

test(
  'the questions of a bookkeeper take two short calls',
  overMcpFixtures(
    async (t, fixture) => {
      const path = fixture.service.pathOf('demo')
      const demo = WorkspaceFile.open(path)
      await fillDemo(demo, DEMO)
      demo.close()
      const file = new Database(path, { readonly: true })
      t.teardown(() => file.close())
      const key = await newMcpKey(fixture)
      for (const [asked, answer] of [...PAYMENTS, ...CATEGORIES, ...TOTALS]) {
        const books = new Books(fixture, key, file)
        await t.test(asked, (inner) => answer(inner, books))
        t.ok(books.callCount <= CALLS_MAX, `${asked} ${books.callCount} calls`)
        t.ok(books.bytes <= ANSWER_BYTES_MAX, `${asked} ${books.bytes} bytes`)
      }
      const { text } = await sendMcp(fixture, { key, body: rpc('tools/list') })
      t.match(text, /payments, not invoices/, 'an agent reads it before it asks')
      const bytes = Buffer.byteLength(text)
      t.ok(bytes <= TOOL_LIST_BYTES_MAX, `the list of tools has ${bytes} bytes`)
    },
    { integration: { workspaceId: 'demo' }, service: { tools: undefined } },
  ),
)
