// Closes a log: the slowest test files, every failure with its place and what tap says of it, and
// last `N passed, N failed`, the sum of the counts tap itself wrote at the end of each output.
// Usage: node .ci/counts.mjs (OUTPUT.tap EXIT_CODE_OF_TAP)…
import { readFileSync } from 'node:fs'

// A log is read from its end: this much of a run gone wrong still fits there.
const FAILURES_MAX = 20
const DIAGNOSTIC_LINES_MAX = 60
const LINE_CHARACTERS_MAX = 300
const SLOWEST_MAX = 10

/** A point of a tap output, `not ok`, with the subtests it stands in and its diagnostics. */
const FAILURE = /^( *)not ok \d+(?: - (.*?))?(?: # time=[\d.]+ms)?(?: \{)?$/
const SUBTEST = /^( *)# Subtest(?:: (.*))?$/
/** The name of a test file, whatever process and subtest it ran in. */
const TEST_FILE = /^dist\/test\/(?!rooms\/)\S+\.js$/
const FILE_TIME = /^ *(?:not )?ok \d+ - (\S+) # time=([\d.]+)ms/

const words = process.argv.slice(2)
const outputs = words.flatMap((file, i) =>
  i % 2 === 0 ? [{ text: readFileSync(file, 'utf8'), status: words[i + 1] ?? '1' }] : [],
)

/** The lines between `---` and `...` that follow the point at `at`, without their indent. */
function diagnosticsAfter(lines, at, indent) {
  const margin = ' '.repeat(indent + 2)
  if (lines[at + 1] !== `${margin}---`) return []
  const end = lines.indexOf(`${margin}...`, at + 2)
  return lines.slice(at + 2, end < 0 ? undefined : end).map((line) => line.slice(margin.length))
}

/**
 * Failures in the order of the output, each with its path from the test file on. A subtest, or file,
 * that failed only because something in it did is left out.
 */
function failuresOf(lines) {
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
    const diagnostics = diagnosticsAfter(lines, i, margin.length)
    // Lines of diagnostics are not test points, even if they look like them.
    if (diagnostics.length > 0) i += diagnostics.length + 2
    const self = open[depth]
    if (self?.name === name && failures.length > self.before) continue
    const path = [...open.slice(0, depth).map((outer) => outer.name), name]
    const fileAt = path.findIndex((part) => TEST_FILE.test(part))
    failures.push({ path: path.slice(Math.max(fileAt, 0)), diagnostics })
  }
  return failures
}

function slowestOf(lines) {
  const times = lines.flatMap((line) => {
    const [, name, ms] = FILE_TIME.exec(line) ?? []
    return name !== undefined && TEST_FILE.test(name) ? [{ name, seconds: Number(ms) / 1000 }] : []
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
  const perOutput = outputs.map(({ text }) => text.split('\n'))
  const slowest = slowestOf(perOutput.flat())
  if (slowest.length > 0) print('\nslowest files, s')
  for (const { name, seconds } of slowest) print(`${seconds.toFixed(1).padStart(7)}  ${name}`)
  const failures = perOutput.flatMap(failuresOf)
  const shown = failures.slice(0, FAILURES_MAX)
  for (const failure of shown) printFailure(failure)
  const left = failures.length - shown.length
  if (left > 0) print(`\n… and ${left} failures more`)
  // The names again, in case the log is cut in the middle of the above.
  if (shown.length > 1) print('')
  if (shown.length > 1) for (const { path } of shown) print(`not ok: ${path.join(' > ')}`)
  const bad = outputs.find(({ status }) => status !== '0')
  if (failures.length === 0 && bad) print(`\nnothing failed, but tap ended with ${bad.status}`)
  print('')
}

/** The counts of tap; an output without them, or of a run that ended badly, has a failure more. */
function countsOf({ text, status }) {
  const [, passed, failed] =
    [...text.matchAll(/^# \{ total: \d+, pass: (\d+)(?:, fail: (\d+))?/gm)].at(-1) ?? []
  const isBad = passed === undefined || (status !== '0' && failed === undefined)
  return { passed: Number(passed ?? 0), failed: Number(failed ?? 0) + (isBad ? 1 : 0) }
}

printSummary()
const counts = outputs.map(countsOf)
const passed = counts.reduce((sum, one) => sum + one.passed, 0)
const failed = counts.reduce((sum, one) => sum + one.failed, 0)
console.log(`${passed} passed, ${failed} failed`)
// Not `process.exit`, which forgets what a pipe has not taken yet.
const isPassed = failed === 0 && counts.length > 0 && counts.every((one) => one.passed > 0)
process.exitCode = isPassed && outputs.every(({ status }) => status === '0') ? 0 : 1
