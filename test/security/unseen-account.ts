// No answer to a credential for one account shows that there are others: every operation, with
// each of its parameters, answers as in a workspace that has only this account.
import { strict as assert } from 'node:assert'
import { type Test, test } from 'tap'
import { createMcpKey } from '../../src/admin/mcp-keys.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { SCOPES } from '../../src/domain/key-scope.js'
import { Database } from '../../src/store/sqlite/sqlite-driver.js'
import type { QueryParameter } from '../../src/wire/parameter-table.js'
import type { Reply } from '../fixtures/contract-check.js'
import { callOf, overMcpFixtures, sendMcp } from '../fixtures/mcp-fixture.js'
import {
  type OperationRequest,
  plainRequests,
  requestVariants,
  withReferences,
} from '../fixtures/operation-requests.js'
import {
  accountRow,
  FIRST_DAY_MS,
  OTHER_IBAN,
  OWN_IBAN,
  SAMPLE,
  transactionRow,
} from '../fixtures/sample-workspace.js'
import { overEngines, type RunningService } from '../fixtures/service.js'
import type { WorkspaceRows } from '../fixtures/workspaces.js'

const DAY_MS = 86_400_000

/** Digits and a word that every field of an account out of sight has, and nothing else. */
const DIGITS = '7719377'
const WORD = 'Verborgenix'
const MARKERS = /verborgenix|7719377|1977-|CHF/i

const HIDDEN_ID = 7_719_377
const HIDDEN_IBAN = `DE00${DIGITS}00000000000`
/** The IBAN of another account out of sight, to which rows in sight pay. */
const PAID_IBAN = OTHER_IBAN

const SEEN: WorkspaceRows = {
  accounts: [accountRow(1, { iban: OWN_IBAN, blz: '37040044', bic: 'COBADEFFXXX', name: 'Giro' })],
  categories: SAMPLE.categories,
  transactions: Array.from({ length: 24 }, (_, i) =>
    transactionRow(i + 1, 1, {
      ...{ amountUnscaled: (i % 7) * 250 - 500, bookedAt: FIRST_DAY_MS + (i % 9) * DAY_MS },
      ...{ valuedAt: FIRST_DAY_MS + (i % 5) * DAY_MS, purpose: `RE-${i} Miete Versand` },
      ...{ counterpartName: i % 2 ? 'Müller' : 'MUELLER', categoryId: i % 3 ? 2 : null },
      ...{ parentCategoryId: i % 3 ? 1 : null, counterpartIban: i % 4 ? PAID_IBAN : null },
    }),
  ),
}

const WHOLE: WorkspaceRows = {
  ...SEEN,
  accounts: [
    ...SEEN.accounts,
    accountRow(7_719_376, { iban: PAID_IBAN }),
    accountRow(HIDDEN_ID, {
      ...{ iban: HIDDEN_IBAN, blz: DIGITS, bic: 'HIDDDEFF', name: WORD, holderName: WORD },
      ...{ bankName: WORD, accountNumber: DIGITS, balanceUnscaled: HIDDEN_ID, balanceScale: 0 },
    }),
  ],
  transactions: [...SEEN.transactions, ...Array.from({ length: 9 }, (_, i) => hiddenRow(i))],
}

function hiddenRow(i: number) {
  const at = Date.UTC(1977, 6, 19 + i)
  const text = `${WORD} RE-17 ${DIGITS}${i} Müller`
  return transactionRow(HIDDEN_ID * 100 + i, HIDDEN_ID, {
    ...{ amountUnscaled: -HIDDEN_ID, amountScale: 0, currency: 'CHF', bookedAt: at, valuedAt: at },
    ...{ importedAt: at, createdAt: at, updatedAt: at, purpose: text, type: text },
    ...{ counterpartName: text, counterpartIban: i % 2 ? PAID_IBAN : HIDDEN_IBAN },
    ...{ counterpartAccountNumber: DIGITS, counterpartBankName: text, mandateReference: text },
    ...{ creditorId: text, customerReference: text, endToEndReference: text, primanota: text },
    ...{ paypalInvoiceNumber: text, categoryId: 2, parentCategoryId: 1 },
  })
}

const PLACES = [
  { identifier: '1', transactionId: '7', iban: PAID_IBAN, categoryId: '2' },
  {
    identifier: String(HIDDEN_ID),
    transactionId: String(HIDDEN_ID * 100),
    iban: HIDDEN_IBAN,
    categoryId: '2',
  },
  { identifier: HIDDEN_IBAN, transactionId: '9', iban: OWN_IBAN, categoryId: '9' },
] as const

/** Values by name, or by kind. @param foreign what another credential was given */
function valuesOf(foreign: { readonly cursor: string; readonly since: string }) {
  const known: Readonly<Record<string, readonly string[]>> = {
    ...{ blz: ['37040044', DIGITS], bic: ['COBADEFFXXX', 'HIDDDEFF'], offset: ['3'] },
    ...{ limit: ['1', '2'], customSchema: ['{"amount":"value","purpose":null}'] },
    ...{ category: ['Telefon', '2', DIGITS], parentCategory: ['Büro', WORD] },
    instant: ['2026-01-03T00:00:00.000Z', '1977-07-23'],
    day: ['2026-01-03', '1977-07-23'],
    amount: ['0', '5', DIGITS],
    currency: ['EUR', 'CHF'],
    accountIds: ['1', String(HIDDEN_ID), `1,${HIDDEN_IBAN}`, PAID_IBAN],
    cursor: ['', foreign.cursor],
    since: [foreign.since],
    wait: ['0'],
    threshold: ['0'],
    search: ['re-1', 'müller', WORD, DIGITS],
    reference: ['RE-1', `RE-17 ${DIGITS}`, WORD],
    typed: ['mue', 'versnad', 'verb', 'verborgenx', 'verborgenix', 'gir'],
  }
  return (parameter: QueryParameter): readonly string[] => {
    const { kind, name } = parameter
    if (kind === 'choice') return [...parameter.choices.keys()]
    if (kind === 'switch') return ['true', 'false']
    if (kind === 'words') return [...parameter.words, 'counterpart,month', 'account,day']
    const values = known[name] ?? known[kind]
    assert(values !== undefined, `there are values of ${name}, ${kind}`)
    return values
  }
}

/** A workspace as one credential sees it. */
interface View {
  readonly workspaceId: string
  readonly key: string
}

async function send(
  service: RunningService,
  { workspaceId, key }: View,
  { operation, target, body }: OperationRequest,
  etag = '',
): Promise<Reply> {
  const headers: Record<string, string> = { 'X-Request-Id': 'r' }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (etag !== '') headers['If-None-Match'] = etag
  const { method } = operation
  return service.ask(`/v1/${workspaceId}${target}`, { method, key, headers, body })
}

/** An answer without what names its workspace: the file in cursors, the key in entity-tags. */
function shown({ status, text, fields }: Reply, { workspaceId }: View): string {
  const { date: _, etag: _tag, 'x-next-cursor': cursor, link, ...rest } = fields
  const links = link?.replaceAll(`/v1/${workspaceId}/`, '/v1/w/').replaceAll(cursor ?? ' ', 'c')
  const body = text
    .replace(/"cursor":"[-\w]{43}"/, '"cursor":"c"')
    .replace(`"workspaceId":"${workspaceId}"`, '"workspaceId":"w"')
  return JSON.stringify([status, body, rest, links, cursor?.length])
}

function isMarked({ target, body = '' }: OperationRequest): boolean {
  return MARKERS.test(decodeURIComponent(target)) || MARKERS.test(body)
}

/** All requests: each operation, each parameter, each place. */
function requests(foreign: { readonly cursor: string; readonly since: string }) {
  const [seen, ...others] = PLACES
  const variants = requestVariants(seen, valuesOf(foreign))
  const batches = plainRequests(seen).filter(({ operation }) => operation.verb === 'batchMatch')
  return [
    ...variants,
    ...others.flatMap(plainRequests),
    ...batches.map((batch) => withReferences(batch, ['RE-1', WORD, `RE-17 ${DIGITS}`])),
  ]
}

async function foreignCursors(service: RunningService, key: string) {
  const page = await service.ask('/v1/whole/transactions?cursor=&limit=1', { key })
  const changes = await service.ask('/v1/whole/transactions/changes?limit=1', { key })
  const { cursor: since } = JSON.parse(changes.text) as { cursor: string }
  return { cursor: page.fields['x-next-cursor'] ?? '', since }
}

/** Writes to the account out of sight, and waits until a credential for all has the change. */
async function changeHidden(t: Test, service: RunningService, key: string): Promise<void> {
  const writer = new Database(service.pathOf('whole'))
  t.teardown(() => writer.close())
  writer.exec(`UPDATE transactions SET purpose = 'changed' WHERE id = ${HIDDEN_ID * 100};
    DELETE FROM transactions WHERE id = ${HIDDEN_ID * 100 + 1};
    INSERT INTO transactions (account_id, amount_unscaled, amount_scale, currency, created_at,
      updated_at, import_date, purpose)
    VALUES (${HIDDEN_ID}, -${HIDDEN_ID}, 0, 'CHF', 1, 1, 1, '${WORD} ist neu');
    UPDATE accounts SET name = '${WORD} umbenannt' WHERE id = ${HIDDEN_ID}`)
  await service.until(async () => {
    const { text } = await service.ask('/v1/whole/transactions?limit=1', { key })
    return text.includes('ist neu')
  })
}

test(
  'an account out of sight changes no answer of any operation',
  overEngines(async (t, service) => {
    await service.write('whole', WHOLE)
    await service.write('alone', SEEN)
    const all = (await service.newKey('whole')).key
    const viewOf = async (workspaceId: string): Promise<View> => {
      return { workspaceId, key: (await service.newKey(workspaceId, { accountIds: [1] })).key }
    }
    const [whole, alone] = [await viewOf('whole'), await viewOf('alone')]
    const sent = requests(await foreignCursors(service, all))
    const before = new Map<OperationRequest, Reply>()
    let markedCount = 0
    for (const request of sent) {
      const { id } = request.operation
      const reply = await send(service, whole, request)
      const expected = shown(await send(service, alone, request), alone)
      const found = shown(reply, whole)
      if (found !== expected) t.equal(found, expected, `${id} ${request.target}`)
      if (isMarked(request)) markedCount += 1
      else if (MARKERS.test(reply.text + JSON.stringify(reply.fields))) t.fail(`${id} ${found}`)
      before.set(request, reply)
    }
    t.ok(sent.length > 800 && markedCount > 150, `${sent.length} requests, ${markedCount} marked`)
    const seen = await service.ask('/v1/whole/transactions', { key: all })
    t.match(seen.text, MARKERS, 'a credential for all accounts is shown them')

    await changeHidden(t, service, all)
    for (const [request, { status, text, fields }] of before) {
      const { etag = '' } = fields
      const again = await send(service, whole, request, etag)
      const known = etag === '' ? [status, text] : [304, '']
      const found = [again.status, again.text]
      if (`${found}` !== `${known}`) t.same(found, known, request.target)
    }
    const { cursor } = JSON.parse(
      (await service.ask('/v1/whole/transactions/changes', { key: whole.key })).text,
    ) as { cursor: string }
    const later = await service.ask(`/v1/whole/transactions/changes?since=${cursor}`, {
      key: whole.key,
    })
    t.same(JSON.parse(later.text), { changes: [], cursor, hasMore: false })
  }),
)

const GROUPINGS = ['account', 'counterpart', 'category', 'month,direction', 'day,counterpart']

/** Calls of the tools. */
const CALLS: readonly (readonly [name: string, input: object])[] = [
  ...[{}, { account: 1, fields: 'full' }, { account: HIDDEN_ID }, { account: HIDDEN_IBAN }].map(
    (input) => ['get_accounts', input] as const,
  ),
  ...[
    ...[{}, { fields: 'full' }, { limit: 0 }, { category: 'Büro' }, { category: 'travel' }],
    ...GROUPINGS.flatMap((groupBy) => [{ groupBy }, { groupBy, search: 'verborgenx' }]),
    ...['include', 'exclude', 'only'].map((ownTransfers) => ({ ownTransfers })),
    ...[WORD, 'verborgenx', 'verb', 'mulelr', DIGITS].map((search) => ({ search })),
    ...['RE-17', `RE-17 ${DIGITS}`].map((match) => ({ match, threshold: 0, explain: true })),
    ...[{ id: HIDDEN_ID * 100 }, { id: 1 }, { account: HIDDEN_ID }, { currency: 'CHF' }],
    ...[{ accountIds: `1,${HIDDEN_ID}` }, { counterpartIban: HIDDEN_IBAN }],
    ...[{ counterpartIban: PAID_IBAN }, { bookedTo: '1999-12-31' }, { absoluteAmount: DIGITS }],
  ].map((input) => ['get_transactions', input] as const),
]

test(
  'an account out of sight changes no answer of a tool',
  overMcpFixtures(
    async (t, fixture) => {
      const { service } = fixture
      await service.write('whole', WHOLE)
      await service.write('alone', SEEN)
      const endpoint = async (workspaceId: string, accountIds: readonly number[] | null) => {
        const { id } = await fixture.newIntegration({ workspaceId, kind: 'mcp', accountIds })
        const audited = { control: service.control, nowMs: service.nowMs, actor: CLI_ACTOR }
        const named = { integrationId: id, name: 'agent', scopes: SCOPES, expiresAtMs: null }
        return { path: `/v1/${workspaceId}/mcp/${id}`, ...(await createMcpKey(audited, named)) }
      }
      const [whole, alone] = [await endpoint('whole', [1]), await endpoint('alone', [1])]
      for (const [name, input] of CALLS) {
        const body = callOf(name, input)
        const reply = await sendMcp(fixture, { path: whole.path, key: whole.key, body })
        const expected = await sendMcp(fixture, { path: alone.path, key: alone.key, body })
        const what = `${name} ${JSON.stringify(input)}`
        t.same([reply.status, reply.text], [expected.status, expected.text], what)
        if (!MARKERS.test(what)) t.notMatch(reply.text, MARKERS, what)
      }
      const all = await endpoint('whole', null)
      const body = callOf('get_transactions', { search: 'verborgenx' })
      t.match((await sendMcp(fixture, { ...all, body })).text, WORD, 'it is suggested to others')
    },
    { service: { tools: undefined } },
  ),
)
