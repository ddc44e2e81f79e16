// What is the uws engine's own; what it shares with the other is in engines.ts and contract/.
import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'tap'
import { CommandError } from '../../src/errors.js'
import { listenUws, loadUws } from '../../src/http/engine-uws.js'

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
  t.match(loadsWith({ UWS_USE_FALLBACK: 'true' }), /no engine\n$/)
  const expected = (await loadUws()) === undefined ? 'no engine\n' : 'an engine\n'
  t.equal(loadsWith({}), expected)
})

test('a package without a binary for this platform is not loaded and prints nothing', async (t) => {
  // As another version of Node.js sees it.
  const script = `Object.defineProperty(process.versions, 'modules', { value: '999' })
    const { loadUws } = await import('${engineUrl}')
    process.exitCode = await loadUws() === undefined ? 0 : 1`
  const words = ['--input-type=module', '-e', script]
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  t.same({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' })
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
