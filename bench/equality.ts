import { strict as assert } from 'node:assert'
import { Client, type Target } from './client.js'

/**
 * Sends the same requests to kontor and the twin and asserts that status, X-Total-Count and the
 * parsed bodies are equal.
 * @returns the number of compared answers
 */
export async function checkEquality(
  kontorPort: number,
  twinPort: number,
  targets: readonly Target[],
): Promise<number> {
  const [kontor, twin] = [new Client(kontorPort), new Client(twinPort)]
  for (const target of targets) {
    const [ours, theirs] = await Promise.all([kontor.ask(target), twin.ask(target)])
    assert.equal(ours.status, 200, `${target.path}: ${ours.body.toString('utf8', 0, 500)}`)
    assert.equal(
      theirs.status,
      200,
      `twin, ${target.path}: ${theirs.body.toString('utf8', 0, 500)}`,
    )
    assert.equal(ours.fields['x-total-count'], theirs.fields['x-total-count'], target.path)
    assert.deepEqual(parsed(ours.body), parsed(theirs.body), `${target.path} is answered alike`)
  }
  kontor.close()
  twin.close()
  return targets.length
}

function parsed(body: Buffer): unknown {
  return JSON.parse(body.toString('utf8'))
}
