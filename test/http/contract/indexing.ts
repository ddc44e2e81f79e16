// Answers of a workspace whose indexes are still being built: everything at once except searches
// and matches, which wait, within limits.

import { join } from 'node:path'
import { type Test, test } from 'tap'
import type { Access } from '../../../src/auth/access.js'
import { findRows } from '../../../src/free-text/search-task.js'
import { ChangeWaits } from '../../../src/http/change-waits.js'
import { createAnswer } from '../../../src/http/server.js'
import { openOperationService, type ServerParts } from '../../../src/http/service-state.js'
import { nodeTags } from '../../../src/http/state-tags.js'
import { WaitingRequests } from '../../../src/http/waiting-requests.js'
import { openApiDocument } from '../../../src/openapi/document.js'
import { indexesOfSegment } from '../../../src/snapshot/segment-indexes.js'
import {
  type LiveSegment,
  NO_INDEXES,
  type Segment,
  type Snapshot,
} from '../../../src/snapshot/snapshot.js'
import { visiblePart } from '../../../src/snapshot/visible-rows.js'
import { WorkspaceCache } from '../../../src/snapshot/workspace-cache.js'
import { openWatch } from '../../../src/store/open-workspace.js'
import type { Reply } from '../../fixtures/contract-check.js'
import {
  type Listening,
  type Rig,
  requestText,
  rigs,
  settled,
  WireClient,
} from '../../fixtures/http-rig.js'
import { InlineTasks } from '../../fixtures/inline-tasks.js'
import { openShares } from '../../fixtures/open-shares.js'
import { rankHere } from '../../fixtures/ranking.js'
import { SAMPLE, transactionRow } from '../../fixtures/sample-workspace.js'
import { bodyOf, Client, outcomeOf } from '../../fixtures/service.js'
import { snapshotOf } from '../../fixtures/snapshots.js'
import { addressOf } from '../../fixtures/stored-workspace.js'
import { suggestHere } from '../../fixtures/suggesting.js'
import { writeWorkspace } from '../../fixtures/workspaces.js'

const KEY = 'sk-test'
const LIST = '/v1/w/transactions?limit=2'
const SEARCH = '/v1/w/transactions/search?query=re-300'
const MATCH = '/v1/w/transactions/match?query=re-300'
const ACCESS: Access = {
  credentialId: 'key:1',
  workspaceUid: null,
  workspaceId: 'w',
  scopes: new Set(['transactions:read', 'accounts:read']),
  accountIds: null,
  tag: 'test',
  expiresAtMs: Number.POSITIVE_INFINITY,
  keyScope: {
    workspaceId: 'w',
    type: 'apiKey',
    scopes: ['transactions:read', 'accounts:read'],
    accounts: null,
    name: 'test',
    createdAt: '2026-01-01T00:00:00.000Z',
  },
  key: null,
}

const WAITER = { workspaceId: 'w', credentialId: ACCESS.credentialId }

/** A gate that others wait for until it opens. */
class Gate {
  open: () => void = () => undefined
  readonly isOpen = new Promise<void>((resolve) => {
    this.open = resolve
  })
}

/** Snapshot tasks that load as for a large workspace: indexes come later. */
class LateIndexes extends InlineTasks {
  constructor(private readonly gate: Gate) {
    super()
  }

  override async load(task: Parameters<InlineTasks['load']>[0]): ReturnType<InlineTasks['load']> {
    const loaded = await super.load(task)
    const segments = loaded.snapshot.segments.map(withoutIndexes)
    return { ...loaded, snapshot: { ...loaded.snapshot, segments } }
  }

  override async index(segment: Segment): ReturnType<InlineTasks['index']> {
    await this.gate.isOpen
    return super.index(segment)
  }
}

function withoutIndexes(live: LiveSegment): LiveSegment {
  return { ...live, ...NO_INDEXES }
}

interface Service extends Listening {
  readonly client: Client
  ask(target: string, headers?: Readonly<Record<string, string>>): Promise<Reply>
}

async function listening(
  t: Test,
  rig: Rig,
  snapshots: ServerParts['snapshots'],
  matchBudgetMs = 60_000,
): Promise<Service> {
  const document = Buffer.from(JSON.stringify(openApiDocument('http://kontor.test')))
  const fixture = openOperationService<ServerParts>({
    credentials: {
      forRest: (token) => (token === KEY ? ACCESS : undefined),
      noteUse: () => undefined,
      noteWorkspaceFile: () => undefined,
    },
    snapshots,
    openApi: async () => document,
    find: async (_, task) => findRows(task),
    makePart: async (task) => visiblePart(task),
    batchShares: openShares(),
    suggest: suggestHere(),
    match: {
      rank: rankHere({ ticks: () => 0 }),
      budgetMs: matchBudgetMs,
      ticks: () => 0,
      shares: openShares(),
    },
    changeWaits: new ChangeWaits(() => 0),
    tags: nodeTags(() => 'start'),
  })
  const answer = createAnswer(fixture)
  const served = await rig.listen(t, answer)
  const client = new Client(served.port)
  t.teardown(() => client.close())
  return {
    ...served,
    client,
    ask: (target, headers = {}) => client.ask(target, { key: KEY, headers }),
  }
}

/** A workspace whose indexes are built when the gate opens. */
async function indexingLater(
  t: Test,
  rig: Rig,
  matchBudgetMs?: number,
): Promise<{ gate: Gate; waiting: WaitingRequests; service: Service }> {
  const path = join(t.testdir(), 'w.db')
  await writeWorkspace(path, SAMPLE)
  const gate = new Gate()
  const current = new WorkspaceCache({
    find: async () => addressOf(path),
    openWatch,
    tasks: new LateIndexes(gate),
    onEvent: () => undefined,
    onPublished: () => undefined,
    onReleased: () => undefined,
    clock: () => 0,
    memoryBudgetBytes: Number.MAX_SAFE_INTEGER,
  })
  t.teardown(() => current.close())
  const waiting = new WaitingRequests({ countMax: 2, msMax: 60_000 })
  const snapshots: ServerParts['snapshots'] = {
    find: (id) => current.find(id),
    load: (waiter) => waiting.wait(waiter, 'loaded', () => current.load(waiter.workspaceId)),
    loadIndexed: (waiter) =>
      waiting.wait(waiter, 'indexed', () => current.loadIndexed(waiter.workspaceId)),
  }
  const service = await listening(t, rig, snapshots, matchBudgetMs)
  return { gate, waiting, service }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

for (const rig of rigs) {
  test(`${rig.name}: only a search with terms waits for the text index`, async (t) => {
    const { gate, waiting, service } = await indexingLater(t, rig)
    t.equal((await service.ask(LIST)).fields['x-total-count'], '302')
    const search = service.ask(SEARCH)
    await until(() => waiting.countOf(WAITER) === 1)
    const atOnce = {
      [LIST]: '200',
      '/v1/w/transactions/300': '200',
      '/v1/w/categories': '200',
      '/v1/w/transactions/search': '200',
      '/v1/w/transactions/search?query=': '200',
      '/v1/w/transactions/search?query=+&sortBy=amount': '200',
      '/v1/w/transactions/search?query=re&limit=251': '400 invalid_parameter',
      '/v1/w/transactions/search?query=%00': '400 invalid_parameter',
      '/v1/w/accounts/9/transactions/search': '400 not_found',
    }
    for (const [target, outcome] of Object.entries(atOnce)) {
      t.equal(outcomeOf(await service.ask(target)), outcome, target)
    }
    t.equal(outcomeOf(await service.client.ask(SEARCH)), '401 unauthorized')
    t.equal(waiting.countOf(WAITER), 1, 'the search still waits')
    gate.open()
    const found = await search
    t.match(bodyOf(found), [{ id: 300, purpose: 'RE-300' }])
    t.equal(found.fields['x-total-count'], '1')
    t.equal(waiting.countOf(WAITER), 0)
    const again = await service.ask(SEARCH)
    t.equal(again.text, found.text)
    t.equal(again.fields['etag'], found.fields['etag'])
    t.same(service.faults, [])
  })

  test(`${rig.name}: a match waits for its index as well`, async (t) => {
    const { gate, waiting, service } = await indexingLater(t, rig)
    await service.ask(LIST)
    const match = service.ask(MATCH)
    await until(() => waiting.countOf(WAITER) === 1)
    const short = '/v1/w/transactions/match?query=r'
    t.equal(outcomeOf(await service.ask(short)), '400 invalid_parameter', 'an invalid one does not')
    t.equal(waiting.countOf(WAITER), 1)
    gate.open()
    const found = await match
    t.match(bodyOf(found), [{ id: 300 }])
    const again = await service.ask(MATCH)
    t.equal(again.text, found.text)
    t.equal(again.fields['etag'], found.fields['etag'])
    t.same(service.faults, [])
  })

  test(`${rig.name}: but no longer than its budget`, async (t) => {
    const { gate, waiting, service } = await indexingLater(t, rig, 1)
    await service.ask(LIST)
    t.equal(outcomeOf(await service.ask(MATCH)), '503 budget_exceeded')
    const search = service.ask(SEARCH)
    gate.open()
    t.equal(outcomeOf(await search), '200', 'a search has no budget')
    await until(() => waiting.countOf(WAITER) === 0)
    t.equal(outcomeOf(await service.ask(MATCH)), '200')
    t.same(service.faults, [])
  })

  test(`${rig.name}: past the bound a search is 503 at once, and lists continue`, async (t) => {
    const { gate, waiting, service } = await indexingLater(t, rig)
    await service.ask(LIST)
    const held = [service.ask(SEARCH), service.ask(SEARCH)]
    await until(() => waiting.countOf(WAITER) === 2)
    const third = await service.ask(SEARCH)
    t.equal(outcomeOf(third), '503 workspace_unavailable')
    t.match(
      third.text,
      /2 requests of this credential are already waiting for workspace w; try again in a moment/,
    )
    t.equal((await service.ask(LIST)).status, 200)
    gate.open()
    for (const reply of await Promise.all(held)) t.equal(reply.status, 200)
    t.equal((await service.ask(SEARCH)).status, 200)
  })

  test(`${rig.name}: a client that disconnects while its search waits is harmless`, async (t) => {
    const { gate, waiting, service } = await indexingLater(t, rig)
    await service.ask(LIST)
    const authorization = `Authorization: Bearer ${KEY}\r\n`
    for (const [i, method] of ['GET', 'HEAD'].entries()) {
      const leaving = await WireClient.connect(service.port)
      leaving.write(requestText(method, SEARCH, authorization))
      await until(() => waiting.countOf(WAITER) === i + 1)
      leaving.socket.destroy()
      await settled(service.port)
    }
    gate.open()
    await until(() => waiting.countOf(WAITER) === 0)
    t.equal(outcomeOf(await service.ask(SEARCH)), '200')
    t.same(service.faults, [])
  })

  test(`${rig.name}: the whole answer is of the snapshot that was awaited`, async (t) => {
    const bare = snapshotOf(SAMPLE)
    const transactions = [...SAMPLE.transactions, transactionRow(400, 1, { purpose: 're-300 b' })]
    const next = snapshotOf({ ...SAMPLE, transactions })
    const segments = next.segments.map((live) => ({
      ...live,
      ...indexesOfSegment(live.segment),
    }))
    const indexed: Snapshot = { ...next, segments, generation: bare.generation + 1 }
    let found: Snapshot = bare
    const service = await listening(t, rig, {
      find: () => found,
      load: async () => found,
      loadIndexed: async () => {
        found = indexed
        return found
      },
    })
    const reply = await service.ask(SEARCH)
    t.match(bodyOf(reply), [{ id: 400 }, { id: 300 }])
    t.equal(reply.fields['x-total-count'], '2')
    const etag = reply.fields['etag'] ?? ''
    t.equal((await service.ask(SEARCH)).fields['etag'], etag)
    found = { ...indexed, segments: indexed.segments.map(withoutIndexes) }
    const known = await service.ask(SEARCH, { 'If-None-Match': etag })
    t.equal(known.status, 304)
    t.notOk(found === indexed, 'a current tag needs no index')
    const any = await service.ask(SEARCH, { 'If-None-Match': '*' })
    t.equal(any.status, 304)
    t.ok(found === indexed, 'a search needs it')
  })

  test(`${rig.name}: a search over a missing workspace is refused`, async (t) => {
    const waiting = new WaitingRequests()
    const bare = snapshotOf(SAMPLE)
    const service = await listening(t, rig, {
      find: () => bare,
      load: async () => bare,
      loadIndexed: (waiter) =>
        waiting.wait(waiter, 'indexed', () => Promise.reject(new Error('it is gone'))),
    })
    const reply = await service.ask(SEARCH)
    t.equal(outcomeOf(reply), '503 workspace_unavailable')
    t.match(reply.text, /is unavailable; the log has the reason/)
    t.same(service.faults, [])
  })
}
