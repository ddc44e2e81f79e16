import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'tap'
import { isNodeSupported, NODE_VERSIONS } from '../src/node-version.js'

interface Package {
  readonly engines: { readonly node: string }
}

test('kontor runs on these versions of Node.js', async (t) => {
  for (const version of ['20.19.0', '20.20.2', '22.13.0', '22.23.3', '23.0.0', '24.21.0', '26.0.0'])
    t.ok(isNodeSupported(version), version)
  for (const version of ['0.12.18', '18.20.8', '20.18.3', '21.7.3', '22.12.0'])
    t.notOk(isNodeSupported(version), version)
})

test('package.json, README and the refusal name the same versions', async (t) => {
  const require = createRequire(import.meta.url)
  const { engines } = require('../../package.json') as Package
  t.equal(engines.node, '^20.19.0 || >=22.13.0')
  t.equal(NODE_VERSIONS, '20.19 or a later 20, or 22.13 or newer')
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  t.match(readme.replaceAll('\n', ' '), `Node.js ${NODE_VERSIONS}`)
})
