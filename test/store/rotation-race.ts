// Several processes refresh with one token at the same moment.
import { type ChildProcess, fork } from 'node:child_process'
import { test } from 'tap'
import { hashOfSecret } from '../../src/auth/secret.js'
import { findGrant } from '../../src/store/grant-rows.js'
import {
  NOW_MS,
  newControlFile,
  someClient,
  someIntegration,
  someTokens,
} from '../fixtures/control.js'

const PROCESSES = 4
const TRIES = 5

function messageOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`ended with ${code} and said nothing`)))
  })
}

test('of 20 refreshes with one token, one succeeds, and the family ends', async (t) => {
  const control = newControlFile(t)
  const { client } = await someClient(control, (await someIntegration(control)).id)
  const { grantId, refresh } = await someTokens(control, client)
  const racer = new URL('../fixtures/rotation-racer.js', import.meta.url)
  const words = [control.path, hashOfSecret(refresh).toString('hex'), String(TRIES)]
  const racers = Array.from({ length: PROCESSES }, () => fork(racer, words))
  await Promise.all(racers.map(messageOf))
  const answers = racers.map(messageOf)
  for (const child of racers) child.send('go')
  const outcomes = (await Promise.all(answers)).flat()
  const count = (outcome: string): number => outcomes.filter((shown) => shown === outcome).length
  t.equal(outcomes.length, PROCESSES * TRIES)
  t.equal(count('rotated'), 1)
  t.equal(count('reused'), 1, 'the second refresh ends the family')
  t.equal(count('unknown'), PROCESSES * TRIES - 2, 'and the others find it ended')
  t.equal(control.look(() => findGrant(grantId))?.revokedAt, NOW_MS + 1)
})
