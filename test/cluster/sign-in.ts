import { strict as assert } from 'node:assert'
import { test } from 'tap'
import { SIGN_IN_NAME_FAILURES_FREE } from '../../src/browser/attempts.js'
import { Cluster } from '../fixtures/cluster.js'
import { PageVisitor } from '../fixtures/page-visitor.js'
import { migratedDatabase } from '../fixtures/postgres.js'

/** Guesses at each of three nodes. */
const GUESSES = 8

/** How many guesses one process would let through in that time: each delay doubles the last. */
function allowedWithin(seconds: number): number {
  return SIGN_IN_NAME_FAILURES_FREE + Math.floor(Math.log2(seconds + 1))
}

test('guesses at a password on several nodes wait as on one', async (t) => {
  const cluster = await Cluster.start(t, await migratedDatabase(t))
  const stdin = [Buffer.from('correct horse battery\n')]
  await cluster.command(['operators', 'create', 'ada'], { stdin })
  const guessers = await Promise.all(
    Array.from({ length: 3 * GUESSES }, async (_, i) => {
      const visitor = new PageVisitor()
      const { url } = cluster.nodes[i % 3] ?? assert.fail()
      return { visitor, page: await visitor.follow(await visitor.get(`${url}/dashboard`)) }
    }),
  )
  const begunMs = performance.now()
  const guesses = await Promise.all(
    guessers.map(({ visitor, page }) =>
      visitor.submit(page, { name: 'ada', password: 'a guess', action: 'sign-in' }),
    ),
  )
  const seconds = (performance.now() - begunMs) / 1000
  const tried = guesses.filter(({ status }) => status !== 429)
  t.comment(`${tried.length} of ${guesses.length} were tried in ${seconds.toFixed(1)} s`)
  t.ok(tried.length >= SIGN_IN_NAME_FAILURES_FREE)
  t.ok(tried.length <= allowedWithin(seconds))
  t.same([...new Set(guesses.map(({ status }) => status))].sort(), [tried[0]?.status, 429])
  t.not(tried[0]?.status, 303, 'and none was right')
})
