// Speed tables of the documents have the figures of the records in bench/results.md, which
// `npm run bench -- NAME --record` writes: a table that was not renewed with its record fails here.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'tap'

const root = resolve(import.meta.dirname, '../..')
const RECORDS = read('bench/results.md')

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Cells of the rows of all tables in a text, without those of the line below a header. */
function tableRows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

/** Rows of the record of a bench on Node.js 20. */
function recordRows(bench: string): string[][] {
  const [, rest = ''] = RECORDS.split(`\n## ${bench} on Node.js 20\n`)
  const [record = ''] = rest.split('\n## ')
  return tableRows(record)
}

/** The first row that begins with these cells. */
function rowOf(rows: readonly string[][], ...begin: readonly string[]): string[] {
  return rows.find((row) => begin.every((cell, i) => row[i] === cell)) ?? []
}

/** Where each row of a speed table comes from: its first cell, and the record's workload. */
const READS = [
  ['page of 100, default order, any offset', 'page'],
  ['filtered or sorted page, 44 shapes mixed', 'filtered'],
  ['single transaction', 'single'],
] as const

test('tables of reads have the figures of the record', async (t) => {
  const record = recordRows('reads')
  for (const path of ['README.md', 'docs/operating/performance.md']) {
    const rows = tableRows(read(path))
    for (const [text, workload] of READS) {
      const [, , rate] = rowOf(record, workload, 'kontor')
      const [, , ofFloor = '', , overTwin] = record.filter(([name]) => name === workload)[3] ?? []
      const floor = `${Math.round(Number.parseFloat(ofFloor))} %`
      t.same(rowOf(rows, text), [text, `${rate}/s`, floor, overTwin], `${path}: ${text}`)
    }
  }
})

const SEARCHES = [
  ['rare word', 'rare word'],
  ['full reference', 'reference'],
  ['four digits inside references', 'infix digits'],
  ['four terms', 'four terms'],
  ['a term in half of the rows', 'half of the rows'],
  ['one letter, in nearly every row', 'one letter'],
] as const

test('the table of searches has the figures of the records', async (t) => {
  const rows = tableRows(read('docs/operating/performance.md'))
  for (const [text, searchClass] of SEARCHES) {
    const cells = ['search', 'search of a shop'].flatMap((bench) => {
      const [, , , kontor = '', peer = ''] = rowOf(recordRows(bench), searchClass)
      return [kontor, peer].map((cell) => `${p50Of(cell)} ms`)
    })
    t.same(rowOf(rows, text), [text, ...cells], text)
  }
})

/** Rows of the table of both corpora: the bench, and the figure in its record. */
const CORPORA_ROWS: readonly (readonly [
  text: string,
  bench: string,
  figure: (record: readonly string[][]) => string,
])[] = [
  ['search of a reference', 'search', (record) => `${p50Of(rowOf(record, 'reference')[3])} ms`],
  ['match', 'match', (record) => `${rowOf(record, '1,000,000', '2 threads')[2]} ms`],
  [
    'change, from its commit to the answers',
    'live',
    (record) => `${p50Of(rowOf(record, 'single, p50 / p99 / max')[2])} ms`,
  ],
  ['restart, to the first search', 'start', (record) => `${rowOf(record, 'the cache')[3]} ms`],
  ['memory of a row, with all indexes', 'start', (record) => `${rowOf(record, 'the cache')[5]} B`],
]

test('the table of both corpora has the figures of the records', async (t) => {
  for (const path of ['README.md', 'docs/operating/performance.md']) {
    const rows = tableRows(read(path))
    for (const [text, bench, figure] of CORPORA_ROWS) {
      const figures = [bench, `${bench} of a shop`].map((name) => figure(recordRows(name)))
      t.same(rowOf(rows, text), [text, ...figures], `${path}: ${text}`)
    }
  }
})

/** Rows of the record of all sizes that the document repeats. */
const SCALE_ROWS = [
  'rows',
  'load to the first page, s',
  'restart to the first search, s',
  'resident bytes a row',
  'page, middle, p50 ms',
  'search: a reference, p50 ms',
  'match, p50 ms',
  'a change shown, p50 ms',
] as const

test('the table of all sizes has the figures of the record', async (t) => {
  const rows = tableRows(read('docs/operating/performance.md'))
  const record = recordRows('scale')
  for (const text of SCALE_ROWS) {
    const [, ...figures] = rowOf(record, text)
    t.equal(figures.length, 4, text)
    t.same(rowOf(rows, text), [text, ...figures], text)
  }
})

/** The median of a cell `p50 / p99`. */
function p50Of(cell = ''): string {
  return cell.split(' / ')[0] ?? ''
}
