import { test } from 'tap'
import { unconfirmedText } from '../../src/admin/confirmation.js'

test('a warning has the unconfirmed nodes and their times', async (t) => {
  const node = (id: string, untilMs: number) => ({ id, untilMs, leftMs: 1 })
  t.equal(unconfirmedText({ kind: 'confirmed' }), undefined)
  t.equal(
    unconfirmedText({ kind: 'unconfirmed', nodes: [node('a', 0)] }),
    'the change is committed, but a node has not confirmed it and may use the old state: ' +
      'a until 1970-01-01T00:00:00.000Z',
  )
  t.match(
    unconfirmedText({ kind: 'unconfirmed', nodes: [node('a', 0), node('b', 1)] }),
    /some nodes have .* a until 1970-01-01T00:00:00.000Z, b until 1970-01-01T00:00:00.001Z$/,
  )
  t.equal(
    unconfirmedText({ kind: 'unknown', reason: 'no connection' }),
    'the change is committed, but the nodes could not be checked: no connection',
  )
})
