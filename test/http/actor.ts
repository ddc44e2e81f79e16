import { test } from 'tap'
import { actorOf } from '../../src/http/actor.js'

test('a request is anonymous until its sender is identified', async (t) => {
  const exchange = { remoteAddress: '192.0.2.7', requestId: 'r-1' }
  t.same(actorOf(exchange), { who: 'anonymous', address: '192.0.2.7', requestId: 'r-1' })
  t.equal(actorOf(exchange, 'client:a').who, 'client:a')
  t.equal(
    actorOf({ ...exchange, remoteAddress: '' }).address,
    null,
    'disconnected before it was read',
  )
})
