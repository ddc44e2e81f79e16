import { test } from 'tap'
import { accessLogOf } from '../../src/cli/access-log.js'
import type { LogFields } from '../../src/cli/log-text.js'
import { ApiError } from '../../src/errors.js'
import type { Exchange, Handler } from '../../src/http/engine/exchange.js'
import { TARGET_BYTES_MAX } from '../../src/limits.js'
import { ask, replyText, requestText, rigs, WireClient } from '../fixtures/http-rig.js'

const ANSWERS: Readonly<Record<string, Handler>> = {
  at_once: (exchange) => {
    exchange.operation = 'getAccounts'
    exchange.credential = { credentialId: 'key:1', workspaceId: 'w' }
    replyText(exchange, 'yes')
  },
  later: async (exchange) => {
    await null
    exchange.credential = { credentialId: 'operator:2' }
    replyText(exchange, 'später')
  },
  no_body: (exchange) => exchange.reply(304, [], new Uint8Array(0)),
  denied: async () => {
    throw new ApiError('not_found', 'no')
  },
  fault: () => {
    throw new Error('broken')
  },
  fault_later: async () => {
    await null
    throw new Error('broken')
  },
}

const COMMON = { method: 'GET', operation: 'none', address: '127.0.0.1', requestId: 'r' }

const NO_CREDENTIAL = { credentialId: undefined, workspaceId: undefined, aborted: undefined }

for (const rig of rigs) {
  test(`${rig.name}: each request is logged in one line with its known facts`, async (t) => {
    const lines: LogFields[] = []
    const engine = await rig.open({
      answer: (exchange) => ANSWERS[exchange.path.slice(1)]?.(exchange),
      onAnswered: accessLogOf((level, component, message, fields = {}) => {
        t.same([level, component, message], ['info', 'access', 'request'])
        lines.push(fields)
      }),
    })
    t.teardown(() => engine.stop(0))
    const sizes: number[] = []
    const send = async (method: string, target: string): Promise<void> => {
      const request = requestText(method, target, 'X-Request-Id: r\r\n')
      const { body } = await ask(engine.port, request, method)
      sizes.push(body.length)
    }
    for (const name of Object.keys(ANSWERS)) await send('GET', `/${name}?query=secret`)
    await send('HEAD', '/at_once')
    await send('GET', `/at_once?${'x'.repeat(TARGET_BYTES_MAX)}`)
    t.match(lines, [
      { ...COMMON, operation: 'getAccounts', status: 200, credentialId: 'key:1', workspaceId: 'w' },
      { ...COMMON, status: 200, credentialId: 'operator:2', workspaceId: undefined },
      { ...COMMON, ...NO_CREDENTIAL, status: 304 },
      { ...COMMON, ...NO_CREDENTIAL, status: 400 },
      { ...COMMON, ...NO_CREDENTIAL, status: 500 },
      { ...COMMON, ...NO_CREDENTIAL, status: 500 },
      { ...COMMON, method: 'HEAD', operation: 'getAccounts', status: 200 },
      { ...COMMON, ...NO_CREDENTIAL, status: 414 },
    ])
    t.same(
      lines.map(({ bytes }) => bytes),
      sizes,
    )
    t.equal(sizes[1], 7, 'bytes, not characters')
    t.ok(lines.every(({ durationMs }) => typeof durationMs === 'number' && durationMs >= 0))
    t.notMatch(JSON.stringify(lines), 'secret')
  })

  test(`${rig.name}: a client that disconnects first is logged as 499, with address`, async (t) => {
    const lines: LogFields[] = []
    let arrived: (exchange: Exchange) => void = () => undefined
    const arrival = new Promise<Exchange>((resolve) => {
      arrived = resolve
    })
    let written: () => void = () => undefined
    const writing = new Promise<void>((resolve) => {
      written = resolve
    })
    const engine = await rig.open({
      answer: async (exchange) => {
        arrived(exchange)
        await new Promise((resolve) => exchange.signal.addEventListener('abort', resolve))
        throw exchange.signal.reason
      },
      onAnswered: accessLogOf((_level, _component, _message, fields = {}) => {
        lines.push(fields)
        written()
      }),
    })
    t.teardown(() => engine.stop(0))
    const client = await WireClient.connect(engine.port)
    client.write(requestText('GET', '/'))
    await arrival
    client.socket.destroy()
    await writing
    t.match(lines, [{ status: 499, aborted: true, bytes: 0, address: '127.0.0.1' }])
  })
}

test('the log names known methods only', async (t) => {
  const methods: unknown[] = []
  const answered = accessLogOf((_level, _component, _message, fields) => {
    methods.push(fields?.['method'])
  })
  for (const method of ['GET', 'PROPFIND', 'sk-secret']) {
    answered({ method, status: 405, bodyBytes: 1 } as Exchange, 1, '')
  }
  t.same(methods, ['GET', 'other', 'other'])
})
