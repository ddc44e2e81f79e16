import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../../src/errors.js'
import { shown, table } from '../report.js'
import { bankFiles, FOLDERS } from './bank-files.js'
import { changesSince, type FigureChanges, listText, readExpectations } from './expectations.js'
import { type FileFigures, figuresOf } from './file-figures.js'

/** Result of an evaluation of the import. */
export interface ImportEvaluation {
  readonly figures: readonly FileFigures[]
  readonly changes: FigureChanges
  /** Markdown. */
  readonly report: string
}

/**
 * Imports each real bank file into a separate workspace, and compares the result with the record.
 * @param say receives progress lines
 * @throws CommandError `usage` when the environment names no folder of bank files
 */
export async function evaluateImport(
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<ImportEvaluation> {
  const files = bankFiles(environment)
  if (files.length === 0) {
    const variables = [...FOLDERS.keys()].join(' and ')
    throw new CommandError('usage', `set ${variables} to the folders of real bank files`)
  }
  const missing = [...FOLDERS.keys()].filter((variable) => (environment[variable] ?? '') === '')
  for (const variable of missing) say(`${variable} is not set: its files are left out`)
  const scratch = mkdtempSync(join(tmpdir(), 'kontor-eval-'))
  const figures: FileFigures[] = []
  try {
    for (const file of files) figures.push(await figuresOf(file, scratch))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  const changes = changesSince(readExpectations(), figures)
  return { figures, changes, report: reportOf(figures, changes) }
}

function reportOf(figures: readonly FileFigures[], { worse, better }: FigureChanges): string {
  const head = ['file', 'format', 'flags', 'rows', 'sums', 'balances', 'fields', 'warnings']
  const rows = figures.map((each) => [
    each.name,
    each.format ?? '-',
    each.flags || '-',
    each.refusal === undefined ? String(each.rowCount) : 'refused',
    listText(each.sums),
    each.proof,
    String(total(each.fields.values())),
    String(each.warnings.length),
  ])
  const refused = figures.flatMap(({ name, refusal }) =>
    refusal === undefined ? [] : [`- ${name}: ${refusal.replaceAll('\n', ' ')}`],
  )
  const list = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? '' : `\n${title}:\n\n${lines.map((line) => `- ${line}`).join('\n')}\n`
  return [
    `${table(head, rows)}\n`,
    `${refused.length} files are refused:\n\n${refused.join('\n')}\n`,
    totalTable(figures),
    list('Better than recorded', better),
    list('Worse than recorded', worse),
  ].join('\n')
}

function totalTable(figures: readonly FileFigures[]): string {
  const head = ['format', 'files', 'read', 'rows', 'proved', 'gaps', 'unproved', 'contradicted']
  const formats = new Map<string, FileFigures[]>()
  for (const each of figures) {
    const format = each.format ?? 'not recognized'
    formats.set(format, [...(formats.get(format) ?? []), each])
  }
  const rowOf = (name: string, list: readonly FileFigures[]): string[] => {
    const count = (proof: FileFigures['proof']): string =>
      shown(list.filter((each) => each.proof === proof).length)
    const read = list.filter(({ refusal }) => refusal === undefined)
    return [
      ...[name, shown(list.length), shown(read.length), shown(total(list.map((f) => f.rowCount)))],
      ...[count('proved'), count('gaps'), count('unproved'), count('contradicted')],
      shown(total(list.flatMap(({ fields }) => [...fields.values()]))),
      shown(total(list.map(({ warnings }) => warnings.length))),
    ]
  }
  const rows = [...formats].sort().map(([name, list]) => rowOf(name, list))
  return table([...head, 'fields', 'warnings'], [...rows, rowOf('total', figures)])
}

function total(counts: Iterable<number>): number {
  let sum = 0
  for (const count of counts) sum += count
  return sum
}
