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

test('the version names that of the package, of Node.js, and the engine', async (t) => {
  const engine = hasUws ? 'uws' : 'node (uws has no native binary for this platform)'
  t.same(await runHere(['--version']), {
    code: 0,
    stdout: `kontor ${version}, Node.js ${node}, engine ${engine}\n`,
    stderr: '',
  })
})

test('the version as JSON has the reason of the engine as well', async (t) => {
  const { code, stdout, stderr } = await runHere(['--version', '--json'])
  t.same([code, stderr], [0, ''])
  t.same(JSON.parse(stdout), {
    version,
    node,
    engine: hasUws ? 'uws' : 'node',
    engineReason: hasUws ? '127.0.0.1 is loopback' : 'uws has no native binary for this platform',
  })
})

test('another word after --version is wrong usage', async (t) => {
  t.same(await runHere(['--version', '--jsn']), {
    code: 2,
    stdout: '',
    stderr: 'kontor: kontor --version takes --json and nothing else, not --jsn\n',
  })
})
