// Prints `N passed, N failed` from the counts tap itself wrote at the end of its output.
// Usage: node .ci/counts.mjs OUTPUT.tap EXIT_CODE_OF_TAP
import { readFileSync } from 'node:fs'

const [file = '', status = '1'] = process.argv.slice(2)
const text = readFileSync(file, 'utf8')
const counts = [...text.matchAll(/^# \{ total: (\d+), pass: (\d+)(?:, fail: (\d+))?/gm)].at(-1)
const passed = Number(counts?.[2] ?? 0)
const failed =
  Number(counts?.[3] ?? 0) + (counts === undefined || (status !== '0' && !counts[3]) ? 1 : 0)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && status === '0' && passed > 0 ? 0 : 1)
