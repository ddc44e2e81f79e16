// What a build needs besides the compiler: the files that pages are made of stand beside the code
// that reads them, and what is written for WebAssembly is compiled. Swagger UI is copied rather than
// installed beside kontor: its package has a telemetry script that npm would run for every user.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import loadWabt from 'wabt'

for (const room of ['browser', 'dashboard', 'dashboard/reference']) {
  cpSync(`src/${room}/assets`, `dist/src/${room}/assets`, { recursive: true })
}
const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const reference = 'dist/src/dashboard/reference/assets'
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
  // Source maps are not served, and a browser's tools would ask for them.
  const text = readFileSync(join(swaggerUi, name), 'utf8')
  const withoutMap = text.replace(/\n?\/[/*][#@] sourceMappingURL=[^\n]*\s*$/, '\n')
  writeFileSync(join(reference, name), withoutMap)
}
for (const name of ['LICENSE', 'NOTICE']) {
  cpSync(join(swaggerUi, name), join(reference, `swagger-ui.${name}`))
}
const features = { threads: true, bulk_memory: true }
const wabt = await loadWabt()
const wat = readFileSync('src/wire/gather.wat', 'utf8')
writeFileSync(
  'dist/src/wire/gather.wasm',
  wabt.parseWat('gather.wat', wat, features).toBinary({}).buffer,
)
