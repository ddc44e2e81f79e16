import { callersPriority } from './child.js'
import { type Target as Bound, shown, table, targetTable } from './report.js'
import { type ContendedFigures, KINDS, type ShareFigures, type SharePhase } from './shares.js'
import { medianOf, pairedRatio, type Quantiles } from './statistics.js'

/** Upper bound of the honest keys' p99 next to a key that matches, over p99 alone. */
const GROWTH_MAX = 2

/** Upper bound of the honest keys' p99 next to any hostile caller. */
const WAIT_MS_MAX = 100

/** The figures as Markdown. */
export function reportShares(figures: readonly ShareFigures[]): string {
  const head = ['engine', 'next to', 'honest', 'p50 ms', 'p99 ms', 'refused']
  const rows = figures.flatMap(({ engine, alone, contended }) =>
    [{ hostile: '-', phases: alone }, ...contended].flatMap(({ hostile, phases }) =>
      rowsOf(phases).map((cells) => [engine, hostile, ...cells]),
    ),
  )
  const targets = figures.flatMap((engine) => engine.contended.flatMap(targetsOf(engine)))
  const answered = figures.flatMap(({ engine, contended }) =>
    contended.map(({ hostile, hostileAnswers }) => {
      const counts = Object.entries(hostileAnswers).map(([name, count]) => `${count} × ${name}`)
      return `Answers to ${hostile} on ${engine}: ${counts.join(', ')}.`
    }),
  )
  const notes = [callersPriority(), ...answered].join('\n')
  return `${targetTable(targets)}\n\n${table(head, rows)}\n\n${notes}`
}

function rowsOf(phases: readonly SharePhase[]): string[][] {
  const refused = String(phases.reduce((sum, { refusedCount }) => sum + refusedCount, 0))
  const row = (name: string, timesOf: (phase: SharePhase) => Quantiles): string[] => {
    const p50 = medianOf(phases.map((phase) => timesOf(phase).p50))
    const p99 = medianOf(phases.map((phase) => timesOf(phase).p99))
    return [name, shown(p50), shown(p99), refused]
  }
  return [
    ...KINDS.map((kind) => row(kind, ({ requestMs }) => requestMs[kind])),
    row('any', ({ anyMs }) => anyMs),
  ]
}

function targetsOf({ engine, alone }: ShareFigures): (figures: ContendedFigures) => Bound[] {
  return ({ hostile, phases }) => {
    const direction = 'at most'
    const anyP99Ms = medianOf(phases.map(({ anyMs }) => anyMs.p99))
    const waiting: Bound = {
      what: `p99 of any request next to ${hostile}, ${engine}`,
      measured: anyP99Ms,
      ...{ unit: 'ms', bound: WAIT_MS_MAX, direction },
    }
    if (hostile !== 'match') return [waiting]
    const growing = KINDS.map((kind): Bound => {
      const p99s = (of: readonly SharePhase[]): number[] =>
        of.map(({ requestMs }) => requestMs[kind].p99)
      return {
        what: `p99 of a ${kind} next to ${hostile}, against alone, ${engine}`,
        measured: pairedRatio(p99s(phases), p99s(alone)),
        ...{ unit: '×', bound: GROWTH_MAX, direction },
      }
    })
    return [...growing, waiting]
  }
}
