import type { BatchFigures } from './batch.js'
import { atMost, shown, type Target, table, targetTable } from './report.js'

const BATCH_MS_MAX = 1_000
const READ_MS_MAX = 10

/** The targets of the batch match. */
export function batchTargets({ kinds, queryCount, rowCount }: BatchFigures): Target[] {
  const what = `${queryCount} references over ${rowCount.toLocaleString('en-US')} rows`
  return kinds.flatMap(({ kind, batchMs, refusedCount, reads }) => [
    atMost(`${what}, ${kind}, p99`, batchMs.p99, 'ms', BATCH_MS_MAX),
    atMost(`${kind}: batches past their budget`, refusedCount, '', 0),
    atMost(`${kind}: a read meanwhile, p99`, reads.requestMs.p99, 'ms', READ_MS_MAX),
  ])
}

/** The report as Markdown. */
export function reportBatches(figures: BatchFigures): string {
  const { equalCount, hitCount, answerBytes, kinds, singlesMs, readsAlone } = figures
  const lines = kinds.map(({ kind, batchMs, cpuMs, reads }) => [
    ...[kind, shown(batchMs.p50), shown(batchMs.p99), shown(batchMs.max), shown(cpuMs)],
    ...[shown(reads.requestMs.p50), shown(reads.requestMs.p99), shown(reads.delayMs.p99)],
  ])
  const reads = [readsAlone.requestMs.p50, readsAlone.requestMs.p99, readsAlone.delayMs.p99]
  return [
    `${equalCount} entries equal the single match; ${hitCount} results; an answer has ` +
      `${shown(answerBytes / 1_000)} KB.`,
    targetTable(batchTargets(figures)),
    'Milliseconds of a batch, and of reads of single transactions meanwhile:',
    table(
      ['', 'batch p50', 'p99', 'max', 'processor time', 'read p50', 'p99', 'event loop p99'],
      [
        ...lines,
        [
          'single matches, one after the other',
          shown(singlesMs.p50),
          '-',
          shown(singlesMs.max),
        ].concat(['-', '-', '-', '-']),
        ['no matches', '-', '-', '-', '-', ...reads.map(shown)],
      ],
    ),
  ].join('\n\n')
}
