import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import type { Handler } from '../../src/http/engine/exchange.js'
import { withMetrics } from '../../src/http/with-metrics.js'
import { ask, replyText, requestText, rigs } from '../fixtures/http-rig.js'

const broken = new Error('broken')

const ANSWERS: Readonly<Record<string, Handler>> = {
  at_once: (exchange) => replyText(exchange, 'yes'),
  later: async (exchange) => {
    await null
    replyText(exchange, 'yes')
  },
  not_found: (exchange) => exchange.reply(404, [], new Uint8Array(0)),
  fault: () => {
    throw broken
  },
  fault_later: async () => {
    await null
    throw new ApiError('internal', 'broken')
  },
}

for (const rig of rigs) {
  test(`each reply is counted once, with its status and time: ${rig.name}`, async (t) => {
    const taken: [number, number, string, number][] = []
    let now = 0
    const answer = withMetrics(
      (exchange) => {
        now += 2
        exchange.operation = exchange.path.slice(1)
        return ANSWERS[exchange.path.slice(1)]?.(exchange)
      },
      {
        begin: () => now,
        end: (status, begun, { operation, bodyBytes }) =>
          taken.push([status, now - begun, operation, bodyBytes]),
      },
    )
    const { port, faults } = await rig.listen(t, answer)
    const statuses: number[] = []
    for (const name of Object.keys(ANSWERS)) {
      statuses.push((await ask(port, requestText('GET', `/${name}`))).status)
    }
    t.same(statuses, [200, 200, 404, 500, 500])
    t.same(
      taken.map(([status]) => status),
      statuses,
    )
    t.same(
      taken.map(([, tookMs]) => tookMs),
      [2, 2, 2, 2, 2],
    )
    t.same(
      taken.map(([, , operation, bodyBytes]) => `${operation} ${bodyBytes}`),
      ['at_once 3', 'later 3', 'not_found 0', 'fault 0', 'fault_later 0'],
    )
    t.equal(faults.length, 2, 'an internal error is still reported')
  })
}
