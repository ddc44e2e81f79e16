import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { recordSection, shown, table, targetTable, verdictOf } from '../../bench/report.js'
import { withDirectory } from '../fixtures/files.js'

const target = { what: 'rate', unit: '%', bound: 50, direction: 'at least', aim: 60 } as const

test('a target passes at its bound and misses beyond it', async (t) => {
  t.equal(verdictOf({ ...target, measured: 50 }), 'PASS')
  t.equal(verdictOf({ ...target, measured: 49.9 }), 'MISS')
  t.equal(verdictOf({ ...target, direction: 'at most', measured: 50.1 }), 'MISS')
  t.equal(
    verdictOf({ ...target, measured: Number.NaN }),
    '-',
    'without a figure there is no verdict',
  )
  t.match(targetTable([{ ...target, measured: 55 }]), '| rate | 55 % | ≥ 50 % (aim 60) | PASS |')
})

test('the obstacle of missed targets stands below the table, once', async (t) => {
  const bounded = { ...target, obstacle: 'Copying takes half of the time.' }
  t.notMatch(targetTable([{ ...bounded, measured: 55 }]), 'Copying')
  const missed = targetTable([
    { ...bounded, measured: 45 },
    { ...bounded, what: 'rate of others', measured: 40 },
  ])
  t.equal(missed.split('\n\n')[1], '- MISS: Copying takes half of the time.')
})

test('figures have three significant digits', async (t) => {
  t.strictSame([0.012345, 1.5, 99.96, 1234.5, 0, undefined, Number.NaN].map(shown), [
    '0.0123',
    '1.5',
    '100',
    '1,235',
    '0',
    '-',
    '-',
  ])
  t.equal(table(['a', 'b'], [['1', '2']]), '| a | b |\n| --- | --- |\n| 1 | 2 |')
})

test('a section of results replaces its earlier version', async (t) => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'results.md')
    writeFileSync(path, '# Results\n\nWords.\n')
    recordSection(path, 'rows', '## rows\n\nold\n')
    recordSection(path, 'reads', '## reads\n\nfirst\n')
    recordSection(path, 'rows', '## rows\n\nnew\n')
    const expected = '# Results\n\nWords.\n\n## reads\n\nfirst\n\n## rows\n\nnew\n'
    t.equal(readFileSync(path, 'utf8'), expected)
  })
})
