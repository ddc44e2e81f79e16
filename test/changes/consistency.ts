// One process writes transfers between two accounts, each in its own transaction; eight readers
// check that every response is a state that existed.
import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { type Test, test } from 'tap'
import { spawnNode } from '../fixtures/child-process.js'
import type { Reply } from '../fixtures/contract-check.js'
import { accountRow } from '../fixtures/sample-workspace.js'
import { bodyOf, Client, overEngines } from '../fixtures/service.js'

const WRITER = new URL('../fixtures/transfer-writer.js', import.meta.url).pathname
const READER_COUNT = 8
/** Number of states of one list to see, however long that takes. */
const STATE_COUNT = 12
/** Number of answers to see during as many SQLite transactions. */
const REPLY_COUNT = 101
const COMMIT_COUNT = 51

interface Item {
  readonly accountId: number
  readonly account: { readonly name?: string }
  readonly amount: number
  readonly purpose: string
}

/** Answers that the readers have seen. */
interface Seen {
  /** Body per target and entity-tag. */
  readonly bodies: Map<string, string>
  /** Entity-tags of the first list. */
  readonly states: Set<string>
  replyCount: number
}

/** Whole lists of both accounts, each in another order; the first one identifies the state. */
const LISTS = [
  '/transactions?limit=250',
  '/transactions?limit=250&sortBy=amount&order=asc',
  '/transactions?limit=250&sortBy=_id&order=asc',
]

function checkList(reply: Reply): void {
  const items = bodyOf(reply) as Item[]
  assert.equal(items.length, Number(reply.fields['x-total-count']), 'all rows fit in one page')
  const pairs = new Map<string, Item[]>()
  for (const item of items) pairs.set(item.purpose, [...(pairs.get(item.purpose) ?? []), item])
  for (const [purpose, pair] of pairs) {
    const [one, two] = pair
    assert.equal(pair.length, 2, `${purpose} has both rows`)
    assert.deepEqual(pair.map(({ accountId }) => accountId).sort(), [1, 2], purpose)
    assert.equal(one?.amount, -(two?.amount ?? Number.NaN), purpose)
  }
  const names = new Set(items.map(({ account }) => account.name))
  assert.ok(names.size <= 1, `both accounts have the same name: ${[...names]}`)
}

/**
 * Every transfer has one row in each account, so a purpose occurs once in a list of one account.
 */
function checkAccountList(reply: Reply, accountId: number): void {
  const items = bodyOf(reply) as Item[]
  assert.equal(items.length, Number(reply.fields['x-total-count']))
  assert.equal(new Set(items.map(({ purpose }) => purpose)).size, items.length)
  for (const item of items) assert.equal(item.accountId, accountId)
}

/** The last page begins where X-Total-Count says, and holds the remaining rows. */
function checkPage(reply: Reply, limit: number): void {
  const total = Number(reply.fields['x-total-count'])
  assert.equal(total % 2, 0, 'transfers have two rows')
  assert.equal((bodyOf(reply) as Item[]).length, Math.min(limit, total))
  const last = /offset=(\d+)[^>]*>; rel="last"/.exec(reply.fields['link'] ?? '')
  if (total > limit) assert.equal(Number(last?.[1]), Math.floor((total - 1) / limit) * limit)
}

function note(seen: Seen, target: string, reply: Reply): void {
  assert.equal(reply.status, 200, reply.text)
  const key = `${target} ${reply.fields['etag']}`
  const known = seen.bodies.get(key)
  assert.ok(known === undefined || known === reply.text, `${key} has one body`)
  seen.bodies.set(key, reply.text)
  if (target === LISTS[0]) seen.states.add(String(reply.fields['etag']))
  seen.replyCount += 1
}

/** @param isEnough whether the answers seen are enough */
async function readOnAndOn(
  port: number,
  key: string,
  seen: Seen,
  isEnough: () => boolean,
): Promise<void> {
  const client = new Client(port)
  const ask = async (target: string): Promise<Reply> => {
    const reply = await client.ask(`/v1/w${target}`, { key })
    note(seen, target, reply)
    return reply
  }
  try {
    while (!isEnough()) {
      for (const list of LISTS) checkList(await ask(list))
      for (const id of [1, 2]) {
        checkAccountList(await ask(`/accounts/${id}/transactions?limit=250`), id)
      }
      checkPage(await ask('/transactions?limit=7'), 7)
    }
  } finally {
    client.close()
  }
}

/** A process that writes until it is stopped. */
interface Writing {
  /** Number of SQLite transactions it has reported. */
  readonly commitCount: number
  stop(): Promise<void>
}

function writing(t: Test, path: string): Writing {
  const child = spawnNode([WRITER, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  let lineCount = 0
  child.stdout?.on('data', (piece: Buffer) => {
    lineCount += piece.toString().split('\n').length - 1
  })
  return {
    get commitCount() {
      return lineCount
    },
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'close')
    },
  }
}

test(
  'every response is a state that existed, whatever is written concurrently',
  overEngines(async (t, service) => {
    await service.write('w', {
      accounts: [accountRow(1, { name: 'state 0' }), accountRow(2, { name: 'state 0' })],
      categories: [],
      transactions: [],
    })
    const { key } = await service.newKey('w')
    const writer = writing(t, service.pathOf('w'))
    const seen: Seen = { bodies: new Map(), states: new Set(), replyCount: 0 }
    const { port } = service.client
    const isEnough = (): boolean =>
      seen.states.size >= STATE_COUNT &&
      seen.replyCount >= REPLY_COUNT &&
      writer.commitCount >= COMMIT_COUNT
    const readers = Array.from({ length: READER_COUNT }, () =>
      readOnAndOn(port, key, seen, isEnough),
    )
    await Promise.all(readers)
    await writer.stop()
    const { states, replyCount } = seen
    t.pass(`${states.size} states in ${replyCount} answers, ${writer.commitCount} commits`)
    t.notOk(service.log.some((line) => /reloaded|removed from memory|fault/.test(line)))
  }),
)
