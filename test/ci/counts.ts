// `.ci/counts.mjs`, run like in CI on made-up outputs of tap: the summary at the end of a log.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { withDirectory } from '../fixtures/files.js'

const SCRIPT = new URL('../../../.ci/counts.mjs', import.meta.url).pathname

/** The lines that the script prints for an output, and its exit code. */
function closed(
  ...outputs: readonly (string | number)[]
): Promise<{ lines: string[]; code: number | null }> {
  return withDirectory(async (directory) => {
    const words = [SCRIPT]
    for (const [i, part] of outputs.entries()) {
      const file = join(directory, `${i}.tap`)
      if (typeof part === 'string') writeFileSync(file, part)
      words.push(typeof part === 'string' ? file : `${part}`)
    }
    const { stdout, status: code } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    return { lines: stdout.trimEnd().split('\n'), code }
  })
}

const PASSED = `# Subtest: dist/test/a.js
    # Subtest: one
        ok 1 - should be equal
        1..1
    ok 1 - one # time=1.5ms

    1..1
ok 1 - dist/test/a.js # time=1520.5ms

# { total: 1, pass: 1 }
`

const FAILED = `# Subtest: dist/test/a.js
    # Subtest: outer
        # Subtest: inner
            not ok 1 - one is \\# two
              ---
              diff: |
                -2
                +1
                not ok 9 - no point of its own
              ...

            ok 2 - should be equal
            1..2
        not ok 1 - inner # time=48.314ms
          ---
          at:
            lineNumber: 2
          ...

        1..1
    not ok 1 - outer # time=61.313ms

    # Subtest: throws
        not ok 1 - bad
        1..1
    not ok 2 - throws # time=9.526ms
    # Subtest: later
        not ok 1 - later # SKIP
        1..1
    ok 3 - later # time=1.35ms

    1..3
not ok 1 - dist/test/a.js # time=98.464ms

# Subtest: dist/test/b.js
    # Subtest: fine
        ok 1 - should be equal
        1..1
    ok 1 - fine # time=1.939ms

    1..1
not ok 2 - dist/test/b.js # time=107.564ms
  ---
  exitCode: 3
  ...

# { total: 6, pass: 3, fail: 3, skip: 1 }
`

test('the summary of a passed run has its slowest files and its counts', async (t) => {
  const { lines, code } = await closed(PASSED, 0)
  t.same(lines, ['', 'slowest files, s', '    1.5  dist/test/a.js', '', '1 passed, 0 failed'])
  t.equal(code, 0)
})

test('every failure is listed once, with its place and its diagnostics', async (t) => {
  const { lines, code } = await closed(FAILED, 1)
  const names = [
    'not ok: dist/test/a.js > outer > inner > one is \\# two',
    'not ok: dist/test/a.js > throws > bad',
    'not ok: dist/test/b.js',
  ]
  const [first = '', second = '', third = ''] = names
  t.same(lines.slice(lines.indexOf(first)), [
    first,
    ...['  diff: |', '    -2', '    +1', '    not ok 9 - no point of its own', ''],
    second,
    '',
    ...[third, '  exitCode: 3', ''],
    ...names,
    '',
    '3 passed, 3 failed',
  ])
  t.equal(code, 1)
})

test('the summary stays bounded, whatever fails', async (t) => {
  const diagnostics = Array.from({ length: 70 }, (_, i) => `      ${i}${'x'.repeat(400)}\n`).join(
    '',
  )
  const points = Array.from(
    { length: 25 },
    (_, i) => `    not ok ${i + 1} - point ${i}\n      ---\n${diagnostics}      ...\n`,
  )
  const failed = `# Subtest: a.js\n${points.join('')}not ok 1 - a.js # time=9ms\n`
  const { lines } = await closed(`${failed}# { total: 25, pass: 0, fail: 25 }\n`, 1)
  t.equal(lines.filter((line) => line.endsWith('> point 19')).length, 2)
  t.notOk(lines.some((line) => line.endsWith('> point 20')))
  t.equal(lines.filter((line) => line === '  … and 10 lines more').length, 20)
  t.ok(lines.includes('… and 5 failures more'))
  t.equal(Math.max(...lines.map((line) => line.length)), 301)
  t.equal(lines.at(-1), '0 passed, 25 failed')
})

test('a run that ended abnormally fails, whatever its counts', async (t) => {
  const cut = await closed(PASSED.slice(0, PASSED.indexOf('# {')), 0)
  t.same([cut.lines.at(-1), cut.code], ['0 passed, 1 failed', 1])
  const ended = await closed(PASSED, 137)
  t.ok(ended.lines.includes('nothing failed, but tap ended with 137'))
  t.same([ended.lines.at(-1), ended.code], ['1 passed, 1 failed', 1])
})

test('counts of several outputs are added, and files are named without their room', async (t) => {
  const nested = `# Subtest: dist/test/rooms/quick.js
    # Subtest: ci
        # Subtest: dist/test/ci/b.js
            not ok 1 - bad
            1..1
        not ok 1 - dist/test/ci/b.js # time=2000ms
        1..1
    not ok 1 - ci # time=2100ms
    1..1
not ok 1 - dist/test/rooms/quick.js # time=2200ms
# { total: 5, pass: 4, fail: 1 }
`
  const { lines, code } = await closed(PASSED, 0, nested, 1)
  t.same(lines, [
    '',
    'slowest files, s',
    '    2.0  dist/test/ci/b.js',
    '    1.5  dist/test/a.js',
    '',
    'not ok: dist/test/ci/b.js > bad',
    '',
    '5 passed, 1 failed',
  ])
  t.equal(code, 1)
  const none = await closed(PASSED, 0, '', 0)
  t.same([none.lines.at(-1), none.code], ['1 passed, 1 failed', 1])
})
