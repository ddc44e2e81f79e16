// Behaviour of the uws engine alone; engines.ts and contract/ test the shared behaviour.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'tap'
import { CommandError } from '../../../src/errors.js'
import { listenUws, loadUws } from '../../../src/http/engine/engine-uws.js'
import { uwsBuild } from '../../fixtures/http-rig.js'

const engineUrl = new URL('../../../src/http/engine/engine-uws.js', import.meta.url).href

const BINARY = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`

test('loading prints nothing, and never yields a server in JavaScript', async (t) => {
  const script = `const { loadUws } = await import('${engineUrl}')
    console.log(await loadUws() === undefined ? 'no engine' : 'an engine')`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    // The dependency's package uses its own server when this is set.
    env: { ...process.env, UWS_USE_FALLBACK: 'true' },
    encoding: 'utf8',
  })
  t.equal(stdout, uwsBuild === undefined ? 'no engine\n' : 'an engine\n')
  t.equal(stderr, '')
})

test('a package without a loadable binary counts as not loadable', async (t) => {
  const folder = t.testdir({
    none: { 'uws.js': 'module.exports = { App() {} }', 'uws_linux_x64_1.node': '' },
    refused: { 'uws.js': '', [BINARY]: 'no ELF' },
    older: { src: { 'uws.js': '' }, binaries: { [BINARY]: 'no ELF' } },
  })
  for (const entry of ['none/uws.js', 'refused/uws.js', 'older/src/uws.js', 'missing/uws.js']) {
    t.equal(await loadUws(join(folder, entry)), undefined, entry)
  }
})

test('a package without a binary for this platform is not loaded and prints nothing', async (t) => {
  // As under another version of Node.js.
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
