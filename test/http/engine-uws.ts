// What is the uws engine's own; what it shares with the other is in engines.ts and contract/.
import { execFileSync } from 'node:child_process'
import { test } from 'tap'
import { CommandError } from '../../src/errors.js'
import { listenUws, loadUws } from '../../src/http/engine-uws.js'
import { uwsBuild } from '../fixtures/http-rig.js'

const engineUrl = new URL('../../src/http/engine-uws.js', import.meta.url).href

function loadsWith(environment: Readonly<Record<string, string>>): string {
  const script = `const { loadUws } = await import('${engineUrl}')
    console.log(await loadUws() === undefined ? 'no engine' : 'an engine')`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
}

test('the JavaScript server that the package falls back to counts as not loadable', async (t) => {
  const expected = uwsBuild === undefined ? 'no engine\n' : 'an engine\n'
  t.equal(loadsWith({}), expected)
  const forced = loadsWith({ UWS_USE_FALLBACK: 'true' })
  // Upstream's package has no such server, and does not know the variable.
  if (uwsBuild === 'newer') t.equal(forced, expected)
  else t.match(forced, /no engine\n$/)
})

test('TLS is refused before anything listens', async (t) => {
  const module = await loadUws()
  if (module === undefined) return t.pass('no native binary on this platform')
  const listening = listenUws(module, {
    host: '127.0.0.1',
    port: 0,
    tls: { cert: '', key: '' },
    answer: () => undefined,
    onFault: () => undefined,
  })
  await t.rejects(listening, { constructor: CommandError, kind: 'usage', message: /TLS/ })
})
