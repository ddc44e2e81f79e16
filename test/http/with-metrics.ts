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
  refused: () => {
    throw new ApiError('not_found', 'Nothing here.')
  },
  refused_later: async () => {
    await null
    throw new ApiError('body_too_large', 'Too long.')
  },
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
    const sent: string[] = []
    for (const name of Object.keys(ANSWERS)) {
      const { status, body } = await ask(port, requestText('GET', `/${name}`))
      statuses.push(status)
      sent.push(`${name} ${body.length}`)
    }
    t.same(statuses, [200, 200, 404, 400, 413, 500, 500])
    t.same(
      taken.map(([status]) => status),
      statuses,
    )
    t.same(
      taken.map(([, tookMs]) => tookMs),
      statuses.map(() => 2),
    )
    t.same(
      taken.map(([, , operation, bodyBytes]) => `${operation} ${bodyBytes}`),
      sent,
    )
    t.equal(faults.length, 2, 'an internal error is still reported')
  })
}
