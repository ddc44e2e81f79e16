// What a build needs besides the compiler: the files that pages are made of stand beside the code
// that reads them, and what is written for WebAssembly is compiled.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import loadWabt from 'wabt'

for (const room of ['browser', 'dashboard', 'dashboard/reference']) {
  cpSync(`src/${room}/assets`, `dist/src/${room}/assets`, { recursive: true })
}
const features = { threads: true, bulk_memory: true }
const wabt = await loadWabt()
const wat = readFileSync('src/wire/gather.wat', 'utf8')
writeFileSync(
  'dist/src/wire/gather.wasm',
  wabt.parseWat('gather.wat', wat, features).toBinary({}).buffer,
)
