// What a build needs besides the compiler: the files that pages are made of stand beside the code
// that reads them, and what is written for WebAssembly is compiled.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import loadWabt from 'wabt'

for (const room of ['browser', 'dashboard', 'dashboard/reference']) {
  cpSync(`src/${room}/assets`, `dist/src/${room}/assets`, { recursive: true })
}
// Copied, not a dependency: its package brings 12 MB, and one that reports each installation.
const require = createRequire(import.meta.url)
const swaggerUi = dirname(require.resolve('swagger-ui-dist/package.json'))
const licences = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', ...licences]) {
  cpSync(join(swaggerUi, name), `dist/src/dashboard/reference/assets/swagger-ui/${name}`)
}
const features = { threads: true, bulk_memory: true }
const wabt = await loadWabt()
const wat = readFileSync('src/wire/gather.wat', 'utf8')
writeFileSync(
  'dist/src/wire/gather.wasm',
  wabt.parseWat('gather.wat', wat, features).toBinary({}).buffer,
)
