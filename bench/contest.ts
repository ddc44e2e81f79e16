// The contest: kontor, the floor and the twin answer the same requests, each in a fresh process, in
// turn over several short rounds, because a shared machine is not the same from minute to minute.
import { join } from 'node:path'
import { type ServerProcess, startServer } from './child.js'
import type { Target } from './client.js'
import type { Corpus } from './corpus.js'
import { checkEquality } from './equality.js'
import { checkFloor, writeFloor } from './floor.js'
import type { Load, LoadFigures } from './load.js'
import { untilAtRest } from './process-figures.js'
import { medianOf, pairedRatio } from './statistics.js'
import { sampleOf, type Workload } from './workloads.js'

/** Bodies the floor picks from. */
const FLOOR_BODIES = 1_000

/** How a contest is run. */
export interface ContestOptions {
  readonly rounds: number
  readonly seconds: number
  /** Answers that are compared before anything is timed. */
  readonly checkedCount: number
  readonly load: (load: Load) => Promise<LoadFigures>
  readonly say: (line: string) => void
}

/** What one contender has shown over all rounds. */
export interface ContenderFigures {
  readonly name: 'kontor' | 'floor' | 'twin'
  readonly rounds: readonly LoadFigures[]
}

/** The outcome of one workload. */
export interface ContestFigures {
  readonly workload: Workload['name']
  readonly title: string
  readonly equalAnswers: number
  readonly contenders: readonly ContenderFigures[]
  /** Medians of the rounds' ratios. */
  readonly rateOfFloor: number
  readonly rateOfTwin: number
  /** The floor's CPU time per request as a share of kontor's; NaN where nobody tells. */
  readonly cpuOfFloor: number
  readonly cpuOfTwin: number
}

/** kontor, serving the corpus. */
export function startKontor(corpus: Corpus): Promise<ServerProcess> {
  const dataDir = corpus.directory.path
  const words = ['serve', '--data-dir', dataDir, '--port', '0']
  return startServer('src/main.js', [...words, '--preload', '--json'])
}

/** Runs one workload: checks that all answer alike, then times them in turn. */
export async function runContest(
  corpus: Corpus,
  workload: Workload,
  options: ContestOptions,
): Promise<ContestFigures> {
  const { targets, title } = workload
  const running: ServerProcess[] = []
  try {
    const kontor = await startKontor(corpus)
    running.push(kontor)
    const twin = await startServer('bench/twin-server.js', [corpus.twinPath])
    running.push(twin)
    const checked = sampleOf(targets, options.checkedCount)
    const equalAnswers = await checkEquality(kontor.port, twin.port, checked)
    const folder = join(corpus.path, `floor-${workload.name}`)
    const bodyTargets = sampleOf(targets, FLOOR_BODIES)
    const head = await writeFloor(folder, kontor.port, bodyTargets)
    const floor = await startServer('bench/floor-server.js', [folder])
    running.push(floor)
    const same = { targets: sampleOf(bodyTargets, 20), head }
    await checkFloor(floor.port, kontor.port, same)
    options.say(
      `${title}: ${equalAnswers} answers equal to the twin's, ${head.bodyBytes.length} bodies`,
    )
    const contenders = await timeRounds({ kontor, floor, twin }, targets, options)
    return { workload: workload.name, title, equalAnswers, contenders, ...ratiosOf(contenders) }
  } finally {
    await Promise.all(running.map((server) => server.stop()))
  }
}

async function timeRounds(
  servers: Readonly<Record<ContenderFigures['name'], ServerProcess>>,
  targets: readonly Target[],
  { rounds, seconds, load, say }: ContestOptions,
): Promise<ContenderFigures[]> {
  const names = ['kontor', 'floor', 'twin'] as const
  const figures = names.map((name) => ({ name, rounds: [] as LoadFigures[] }))
  // Round 0 warms up and is not kept.
  for (let round = 0; round <= rounds; round++) {
    for (const contender of figures) {
      const { pid, port } = servers[contender.name]
      const shown = await load({ pid, port, targets, seconds })
      // The twin goes on with sixteen requests that nobody waits for, for a second of what would be
      // the next one's time.
      await untilAtRest(pid)
      if (round > 0) contender.rounds.push(shown)
    }
    const rates = figures.map(({ name, rounds: kept }) => {
      return `${name} ${Math.round(kept.at(-1)?.requestsPerSecond ?? 0)}/s`
    })
    if (round > 0) say(`  round ${round}: ${rates.join(', ')}`)
  }
  return figures
}

type Ratios = Pick<ContestFigures, 'rateOfFloor' | 'rateOfTwin' | 'cpuOfFloor' | 'cpuOfTwin'>

function ratiosOf(contenders: readonly ContenderFigures[]): Ratios {
  const series = (name: string, pick: (figures: LoadFigures) => number | undefined): number[] =>
    (contenders.find((one) => one.name === name)?.rounds ?? []).map(
      (round) => pick(round) ?? Number.NaN,
    )
  const rates = (name: string): number[] => series(name, (round) => round.requestsPerSecond)
  const cpu = (name: string): number[] => series(name, (round) => round.cpuUsPerRequest)
  return {
    rateOfFloor: pairedRatio(rates('kontor'), rates('floor')),
    rateOfTwin: pairedRatio(rates('kontor'), rates('twin')),
    cpuOfFloor: pairedRatio(cpu('floor'), cpu('kontor')),
    cpuOfTwin: pairedRatio(cpu('twin'), cpu('kontor')),
  }
}

/** The median of a figure over a contender's rounds; NaN where the system does not tell. */
export function medianFigure(
  { rounds }: ContenderFigures,
  pick: (figures: LoadFigures) => number | undefined,
): number {
  return medianOf(rounds.map((round) => pick(round) ?? Number.NaN))
}
