// Every operation of the table with every kind of credential: statuses, the quota of
// --rate-limit, the last use, and the audit of uses from elsewhere.
import { strict as assert } from 'node:assert'
import { test } from 'tap'
import { createApiKey, listApiKeys, revokeApiKey } from '../../src/admin/api-keys.js'
import { createMcpKey } from '../../src/admin/mcp-keys.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { SCOPES, type Scope } from '../../src/domain/key-scope.js'
import { OPERATIONS } from '../../src/http/operations/table.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { someClient, someIntegration, someTokens, WIDE_KEY } from '../fixtures/control.js'
import {
  CASE_IDS,
  type OperationRequest,
  type Place,
  plainRequests,
} from '../fixtures/operation-requests.js'
import { OTHER_IBAN, SAMPLE } from '../fixtures/sample-workspace.js'
import { outcomeOf, overEngines, type RunningService, START_MS } from '../fixtures/service.js'

/** A credential, and what it may do by REST. */
interface Holder {
  readonly name: string
  readonly key: string | undefined
  /** undefined = nothing: the credential is none of this workspace's REST operations. */
  readonly scopes: readonly Scope[] | undefined
  /** null = all accounts. */
  readonly accountIds: readonly number[] | null
}

const SEEN: Place = { identifier: '1', transactionId: '7', iban: OTHER_IBAN, categoryId: '2' }
const HIDDEN: Place = { ...SEEN, identifier: '2', transactionId: '301' }
const MISSING: Place = { ...SEEN, identifier: '9', transactionId: '900' }

const PLACES: readonly (readonly [accountId: number, place: Place])[] = [
  [1, SEEN],
  [2, HIDDEN],
  [9, MISSING],
]

const KNOWN_ACCOUNTS = [1, 2]

/** Bounds of keys, and of the integrations and grants of tokens. */
const BOUNDS: readonly Omit<Holder, 'key'>[] = [
  { name: 'all', scopes: SCOPES, accountIds: null },
  { name: 'accounts alone', scopes: ['accounts:read'], accountIds: null },
  { name: 'transactions alone', scopes: ['transactions:read'], accountIds: null },
  { name: 'account 1', scopes: SCOPES, accountIds: [1] },
  { name: 'account 2', scopes: SCOPES, accountIds: [2] },
  { name: 'no account', scopes: SCOPES, accountIds: [] },
]

async function holdersOf(service: RunningService): Promise<Holder[]> {
  const { control, nowMs } = service
  const audited = { control, nowMs, actor: CLI_ACTOR }
  const nothing = { scopes: undefined, accountIds: null }
  const revoked = await service.newKey('w')
  await revokeApiKey(audited, revoked.id)
  const elsewhere = await createApiKey(audited, { ...WIDE_KEY, ipAllow: ['192.0.2.0/24'] })
  const mcp = await someIntegration(control, { kind: 'mcp' })
  const other = await someIntegration(control, { workspaceId: 'v' })
  const mcpKey = { integrationId: mcp.id, name: 'agent', scopes: SCOPES, expiresAtMs: null }
  const tokens = async (integrationId: string, scopes: readonly Scope[] = SCOPES) =>
    someTokens(control, (await someClient(control, integrationId)).client, scopes.join(' '))
  const bound: Holder[] = []
  for (const bounds of BOUNDS) {
    const { accountIds, scopes } = bounds
    const options = { accountIds, ...(scopes === undefined ? {} : { scopes }) }
    bound.push({ ...bounds, key: (await service.newKey('w', options)).key })
  }
  for (const { name, scopes = SCOPES, accountIds } of BOUNDS) {
    const { id } = await someIntegration(control, { accountIds })
    const key = (await tokens(id, scopes)).access
    bound.push({ name: `token: ${name}`, scopes, accountIds, key })
  }
  return [
    ...bound,
    { ...nothing, name: 'none', key: undefined },
    { ...nothing, name: 'unknown key', key: `sk-${'x'.repeat(43)}` },
    { ...nothing, name: 'unknown token', key: `at-${'x'.repeat(43)}` },
    {
      ...nothing,
      name: 'expired key',
      key: (await service.newKey('w', { expiresAtMs: START_MS })).key,
    },
    { ...nothing, name: 'revoked key', key: revoked.key },
    { ...nothing, name: 'key for other addresses', key: elsewhere.key },
    { ...nothing, name: 'key of another workspace', key: (await service.newKey('v')).key },
    { ...nothing, name: 'token of another workspace', key: (await tokens(other.id)).access },
    {
      ...nothing,
      name: 'refresh token',
      key: (await tokens((await someIntegration(control)).id)).refresh,
    },
    { ...nothing, name: 'MCP key', key: (await createMcpKey(audited, mcpKey)).key },
    { ...nothing, name: 'MCP token', key: (await tokens(mcp.id)).access },
  ]
}

/** The outcome that the contract states (docs/contract/credentials.md). */
function expectedOutcome(
  { operation: { scope, path } }: OperationRequest,
  { scopes, accountIds }: Holder,
  accountId: number,
): string {
  if (scopes === undefined) return '401 unauthorized'
  if (scope !== undefined && !scopes.includes(scope)) return '401 insufficient_scope'
  const isNamed = path.includes('{identifier}') || path.includes('{transactionId}')
  const seen = KNOWN_ACCOUNTS.filter((id) => accountIds?.includes(id) ?? true)
  return isNamed && !seen.includes(accountId) ? '400 not_found' : '200'
}

function ask(service: RunningService, { operation, target, body }: OperationRequest, key?: string) {
  const headers: Record<string, string> =
    body === undefined ? {} : { 'Content-Type': 'application/json' }
  const { method } = operation
  return service.ask(`/v1/w${target}`, { method, headers, key, body })
}

test('each operation of the table has a case', async (t) => {
  t.same([...CASE_IDS].sort(), OPERATIONS.map(({ id }) => id).sort())
})

test(
  'each operation answers each credential as its scope and accounts say',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    await service.write('v', SAMPLE)
    const outcomes = new Map<string, number>()
    for (const holder of await holdersOf(service)) {
      for (const [accountId, place] of PLACES) {
        for (const request of plainRequests(place)) {
          const reply = await ask(service, request, holder.key)
          const outcome = outcomeOf(reply)
          const what = `${holder.name}: ${request.operation.id} of account ${accountId}`
          const expected = expectedOutcome(request, holder, accountId)
          if (outcome !== expected) t.equal(outcome, expected, what)
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        }
      }
    }
    t.ok(
      ['200', '400 not_found', '401 insufficient_scope', '401 unauthorized'].every(
        (outcome) => (outcomes.get(outcome) ?? 0) > 50,
      ),
      JSON.stringify([...outcomes]),
    )
  }),
)

test(
  'an account out of sight is answered like one that does not exist, by each operation',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w', { accountIds: [1] })
    const [hidden, missing] = [HIDDEN, MISSING].map(plainRequests)
    assert(hidden !== undefined && missing !== undefined)
    for (const [i, request] of hidden.entries()) {
      const unknown = missing[i]
      assert(unknown !== undefined)
      const reply = await ask(service, request, key)
      const { status, text } = await ask(service, unknown, key)
      const alike = text.replaceAll(/\b(9|900)(?=[;.])/g, (id) => (id === '9' ? '2' : '301'))
      t.same([reply.status, reply.text], [status, alike], request.operation.id)
    }
  }),
)

test(
  'each operation counts against the quota of its credential, refused ones as well',
  overEngines(
    async (t, service) => {
      await service.write('w', SAMPLE)
      for (const scopes of [SCOPES, []]) {
        for (const request of plainRequests(SEEN)) {
          const { key } = await service.newKey('w', { scopes })
          const replies = []
          for (let i = 0; i < 3; i++) replies.push(await ask(service, request, key))
          const outcomes = replies.map(outcomeOf)
          const isOpen = scopes.length > 0 || request.operation.scope === undefined
          const first = isOpen ? '200' : '401 insufficient_scope'
          t.same(outcomes, [first, first, '429 rate_limited'], request.operation.id)
          t.match(replies[2]?.fields, { ratelimit: '"default";r=0;t=60', 'retry-after': '60' })
        }
      }
    },
    { requestsPerMinute: 2 },
  ),
)

test(
  'a key has its last operation, and a use from elsewhere is audited, for each operation',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const audited = { control: service.control, nowMs: service.nowMs, actor: CLI_ACTOR }
    const used = new Map<number, string>()
    const refused: string[] = []
    for (const request of plainRequests(SEEN)) {
      const { id } = request.operation
      const known = await createApiKey(audited, { ...WIDE_KEY, name: id })
      t.equal((await ask(service, request, known.key)).status, 200, id)
      used.set(known.id, id)
      const ipAllow = ['192.0.2.0/24']
      const elsewhere = await createApiKey(audited, { ...WIDE_KEY, name: id, ipAllow })
      for (let i = 0; i < 2; i++) {
        t.equal(outcomeOf(await ask(service, request, elsewhere.key)), '401 unauthorized', id)
      }
      refused.push(JSON.stringify({ name: id, times: 2 }))
    }
    await service.end()
    for (const { id, lastUsedOperation } of await listApiKeys(audited)) {
      t.equal(lastUsedOperation ?? undefined, used.get(id), `key ${id}`)
    }
    const rows = service.control.look(() => listAuditRows({ limit: 1_000 }))
    const blocked = rows.filter(({ action }) => action === 'api_key.refuse')
    t.same(blocked.map(({ detail }) => detail).sort(), refused.sort())
  }),
)
