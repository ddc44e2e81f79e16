// Batch matches over both engines: each entry against the single match, bytes included; the order
// by evidence against its naive twin; refusals.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import type { ExpectedPayment } from '../../../src/match/payment-evidence.js'
import { formatAmount } from '../../../src/money.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import type { Reply } from '../../fixtures/contract-check.js'
import { given } from '../../fixtures/given-workspace.js'
import { matchedWorkspaces, naiveMatches, referencesFor } from '../../fixtures/naive-match.js'
import {
  expectedPayments,
  naiveEvidence,
  orderedByEvidence,
  paidWorkspaces,
} from '../../fixtures/naive-payment.js'
import { listQueries } from '../../fixtures/queries.js'
import { queryText } from '../../fixtures/query-text.js'
import { rankHere } from '../../fixtures/ranking.js'
import { SAMPLE } from '../../fixtures/sample-workspace.js'
import {
  bodyOf,
  outcomeOf,
  overEngines,
  type RunningService,
  type Sending,
} from '../../fixtures/service.js'

const IBAN = 'DE89370400440532013000'
const WINDOW_ROWS = 12
const JSON_FIELDS = { 'Content-Type': 'application/json' }

/** Sends a batch. @param body an object is sent as JSON */
function post(
  service: RunningService,
  target: string,
  body: object | string | Uint8Array,
  sending: Sending = {},
): Promise<Reply> {
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  return service.ask(target, { method: 'POST', headers: JSON_FIELDS, body: bytes, ...sending })
}

const SCHEMA = '{"amount":"value","counterpart.name":"payee","purpose":null}'

const cases = matchedWorkspaces({ maxLength: 25 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    seen: fc.option(fc.subarray(workspace.accounts.map((_, code) => code)), { nil: null }),
    list: listQueries(workspace),
    isFiltered: fc.constantFrom(true, false, false, false),
    place: fc.constantFrom('', '', 'account', `counterpart/${IBAN}/`),
    account: fc.constantFrom(...workspace.accounts.map((_, code) => code)),
    texts: fc.array(referencesFor(workspace), { minLength: 1, maxLength: 7 }),
    threshold: fc.constantFrom(undefined, null, 0, 0.00004, 0.3, 0.55, 1),
    limit: fc.constantFrom(undefined, null, 1, 2, 10),
    explain: fc.constantFrom(undefined, null, false, true),
    customSchema: fc.constantFrom(undefined, SCHEMA),
  }),
)

test(
  'each entry equals the single match, byte for byte',
  overEngines(
    async (t, service) => {
      let foundCount = 0
      await assertProperty(
        fc.asyncProperty(cases, async (drawn) => {
          const { workspace, seen, list, isFiltered, place, account, texts } = drawn
          const { threshold, limit, explain, customSchema } = drawn
          const { root, key } = await given(service, workspace, seen)
          const path = place === 'account' ? `accounts/${workspace.accounts[account]?.id}/` : place
          const {
            order: _order,
            sortBy: _sortBy,
            ...filters
          } = isFiltered ? list.query : { order: '', sortBy: '' }
          const target = `${root}/${path}transactions/match`
          const inUrl = queryText(filters, { customSchema })
          const queries = texts.map((query, i) => ({ id: `${i}: ${query}"ä`, query }))
          const body = { queries, threshold, limit, explain }
          const reply = await post(service, `${target}?${inUrl}`, body, { key })
          const entries: string[] = []
          for (const { id, query } of queries) {
            const parameters = queryText(filters, {
              ...{ query, customSchema, limit: limit ?? 3 },
              ...{ threshold: threshold ?? 0.6, explain: String(explain ?? false) },
            })
            const single = await service.ask(`${target}?${parameters}`, { key })
            if (outcomeOf(single) !== '200') {
              assert.equal(outcomeOf(reply), outcomeOf(single))
              return
            }
            const total = single.fields['x-total-count']
            entries.push(`{"id":${JSON.stringify(id)},"matches":${single.text},"total":${total}}`)
            foundCount += Number(total)
          }
          assert.equal(outcomeOf(reply), '200')
          assert.equal(reply.text, `[${entries.join(',')}]`)
        }),
        { numRuns: 40 },
      )
      t.ok(foundCount > 10, `${foundCount} results`)
    },
    { rankMatches: rankHere({ windowRowsMax: WINDOW_ROWS, hereRowsMax: 3, blockRows: 2 }) },
  ),
)

/** A payment as a caller may write it. */
function written({ amount, ...others }: ExpectedPayment, isText: boolean): object {
  if (amount === undefined) return { ...others, amount: null }
  const text = formatAmount(amount.unscaled, amount.scale)
  return { ...others, amount: isText ? `-00${text}` : Number(text) }
}

const paidCases = paidWorkspaces({ maxLength: 25 }).chain((workspace) =>
  fc.record({
    workspace: fc.constant(workspace),
    seen: fc.option(fc.subarray(workspace.accounts.map((_, code) => code)), { nil: null }),
    queries: fc.array(
      fc.record({
        text: fc.oneof(fc.constant('RE-2026-0815'), referencesFor(workspace)),
        expected: fc.option(expectedPayments, { nil: undefined }),
        isText: fc.boolean(),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    threshold: fc.constantFrom(0, 0.3, 0.6),
    limit: fc.integer({ min: 1, max: 4 }),
  }),
)

interface Entry {
  readonly id: string
  readonly total: number
  readonly matches: readonly {
    readonly id: number
    readonly score: number
    readonly explanation?: { readonly evidence?: readonly string[] }
  }[]
}

test(
  'equal scores are ordered by evidence, and the explanation names it',
  overEngines(
    async (t, service) => {
      let movedCount = 0
      await assertProperty(
        fc.asyncProperty(paidCases, async ({ workspace, seen, queries, threshold, limit }) => {
          const { root, key } = await given(service, workspace, seen)
          const asked = queries.map(({ text, expected, isText }, i) => {
            return { id: String(i), query: text, ...(expected && written(expected, isText)) }
          })
          const body = { queries: asked, threshold, limit, explain: true }
          const reply = await post(service, `${root}/transactions/match`, body, { key })
          assert.equal(outcomeOf(reply), '200')
          const bounds = seen === null ? {} : { accountCodes: seen }
          const wanted = queries.map(({ text, expected }, i): Entry => {
            const scoreMin = threshold * 10_000
            const request = { text, scoreMin, windowRowsMax: WINDOW_ROWS, filters: {}, bounds }
            const single = naiveMatches(workspace, request)
            const ordered = expected === undefined ? single : orderedByEvidence(expected, single)
            if (ordered.some(({ row }, at) => row.id !== single[at]?.row.id)) movedCount += 1
            const matches = ordered.slice(0, limit).map(({ row, score }) => {
              const evidence = expected === undefined ? [] : naiveEvidence(expected, row)
              return {
                id: row.id,
                score: Number(`${score}e-4`),
                evidence: score > 0 ? evidence : [],
              }
            })
            return { id: String(i), matches, total: single.length }
          })
          const found = (bodyOf(reply) as Entry[]).map(({ id, matches, total }) => {
            const shown = matches.map(({ id: rowId, score, explanation }) => {
              return { id: rowId, score, evidence: explanation?.evidence ?? [] }
            })
            return { id, matches: shown, total }
          })
          assert.deepEqual(found, wanted)
        }),
        { numRuns: 40 },
      )
      t.ok(movedCount > 4, `${movedCount} orders that evidence has changed`)
    },
    { rankMatches: rankHere({ windowRowsMax: WINDOW_ROWS, hereRowsMax: 3, blockRows: 2 }) },
  ),
)

const ONE = { queries: [{ id: 'a', query: 'RE-12' }] }

test(
  'an answer has no tag, no count and no link, and a key restricted to accounts sees its own rows',
  overEngines(async (t, service) => {
    const { root, key } = await given(service, SAMPLE)
    const { key: narrow } = await service.newKey(root.slice('/v1/'.length), { accountIds: [2] })
    const target = `${root}/transactions/match`
    const reply = await post(service, target, ONE, { key })
    t.match(bodyOf(reply), [{ id: 'a', matches: [{ id: 12 }], total: 1 }])
    for (const name of ['etag', 'x-total-count', 'link']) t.equal(reply.fields[name], undefined)
    const headers = { ...JSON_FIELDS, 'If-None-Match': '*' }
    t.equal((await post(service, target, ONE, { key, headers })).text, reply.text, 'never 304')
    const own = await post(service, target, { ...ONE, threshold: 0, limit: 10 }, { key: narrow })
    t.match(bodyOf(own), [{ id: 'a', matches: [{ id: 301, score: 0 }], total: 1 }])
    t.equal(own.fields['etag'], undefined)
    const foreign = await post(service, `${root}/accounts/1/transactions/match`, ONE, {
      key: narrow,
    })
    t.equal(outcomeOf(foreign), '400 not_found')
    const read = await service.ask(`${target}?query=RE-12`, { key })
    t.ok(read.fields['etag'], 'a GET to the same path is the single match')
    const typed = { 'Content-Type': 'Application/JSON; charset=utf-8' }
    t.equal((await post(service, target, ONE, { key, headers: typed })).text, reply.text)
  }),
)

/** A body with one query, of these members besides id and query. */
function withQuery(members: object): object {
  return { queries: [{ id: 'a', query: 'RE-1', ...members }] }
}

/** Bodies, and the begin of the message of their refusal. */
const REFUSED: readonly (readonly [body: object | string, message: RegExp])[] = [
  ['', /^The body must be JSON \(/],
  ['{', /^The body must be JSON \(/],
  ['null', /^The body must be a JSON object, not null; for example \{"queries": \[/],
  ['[]', /^The body must be a JSON object, not a list/],
  ['"RE-1"', /^The body must be a JSON object, not "RE-1"/],
  ['['.repeat(100_000), /^The body must be JSON \(/],
  [`{"queries":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, /^queries\[0\]/],
  [{}, /^queries is missing; for example "queries": \[\{"id": "invoice 42", /],
  [{ queries: null }, /^queries is missing/],
  [{ queries: {} }, /^queries must be a list of 1 to 500 queries, not an object/],
  [{ queries: [] }, /^queries must be a list of 1 to 500 queries, not of 0/],
  [{ queries: ['RE-1'] }, /^queries\[0\] must be an object, not "RE-1"; for example \{"id"/],
  [{ ...ONE, quries: [] }, /^Unknown member "quries" of the body: did you mean queries, as in /],
  [{ ...ONE, offset: 1 }, /^Unknown member "offset" of the body: the members are queries, thresh/],
  ['{"queries":[{"id":"a","query":"RE-1"}],"__proto__":1}', /^Unknown member "__proto__"/],
  [
    withQuery({ amout: 1 }),
    /^Unknown member "amout" of queries\[0\]: did you mean amount, as in "a/,
  ],
  [
    withQuery({ 'a "b" ]': 1 }),
    /^Unknown member "a \\"b\\" \]" of queries\[0\]: the members are id/,
  ],
  [withQuery({ id: null }), /^queries\[0\]\.id is missing; for example "id": "invoice 42"/],
  [withQuery({ id: 7 }), /^queries\[0\]\.id must be a text, not 7/],
  [withQuery({ id: '' }), /^queries\[0\]\.id must not be empty/],
  [withQuery({ id: 'é'.repeat(65) }), /^queries\[0\]\.id must be at most 64 characters long/],
  [
    { queries: [...ONE.queries, ...ONE.queries] },
    /^queries\[1\]\.id repeats the id of queries\[0\]/,
  ],
  [{ queries: [{ id: 'a' }] }, /^queries\[0\]\.query is missing; for example "query": "RE-2026-0/],
  [
    withQuery({ query: 'x' }),
    /^queries\[0\]\.query must be at least 2 characters long; for exampl/,
  ],
  [
    withQuery({ query: '--' }),
    /^queries\[0\]\.query must have at least 2 letters or digits, not 0/,
  ],
  [withQuery({ query: '1'.repeat(257) }), /^queries\[0\]\.query must be at most 256 characters/],
  [withQuery({ query: '1 '.repeat(25) }), /^queries\[0\]\.query must be at most 24 runs of/],
  [
    withQuery({ amount: '1,5' }),
    /^queries\[0\]\.amount must have digits, at most 15, .*"1,5"; for/,
  ],
  [withQuery({ amount: '+5' }), /^queries\[0\]\.amount must have digits/],
  [withQuery({ amount: '.5' }), /^queries\[0\]\.amount must have digits/],
  [withQuery({ amount: '5.' }), /^queries\[0\]\.amount must have digits/],
  [withQuery({ amount: '1e2' }), /^queries\[0\]\.amount must have digits/],
  [withQuery({ amount: '' }), /^queries\[0\]\.amount must have digits/],
  [withQuery({ amount: '1.123456' }), /^queries\[0\]\.amount must have digits/],
  [withQuery({ amount: '1234567890123456' }), /^queries\[0\]\.amount must have digits/],
  [withQuery({ amount: 1234567890123456 }), /^queries\[0\]\.amount must have digits/],
  [withQuery({ amount: 1.123456 }), /^queries\[0\]\.amount must have digits/],
  [
    withQuery({ amount: true }),
    /^queries\[0\]\.amount must be a number or a decimal text, not true/,
  ],
  ['{"queries":[{"id":"a","query":"RE-1","amount":1e999}]}', /^queries\[0\]\.amount must/],
  [withQuery({ currency: 'EUR' }), /^queries\[0\]\.currency needs amount, whose currency it is; f/],
  [withQuery({ amount: 1, currency: 'eur' }), /^queries\[0\]\.currency must be three capital lett/],
  [withQuery({ counterpartName: '' }), /^queries\[0\]\.counterpartName must not be empty/],
  [
    withQuery({ counterpartName: 'x'.repeat(257) }),
    /^queries\[0\]\.counterpartName must be at most/,
  ],
  [withQuery({ counterpartIban: 'DE' }), /^queries\[0\]\.counterpartIban must be an IBAN \(two le/],
  [
    { ...ONE, threshold: 1.00001 },
    /^threshold must be a number from 0 to 1 .*"1.00001"; for examp/,
  ],
  [{ ...ONE, threshold: -0.1 }, /^threshold must be a number/],
  [
    { ...ONE, threshold: '0.6' },
    /^threshold must be a number from 0 to 1, not "0.6"; for example "/,
  ],
  [
    { ...ONE, limit: 0 },
    /^limit must be a whole number from 1 to 10, not 0; for example "limit": 3/,
  ],
  [{ ...ONE, limit: 11 }, /^limit must be a whole number from 1 to 10, not 11/],
  [{ ...ONE, limit: 1.5 }, /^limit must be a whole number from 1 to 10, not 1.5/],
  [
    { ...ONE, explain: 'true' },
    /^explain must be true or false, not "true"; for example "explain"/,
  ],
]

const ACCEPTED: readonly object[] = [
  withQuery({ amount: null, currency: null, counterpartName: null, counterpartIban: null }),
  withQuery({ amount: '-007.50000', currency: 'XXX' }),
  withQuery({ amount: -0 }),
  withQuery({ amount: '-0' }),
  withQuery({ amount: 1e2, counterpartIban: 'de89 3704 0044 0532 0130 00' }),
  withQuery({ amount: '000123456789012345' }),
  withQuery({ id: '😀'.repeat(64), query: '\ud800 12' }),
  { ...ONE, threshold: 1e-7, limit: 10, explain: true },
  { queries: Array.from({ length: 500 }, (_, i) => ({ id: String(i), query: 'RE-12' })) },
]

test(
  'a refusal of a body names the member, the fault and a right example',
  overEngines(async (t, service) => {
    const { root, key } = await given(service, SAMPLE)
    const target = `${root}/transactions/match`
    for (const [body, message] of REFUSED) {
      const reply = await post(service, target, body, { key })
      t.equal(reply.status, 400)
      t.match((bodyOf(reply) as { message: string }).message, message)
    }
    for (const body of ACCEPTED)
      t.equal(outcomeOf(await post(service, target, body, { key })), '200')
    const invalid = await post(service, target, Buffer.from([0x7b, 0xff, 0x7d]), { key })
    t.match(bodyOf(invalid), { error: 'invalid_request', message: /must be JSON in UTF-8/ })
    const marked = await post(service, target, `\ufeff${JSON.stringify(ONE)}`, { key })
    t.equal(outcomeOf(marked), '200', 'a byte order mark is no fault')
  }),
)

test(
  'refusals of the request, and their order',
  overEngines(async (t, service) => {
    const { root, key } = await given(service, SAMPLE)
    const workspaceId = root.slice('/v1/'.length)
    const { key: narrow } = await service.newKey(workspaceId, { scopes: ['accounts:read'] })
    for (const path of ['', 'accounts/1/', `counterpart/${IBAN}/`]) {
      const target = `${root}/${path}transactions/match`
      t.equal(outcomeOf(await post(service, target, 'x')), '401 unauthorized')
      t.equal(
        outcomeOf(await post(service, target, 'x', { key: narrow })),
        '401 insufficient_scope',
      )
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']) {
        const headers = { 'Content-Type': type }
        const reply = await post(service, target, ONE, { key, headers })
        t.equal(outcomeOf(reply), '415 unsupported_media_type')
        t.match(bodyOf(reply), { message: `must be application/json; it is "${type}"` })
      }
      const untyped = await post(service, target, ONE, { key, headers: {} })
      t.match(bodyOf(untyped), { message: 'it is absent' })
      const padding = ' '.repeat(262_144 - JSON.stringify(ONE).length)
      t.equal(
        outcomeOf(await post(service, target, `${JSON.stringify(ONE)}${padding}`, { key })),
        '200',
      )
      const long = await post(service, target, `${JSON.stringify(ONE)}${padding} `, { key })
      t.equal(outcomeOf(long), '413 body_too_large')
      for (const parameter of [
        'threshold=0.5',
        'limit=3',
        'explain=true',
        'query=RE-1',
        'offset=1',
      ]) {
        const reply = await post(service, `${target}?${parameter}`, ONE, { key })
        t.equal(outcomeOf(reply), '400 unknown_parameter', parameter)
      }
      const schema = encodeURIComponent('{"explanation":"why"}')
      const explained = { ...ONE, explain: true }
      t.equal(
        outcomeOf(await post(service, `${target}?customSchema=${schema}`, explained, { key })),
        '400 invalid_custom_schema',
      )
      const put = await post(service, target, ONE, { key, method: 'PUT' })
      t.equal(outcomeOf(put), '405 method_not_allowed')
      t.equal(put.fields['allow'], 'GET, HEAD, POST')
    }
    for (const path of ['accounts', 'transactions', 'transactions/1', 'transactions/search']) {
      const reply = await post(service, `${root}/${path}`, ONE, { key })
      t.equal(outcomeOf(reply), '405 method_not_allowed', path)
      t.equal(reply.fields['allow'], 'GET, HEAD', path)
    }
  }),
)
