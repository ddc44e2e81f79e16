// The recorded results of importing the real bank files: expected.tsv, one line a file. It contains
// names, counts and sums, and nothing else from the files.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FileFigures } from './file-figures.js'

const PATH = resolve(import.meta.dirname, '../../../bench/import-eval/expected.tsv')

const HEAD = ['file', 'format', 'flags', 'rows', 'sums', 'balances', 'warnings', 'fields']

/** `refused` in place of the number of rows. */
const REFUSED = 'refused'

/** A file's figures as recorded. */
export type ExpectedFigures = Pick<
  FileFigures,
  'name' | 'rowCount' | 'sums' | 'proof' | 'fields'
> & {
  readonly isRefused: boolean
}

/** Changes since the record, a sentence for each file and figure. */
export interface FigureChanges {
  readonly worse: readonly string[]
  readonly better: readonly string[]
}

/** The record, by the names of the files; empty if there is none. */
export function readExpectations(): Map<string, ExpectedFigures> {
  const [, ...lines] = readFileSync(PATH, 'utf8').trimEnd().split('\n')
  const all = lines.map((line) => expectedOf(line.split('\t')))
  return new Map(all.map((each) => [each.name, each]))
}

/** Replaces the record, except the lines of folders that were not read. */
export function recordExpectations(figures: readonly FileFigures[]): void {
  const folders = new Set(figures.map(({ name }) => folderOf(name)))
  const [, ...lines] = readFileSync(PATH, 'utf8').trimEnd().split('\n')
  const others = lines.filter((line) => !folders.has(folderOf(line)))
  const all = [...others, ...figures.map(lineOf)].sort()
  writeFileSync(PATH, `${[HEAD.join('\t'), ...all].join('\n')}\n`)
}

/** Differences for the worse: refused, fewer rows, other sums, a lost proof or lost fields. */
export function changesSince(
  expected: ReadonlyMap<string, ExpectedFigures>,
  figures: readonly FileFigures[],
): FigureChanges {
  const worse: string[] = []
  const better: string[] = []
  const read = new Set(figures.map(({ name }) => name))
  const folders = new Set(figures.map(({ name }) => folderOf(name)))
  for (const name of expected.keys()) {
    if (folders.has(folderOf(name)) && !read.has(name)) worse.push(`${name}: the file is missing`)
  }
  for (const found of figures) {
    const before = expected.get(found.name)
    if (before === undefined) better.push(`${found.name}: not recorded yet`)
    else compare(before, found, { worse, better })
  }
  return { worse, better }
}

/** Results of the proof, from the worst to the best. */
const PROOFS: readonly FileFigures['proof'][] = [
  ...(['none', 'contradicted', 'unproved', 'gaps', 'proved'] as const),
]

function compare(
  before: ExpectedFigures,
  found: FileFigures,
  { worse, better }: { readonly worse: string[]; readonly better: string[] },
): void {
  const { name } = found
  if (before.isRefused && found.refusal === undefined) {
    better.push(`${name}: was refused, now gives ${found.rowCount} rows`)
  }
  if (before.isRefused) return
  if (found.refusal !== undefined) {
    worse.push(`${name}: gave ${before.rowCount} rows, is now refused: ${found.refusal}`)
    return
  }
  const rows = `${before.rowCount} rows before, now ${found.rowCount}`
  if (found.rowCount < before.rowCount) worse.push(`${name}: ${rows}`)
  if (found.rowCount > before.rowCount) better.push(`${name}: ${rows}`)
  const sums = [before, found].map((each) => listText(each.sums))
  const isExplained = found.rowCount > before.rowCount && found.proof === 'proved'
  if (sums[0] !== sums[1] && !isExplained)
    worse.push(`${name}: sums ${sums[0]} before, now ${sums[1]}`)
  const proof = `${name}: balances ${before.proof} before, now ${found.proof}`
  const step = PROOFS.indexOf(found.proof) - PROOFS.indexOf(before.proof)
  if (step < 0) worse.push(proof)
  if (step > 0) better.push(proof)
  for (const field of new Set([...before.fields.keys(), ...found.fields.keys()])) {
    const [was, is] = [before, found].map(({ fields }) => fields.get(field) ?? 0)
    if (was === undefined || is === undefined || was === is) continue
    const list = is < was ? worse : better
    list.push(`${name}: ${field} in ${was} rows before, now in ${is}`)
  }
}

function lineOf(figures: FileFigures): string {
  const { name, format = '-', flags, rowCount, sums, proof, warnings, fields, refusal } = figures
  if (refusal !== undefined) return [name, format, '-', REFUSED, '-', '-', '-', '-'].join('\t')
  const counts = [String(rowCount), listText(sums), proof, String(warnings.length)]
  return [name, format, flags || '-', ...counts, listText(fields)].join('\t')
}

function expectedOf(cells: readonly string[]): ExpectedFigures {
  const [name = '', , , rows = '', sums = '', proof = '', , fields = ''] = cells
  const counts = [...listOf(fields)].map(([field, count]): [string, number] => [
    field,
    Number(count),
  ])
  return {
    name,
    isRefused: rows === REFUSED,
    rowCount: rows === REFUSED ? 0 : Number(rows),
    sums: listOf(sums),
    proof: PROOFS.find((known) => known === proof) ?? 'none',
    fields: new Map(counts),
  }
}

/** `EUR 12.5, USD -1`; `-` for none. */
export function listText(list: ReadonlyMap<string, string | number>): string {
  return [...list].map(([name, value]) => `${name} ${value}`).join(', ') || '-'
}

function listOf(text: string): Map<string, string> {
  if (text === '-') return new Map()
  return new Map(
    text.split(', ').map((each): [string, string] => {
      const [name = '', value = ''] = each.split(' ')
      return [name, value]
    }),
  )
}

function folderOf(name: string): string {
  return name.slice(0, name.indexOf('/'))
}
