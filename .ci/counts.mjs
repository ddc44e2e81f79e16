// Closes a log: the slowest test files, every failure with its place and what tap says of it, and
// last `N passed, N failed`, from the counts tap itself wrote at the end of its output.
// Usage: node .ci/counts.mjs OUTPUT.tap EXIT_CODE_OF_TAP
import { readFileSync } from 'node:fs'

// A log is read from its end: this much of a run gone wrong still fits there.
const FAILURES_MAX = 20
const DIAGNOSTIC_LINES_MAX = 60
const LINE_CHARACTERS_MAX = 300
const SLOWEST_MAX = 10

/** A point of a tap output, `not ok`, with the subtests it stands in and its diagnostics. */
const FAILURE = /^( *)not ok \d+(?: - (.*?))?(?: # time=[\d.]+ms)?(?: \{)?$/
const SUBTEST = /^( *)# Subtest(?:: (.*))?$/
const FILE_TIME = /^(?:not )?ok \d+ - (\S+) # time=([\d.]+)ms/

const [file = '', status = '1'] = process.argv.slice(2)
const text = readFileSync(file, 'utf8')
const lines = text.split('\n')

/** The lines between `---` and `...` that follow the point at `at`, without their indent. */
function diagnosticsAfter(at, indent) {
  const margin = ' '.repeat(indent + 2)
  if (lines[at + 1] !== `${margin}---`) return []
  const end = lines.indexOf(`${margin}...`, at + 2)
  return lines.slice(at + 2, end < 0 ? undefined : end).map((line) => line.slice(margin.length))
}

/**
 * Failures in the order of the output. A subtest, or file, that failed only because something in it
 * did is left out.
 */
function failuresOf() {
  const failures = []
  // The subtests open at each depth, and how many failures were known when each began.
  let open = []
  for (let i = 0; i < lines.length; i++) {
    const subtest = SUBTEST.exec(lines[i])
    if (subtest) {
      const depth = subtest[1].length / 4
      open = [...open.slice(0, depth), { name: subtest[2] ?? '', before: failures.length }]
    }
    const failure = FAILURE.exec(lines[i])
    if (!failure || / # (TODO|SKIP)\b/i.test(lines[i])) continue
    const [, margin, name = ''] = failure
    const depth = margin.length / 4
    const diagnostics = diagnosticsAfter(i, margin.length)
    // What stands in diagnostics is no point, whatever it looks like.
    if (diagnostics.length > 0) i += diagnostics.length + 2
    const self = open[depth]
    if (self?.name === name && failures.length > self.before) continue
    failures.push({ path: [...open.slice(0, depth).map((outer) => outer.name), name], diagnostics })
  }
  return failures
}

function slowestOf() {
  const times = lines.flatMap((line) => {
    const [, name, ms] = FILE_TIME.exec(line) ?? []
    return name === undefined ? [] : [{ name, seconds: Number(ms) / 1000 }]
  })
  return times.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_MAX)
}

function print(line) {
  const isLong = line.length > LINE_CHARACTERS_MAX
  console.log(isLong ? `${line.slice(0, LINE_CHARACTERS_MAX)}…` : line)
}

function printFailure({ path, diagnostics }) {
  print(`\nnot ok: ${path.join(' > ')}`)
  for (const line of diagnostics.slice(0, DIAGNOSTIC_LINES_MAX)) print(`  ${line}`)
  const left = diagnostics.length - DIAGNOSTIC_LINES_MAX
  if (left > 0) print(`  … and ${left} lines more`)
}

function printSummary() {
  const slowest = slowestOf()
  if (slowest.length > 0) print('\nslowest files, s')
  for (const { name, seconds } of slowest) print(`${seconds.toFixed(1).padStart(7)}  ${name}`)
  const failures = failuresOf()
  const shown = failures.slice(0, FAILURES_MAX)
  for (const failure of shown) printFailure(failure)
  const left = failures.length - shown.length
  if (left > 0) print(`\n… and ${left} failures more`)
  // Once more by name alone, should the log be cut in the middle of the above.
  if (shown.length > 1) print('')
  if (shown.length > 1) for (const { path } of shown) print(`not ok: ${path.join(' > ')}`)
  if (failures.length === 0 && status !== '0')
    print(`\nnothing failed, but tap ended with ${status}`)
  print('')
}

printSummary()
const counts = [...text.matchAll(/^# \{ total: (\d+), pass: (\d+)(?:, fail: (\d+))?/gm)].at(-1)
const passed = Number(counts?.[2] ?? 0)
const failed =
  Number(counts?.[3] ?? 0) + (counts === undefined || (status !== '0' && !counts[3]) ? 1 : 0)
console.log(`${passed} passed, ${failed} failed`)
// Not `process.exit`, which forgets what a pipe has not taken yet.
process.exitCode = failed === 0 && status === '0' && passed > 0 ? 0 : 1
