import { test } from 'tap'
import { ApiError } from '../../../src/errors.js'
import type { Handler } from '../../../src/http/engine/exchange.js'
import { commonFields, jsonFields, NO_STORE } from '../../../src/http/engine/response-fields.js'
import { ask, replyText, requestText, rigs } from '../../fixtures/http-rig.js'

const broken = new Error('broken')

const ANSWERS: Readonly<Record<string, { readonly answer: Handler; readonly status: number }>> = {
  at_once: { answer: (exchange) => replyText(exchange, exchange.path), status: 200 },
  later: {
    answer: async (exchange) => {
      await null
      replyText(exchange, `${exchange.path}?${exchange.query}${exchange.field('host')}`)
    },
    status: 200,
  },
  parked: {
    answer: (exchange) => {
      setImmediate(() => replyText(exchange, exchange.requestId))
    },
    status: 200,
  },
  refused: {
    answer: () => {
      throw new ApiError('not_found', 'Nothing here.')
    },
    status: 400,
  },
  refused_later: {
    answer: async () => {
      throw new ApiError('not_found', 'Nothing here.')
    },
    status: 400,
  },
  fault: {
    answer: () => {
      throw broken
    },
    status: 500,
  },
  fault_later: { answer: () => Promise.reject(broken), status: 500 },
}

for (const rig of rigs) {
  test(`${rig.name}: each reply carries the added fields, once and in order`, async (t) => {
    for (const [name, { answer, status }] of Object.entries(ANSWERS)) {
      const listening = await rig.listen(t, (exchange) => {
        exchange.addFields([['X-More', 'a']])
        exchange.addFields([
          ['Vary', 'Origin'],
          ['X-Less', 'b'],
        ])
        return answer(exchange)
      })
      const reply = await ask(listening.port, requestText('GET', '/p?q', 'X-Request-Id: r\r\n'))
      t.equal(reply.status, status, name)
      const added = ['vary', 'x-less', 'x-more']
      t.same(
        reply.names.filter((sent) => added.includes(sent)),
        added,
        `${name}: the last first`,
      )
      const faults = listening.faults.map(({ error }) => error)
      t.same(faults, status === 500 ? [broken] : [], `${name}: internal errors are reported once`)
    }
  })
}

test('every response has an id, a rule for caches and no guessed type', async (t) => {
  const common = [
    ['X-Request-Id', 'r'],
    ['Cache-Control', 'private, no-cache'],
    ['X-Content-Type-Options', 'nosniff'],
  ]
  t.same(commonFields('r'), common)
  t.same(jsonFields('r'), [['Content-Type', 'application/json'], ...common])
  t.same(jsonFields('r', NO_STORE)[2], ['Cache-Control', 'no-store'])
})
