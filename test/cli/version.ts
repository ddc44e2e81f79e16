import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { loadUws } from '../../src/http/engine/engine-uws.js'
import { runHere } from '../fixtures/terminal.js'

const manifest: { version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
)
const { version } = manifest
const { node } = process.versions
const hasUws = (await loadUws()) !== undefined

test('the version output names package, Node.js and engine', async (t) => {
  const engine = hasUws ? 'uws' : 'node (uws has no native binary for this platform)'
  t.same(await runHere(['--version']), {
    code: 0,
    stdout: `kontor ${version}, Node.js ${node}, engine ${engine}\n`,
    stderr: '',
  })
})

test('the version as JSON also has the reason for the engine', async (t) => {
  const { code, stdout, stderr } = await runHere(['--version', '--json'])
  t.same([code, stderr], [0, ''])
  t.same(JSON.parse(stdout), {
    version,
    node,
    engine: hasUws ? 'uws' : 'node',
    engineReason: hasUws ? '127.0.0.1 is loopback' : 'uws has no native binary for this platform',
  })
})

test('an extra word after --version is a usage error', async (t) => {
  t.same(await runHere(['--version', '--jsn']), {
    code: 2,
    stdout: '',
    stderr: 'kontor: kontor --version accepts only --json, not --jsn\n',
  })
})
