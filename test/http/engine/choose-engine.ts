import { test } from 'tap'
import { CommandError } from '../../../src/errors.js'
import {
  chooseEngine,
  type EngineOptions,
  isLoopback,
} from '../../../src/http/engine/choose-engine.js'

const NO_BINARY =
  'uws has no native binary for this Node.js and platform (docs/operating/engines.md)'

const LOCAL: EngineOptions = {
  requested: 'auto',
  uwsLoads: true,
  tls: false,
  host: '127.0.0.1',
  behindProxy: false,
}

test('auto is uws on loopback or behind a proxy, when it loads, without TLS', async (t) => {
  const engineOf = (change: Partial<EngineOptions>): string =>
    chooseEngine({ ...LOCAL, ...change }).engine
  t.equal(engineOf({}), 'uws')
  t.equal(engineOf({ uwsLoads: false }), 'node')
  t.equal(engineOf({ tls: true }), 'node')
  t.equal(engineOf({ host: '0.0.0.0' }), 'node')
  t.equal(engineOf({ host: '0.0.0.0', behindProxy: true }), 'uws')
  t.equal(engineOf({ host: '0.0.0.0', behindProxy: true, tls: true }), 'node')
  t.equal(engineOf({ host: '0.0.0.0', behindProxy: true, uwsLoads: false }), 'node')
})

test('an explicit engine is used, or refused in one sentence', async (t) => {
  const asked = { engine: 'node', reason: 'set by --engine' }
  t.same(chooseEngine({ ...LOCAL, requested: 'node' }), asked)
  t.same(chooseEngine({ ...LOCAL, requested: 'node', tls: true }), asked)
  t.same(chooseEngine({ ...LOCAL, requested: 'uws', host: '0.0.0.0' }), {
    engine: 'uws',
    reason: 'set by --engine',
  })
  t.throws(() => chooseEngine({ ...LOCAL, requested: 'uws', tls: true }), {
    constructor: CommandError,
    kind: 'usage',
    message: 'engine uws does not support TLS: use --engine node, or omit --tls-cert',
  })
  t.throws(() => chooseEngine({ ...LOCAL, requested: 'uws', uwsLoads: false }), {
    constructor: CommandError,
    kind: 'failed',
    message: `engine ${NO_BINARY}: use --engine node`,
  })
})

test('the reason names the deciding condition', async (t) => {
  const reasonOf = (change: Partial<EngineOptions>): string =>
    chooseEngine({ ...LOCAL, ...change }).reason
  t.equal(reasonOf({ host: 'localhost' }), 'localhost is loopback')
  t.equal(reasonOf({ host: '10.0.0.1', behindProxy: true }), 'behind a proxy')
  t.equal(
    reasonOf({ host: '10.0.0.1' }),
    '10.0.0.1 is reachable from a network and --behind-proxy is not set',
  )
  t.equal(reasonOf({ tls: true }), 'kontor terminates TLS')
  t.equal(reasonOf({ uwsLoads: false }), NO_BINARY)
})

test('loopback is 127.0.0.0/8, ::1 and localhost, and no lookalike', async (t) => {
  for (const host of [
    '127.0.0.1',
    '127.1.2.3',
    '127.255.255.255',
    '::1',
    'localhost',
    'LocalHost',
  ]) {
    t.ok(isLoopback(host), host)
  }
  const others = ['0.0.0.0', '::', '128.0.0.1', '127.0.0.256', '127.0.0', '127.0.0.1.evil.test']
  for (const host of [...others, 'localhost.evil.test', '::2', '', '1127.0.0.1', '127.0.0.01']) {
    t.notOk(isLoopback(host), host)
  }
})
