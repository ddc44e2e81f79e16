// Searches over both engines, against the naive twin: of a workspace, of one account, of one
// counterpart, for keys with and without an account restriction.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { TransactionRow } from '../../../src/store/columns.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { given } from '../../fixtures/given-workspace.js'
import { naiveList, naiveTransaction } from '../../fixtures/naive.js'
import { naiveTerms } from '../../fixtures/naive-search.js'
import { searchedWorkspaces, searchQueries, searchTextsFor } from '../../fixtures/queries.js'
import { queryText } from '../../fixtures/query-text.js'
import { OTHER_IBAN, SAMPLE, transactionRow } from '../../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, overEngines } from '../../fixtures/service.js'
import type { WorkspaceRows } from '../../fixtures/workspaces.js'

const IBAN = 'DE89370400440532013000'
const PLACES = ['workspace', 'account', 'counterpart'] as const

const cases = searchedWorkspaces({ maxLength: 25 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    // Codes of the accounts that the key may see; null = all.
    seen: fc.option(fc.subarray(workspace.accounts.map((_, code) => code)), { nil: null }),
    searches: fc.array(searchQueries(workspace), { minLength: 3, maxLength: 3 }),
    account: fc.constantFrom(...workspace.accounts.map((_, code) => code)),
    limit: fc.integer({ min: 1, max: 12 }),
    offset: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 30 })),
  }),
)

/** The rows as JSON values. */
function resourcesOf(rows: readonly TransactionRow[], workspace: WorkspaceRows): unknown[] {
  return JSON.parse(JSON.stringify(rows.map((row) => naiveTransaction(row, workspace))))
}

test(
  'a search equals the naive one: rows, order, count and page',
  overEngines(async (t, service) => {
    let foundCount = 0
    await assertProperty(
      fc.asyncProperty(cases, async ({ workspace, seen, searches, account, limit, offset }) => {
        const { root, key } = await given(service, workspace, seen)
        const visible = seen === null ? {} : { accountCodes: seen, visibleCodes: seen }
        const accountPath = `accounts/${workspace.accounts[account]?.id}/`
        const places = {
          workspace: { path: '', bounds: visible },
          account: { path: accountPath, bounds: { ...visible, accountCodes: [account] } },
          counterpart: {
            path: `counterpart/${IBAN}/`,
            bounds: { ...visible, counterpartIban: IBAN },
          },
        }
        for (const [i, place] of PLACES.entries()) {
          const { path, bounds } = places[place]
          const { text, query } = searches[i] ?? { text: '', query: {} }
          const parameters = queryText(query, { query: text, limit, offset })
          const target = `${root}/${path}transactions/search?${parameters}`
          const reply = await service.ask(target, { key })
          if (place === 'account' && seen?.includes(account) === false) {
            assert.equal(outcomeOf(reply), '400 not_found')
            continue
          }
          const rows = naiveList(workspace, { order: 'desc', sortBy: '_id', ...query }, bounds)
          const expected = resourcesOf(rows.slice(offset, offset + limit), workspace)
          assert.equal(outcomeOf(reply), '200', target)
          assert.deepEqual(bodyOf(reply), expected, `${JSON.stringify(text)} ${target}`)
          assert.equal(reply.fields['x-total-count'], String(rows.length), target)
          if (naiveTerms(text).length > 0) foundCount += rows.length
        }
      }),
      { numRuns: 25 },
    )
    t.ok(foundCount > 0, `${foundCount} rows found`)
  }),
)

test(
  'a text without filters finds all rows that contain it',
  overEngines(async (t, service) => {
    let foundCount = 0
    await assertProperty(
      fc.asyncProperty(
        searchedWorkspaces({ maxLength: 25 }).chain((workspace) =>
          fc.record({
            workspace: fc.constant(workspace),
            texts: fc.array(searchTextsFor(workspace), { minLength: 5, maxLength: 5 }),
          }),
        ),
        async ({ workspace, texts }) => {
          const { root, key } = await given(service, workspace)
          for (const text of texts) {
            const target = `${root}/transactions/search?query=${encodeURIComponent(text)}`
            const query = { order: 'desc', sortBy: '_id', terms: naiveTerms(text) } as const
            const expected = resourcesOf(naiveList(workspace, query, {}), workspace)
            if (query.terms.length > 0) foundCount += expected.length
            assert.deepEqual(bodyOf(await service.ask(target, { key })), expected, target)
          }
        },
      ),
      { numRuns: 20 },
    )
    t.ok(foundCount > 5, `${foundCount} rows found`)
  }),
)

/** One row for each searched field, and one with the text in a field that is not searched. */
const FIELDS: WorkspaceRows = {
  ...SAMPLE,
  categories: [
    { id: 1, name: 'Büro', parentId: null },
    { id: 2, name: 'Telefon', parentId: 1 },
  ],
  transactions: [
    transactionRow(1, 1, { purpose: 'Rechnung Müller\u00a0& Söhne' }),
    transactionRow(2, 1, { type: 'GUTSCHRIFT' }),
    transactionRow(3, 1, { counterpartName: 'Straßenbau GmbH' }),
    transactionRow(4, 1, { counterpartIban: OTHER_IBAN }),
    transactionRow(5, 2, { counterpartAccountNumber: '0815-17' }),
    transactionRow(6, 2, { counterpartBankName: 'Sparkasse Köln' }),
    transactionRow(7, 1, { mandateReference: 'MREF-77' }),
    transactionRow(8, 1, { creditorId: 'DE98ZZZ09999999999' }),
    transactionRow(9, 1, { customerReference: 'KUNDE-5' }),
    transactionRow(10, 1, { endToEndReference: 'E2E-31' }),
    transactionRow(11, 1, { primanota: '9310' }),
    transactionRow(12, 1, { paypalInvoiceNumber: 'INV_100%' }),
    transactionRow(13, 1, { categoryId: 2, parentCategoryId: 1 }),
    transactionRow(14, 1, { categoryId: 1 }),
    transactionRow(15, 1, {
      counterpartBic: 'COBADEFFXXX',
      sepaPurposeCode: 'SALA',
      originalCurrency: 'USD',
    }),
  ],
}

/** Text -> ids of the rows found, newest first. */
const FOUND: Readonly<Record<string, readonly number[]>> = {
  müller: [1],
  MUELLER: [1],
  muller: [1],
  'söhne rechn': [1],
  'ller & s': [1],
  meuller: [],
  gutschr: [2],
  STRASSENBAU: [3],
  strassen: [3],
  'DE02 1203 0000 0000 2020 51': [4],
  '202051': [4],
  '0815-17': [5],
  koeln: [6],
  mref: [7],
  zzz099: [8],
  kunde: [9],
  'e2E-': [10],
  '9310': [11],
  '100%': [12],
  inv_1: [12],
  'inv%1': [],
  '.*': [],
  telefon: [13],
  buero: [14, 13],
  'büro telefon': [13],
  COBADEFFXXX: [],
  SALA: [],
  USD: [],
  EUR: [],
  'de 9': [8],
}

test(
  'each searched field is read, and no other',
  overEngines(async (t, service) => {
    const { root, key } = await given(service, FIELDS)
    const idsOf = async (target: string): Promise<number[]> =>
      (bodyOf(await service.ask(`${root}/${target}`, { key })) as { id: number }[]).map(
        ({ id }) => id,
      )
    for (const [text, ids] of Object.entries(FOUND)) {
      const query = `query=${encodeURIComponent(text)}`
      t.same(await idsOf(`transactions/search?${query}`), ids, text)
      const ofOne = ids.filter((id) => id !== 5 && id !== 6)
      t.same(await idsOf(`accounts/1/transactions/search?${query}`), ofOne, `${text}, account 1`)
      const ofCounterpart = ids.filter((id) => id === 4)
      t.same(await idsOf(`counterpart/${OTHER_IBAN}/transactions/search?${query}`), ofCounterpart)
    }
  }),
)

test(
  'a blank text is the plain list; links, count and customSchema are those of a list',
  overEngines(async (t, service) => {
    const { root, key } = await given(service, SAMPLE)
    for (const path of ['', 'accounts/1/', `counterpart/${OTHER_IBAN}/`]) {
      const list = await service.ask(`${root}/${path}transactions?limit=7&offset=3`, { key })
      for (const blank of ['query=&', 'query&', 'query=++&', '']) {
        const target = `${root}/${path}transactions/search?${blank}limit=7&offset=3`
        const reply = await service.ask(target, { key })
        t.equal(reply.text, list.text, target)
        t.equal(reply.fields['x-total-count'], list.fields['x-total-count'])
      }
    }
    const schema = encodeURIComponent('{"id":"number","purpose":"text"}')
    const target = `${root}/transactions/search?query=re-12&limit=3&customSchema=${schema}`
    const reply = await service.ask(target, { key })
    // RE-12 and RE-120 to RE-129.
    t.equal(reply.fields['x-total-count'], '11')
    t.match(bodyOf(reply), [
      { number: 129, text: 'RE-129' },
      { number: 128, text: 'RE-128' },
      { number: 127, text: 'RE-127' },
    ])
    const next = /<([^>]*)>; rel="next"/.exec(reply.fields['link'] ?? '')?.[1] ?? ''
    t.match(next, /query=re-12&.*offset=3/)
    t.match(bodyOf(await service.ask(next, { key })), [{ number: 126 }, {}, {}])
    const etag = reply.fields['etag'] ?? ''
    const again = await service.ask(target, { key, headers: { 'If-None-Match': etag } })
    t.equal(again.status, 304)
  }),
)

test(
  'a search needs the scope of the list',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w', { scopes: ['accounts:read'] })
    for (const path of ['', 'accounts/1/', `counterpart/${OTHER_IBAN}/`]) {
      const target = `/v1/w/${path}transactions/search?query=%00`
      t.equal(outcomeOf(await service.ask(target, { key })), '401 insufficient_scope')
      t.equal(outcomeOf(await service.ask(target)), '401 unauthorized', 'before any parameter')
    }
  }),
)
