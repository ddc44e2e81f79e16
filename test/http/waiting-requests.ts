import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import { WaitingRequests } from '../../src/http/waiting-requests.js'

const ADA = { workspaceId: 'w', credentialId: 'key:1' }
const BOB = { workspaceId: 'w', credentialId: 'key:2' }

const never = (): Promise<never> => new Promise(() => undefined)

test('an awaited result arrives, and its request no longer counts', async (t) => {
  const waiting = new WaitingRequests()
  let resolveLoad: (value: string) => void = () => undefined
  const loading = new Promise<string>((resolve) => {
    resolveLoad = resolve
  })
  const answers = Array.from({ length: 3 }, () => waiting.wait(ADA, 'loaded', () => loading))
  t.equal(waiting.countOf(ADA), 3)
  t.equal(waiting.countOf(BOB), 0)
  resolveLoad('a snapshot')
  t.same(await Promise.all(answers), ['a snapshot', 'a snapshot', 'a snapshot'])
  t.equal(waiting.countOf(ADA), 0)
})

test('past the bound of a credential: 503 at once, while others wait', async (t) => {
  const waiting = new WaitingRequests({ countMax: 2, msMax: 60_000 })
  let isAsked = false
  let fail: (error: Error) => void = () => undefined
  const failing = new Promise<never>((_, reject) => {
    fail = reject
  })
  const held = [1, 2].map(() => waiting.wait(ADA, 'loaded', () => failing))
  const third = waiting.wait(ADA, 'loaded', () => {
    isAsked = true
    return never()
  })
  await t.rejects(third, {
    code: 'workspace_unavailable',
    status: 503,
    message:
      '2 requests of this credential are already waiting for workspace w; try again in a moment.',
  })
  t.notOk(isAsked)
  t.equal(await waiting.wait(BOB, 'loaded', async () => 'another'), 'another')
  fail(new Error('end of the wait'))
  for (const one of held) await t.rejects(one, { code: 'workspace_unavailable' })
  t.equal(waiting.countOf(ADA), 0)
  t.equal(
    await waiting.wait(ADA, 'loaded', async () => 'there is room again'),
    'there is room again',
  )
})

test('waits are bounded in time', async (t) => {
  const waiting = new WaitingRequests({ countMax: 2, msMax: 1 })
  await t.rejects(waiting.wait(ADA, 'indexed', never), {
    code: 'workspace_unavailable',
    message: 'Workspace w is still being indexed; try again in a moment.',
  })
  t.equal(waiting.countOf(ADA), 0)
})

test('the log gets the cause, the caller an ApiError', async (t) => {
  const waiting = new WaitingRequests()
  const cause = new Error('/data/w.db is damaged')
  const refused = waiting.wait(ADA, 'loaded', () => Promise.reject(cause))
  await t.rejects(refused, {
    code: 'workspace_unavailable',
    message: 'Workspace w is unavailable; the log has the reason.',
    cause,
  })
  const own = new ApiError('not_found', 'it says so itself')
  await t.rejects(
    waiting.wait(ADA, 'loaded', () => Promise.reject(own)),
    own,
  )
  await t.rejects(
    waiting.wait(ADA, 'loaded', () => {
      throw cause
    }),
    { code: 'workspace_unavailable', cause },
  )
})
