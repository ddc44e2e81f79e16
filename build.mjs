// What a build needs besides the compiler: the files that pages are made of stand beside the code
// that reads them, and the program can be run as one.
import { chmodSync, cpSync } from 'node:fs'

for (const room of ['browser', 'dashboard', 'dashboard/reference']) {
  cpSync(`src/${room}/assets`, `dist/src/${room}/assets`, { recursive: true })
}
chmodSync('dist/src/main.js', 0o755)
