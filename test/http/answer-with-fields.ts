import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import { answerWithFields } from '../../src/http/answer-with-fields.js'
import type { Handler } from '../../src/http/engine/exchange.js'
import { ask, replyText, requestText, rigs } from '../fixtures/http-rig.js'

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
  test(`${rig.name}: every reply carries the fields, once`, async (t) => {
    for (const [name, { answer, status }] of Object.entries(ANSWERS)) {
      const fields = [['X-More', 'a'] as const, ['Vary', 'Origin'] as const]
      const listening = await rig.listen(t, (exchange) =>
        answerWithFields(exchange, fields, answer),
      )
      const reply = await ask(listening.port, requestText('GET', '/p?q', 'X-Request-Id: r\r\n'))
      t.equal(reply.status, status, name)
      for (const field of ['x-more', 'vary']) {
        t.equal(reply.names.filter((sent) => sent === field).length, 1, `${name}: ${field}`)
      }
      const faults = listening.faults.map(({ error }) => error)
      t.same(faults, status === 500 ? [broken] : [], `${name}: internal errors are reported once`)
    }
  })

  test(`${rig.name}: a body can be read, and an abort is seen`, async (t) => {
    const { port } = await rig.listen(t, (exchange) =>
      answerWithFields(exchange, [], async (inner) => {
        const { signal } = inner
        const body = Buffer.from(await inner.body(10)).toString()
        replyText(inner, `${inner.method} ${body} ${inner.aborted} ${signal.aborted}`)
      }),
    )
    const text = `${requestText('POST', '/', 'Content-Length: 2\r\n')}ab`
    t.equal((await ask(port, text)).body.toString(), 'POST ab false false')
  })
}
