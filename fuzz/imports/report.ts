import { shown, table } from '../../bench/report.js'
import type { ImportFault, ImportFuzzFigures } from './run.js'

/** The figures of all formats as Markdown. */
export function importFuzzReport(figures: readonly ImportFuzzFigures[]): string {
  const head = ['format', 'files', 'inputs', 'imported', 'rows', 'contradicted, with a warning']
  const rows = figures.map((each) => [
    each.format,
    ...[each.seedCount, each.inputCount, each.importedCount, each.rowCount].map(shown),
    shown(each.contradictedCount),
    shown(each.slowestMs),
    String(each.faults.length),
  ])
  return table([...head, 'slowest, ms of processor time', 'faults'], rows)
}

/** A fault, and the command that repeats it. */
export function faultText({ format, input, of, what }: ImportFault, seed: number): string {
  const command = `npm run fuzz -- imports --format ${format} --seed ${seed} --input ${input}`
  return `${format}, input ${input} (of ${of}): ${what}\n  repeat: ${command}`
}
