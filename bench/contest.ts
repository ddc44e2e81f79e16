// A contest: kontor, the floor and the twin answer the same requests, each in a fresh process, in
// turn over several short rounds, because the speed of a shared machine changes from minute to
// minute. The floor (floor-server.ts) is the bare engine with prebuilt bodies: no service on it can
// be faster. The twin (twin.ts) is the peer: Fastify and better-sqlite3 without a cache. The
// figures to read are the medians of each round's ratios, which depend on the machine less than the
// rates do.
import { join } from 'node:path'
import { type ServerProcess, startServer } from './child.js'
import type { Target } from './client.js'
import type { Corpus } from './corpus.js'
import { checkEquality } from './equality.js'
import { checkFloor, writeFloor } from './floor.js'
import { CONNECTION_COUNT, type Load, type LoadFigures } from './load.js'
import { untilAtRest } from './process-figures.js'
import { medianOf, pairedRatio } from './statistics.js'
import { sampleOf, type Workload } from './workloads.js'

/** Bodies the floor picks from. */
const FLOOR_BODIES = 1_000

/** Connections of the second contest, between kontor and the floor alone. */
export const MORE_CONNECTIONS = 32

/** Options of a contest. */
export interface ContestOptions {
  readonly rounds: number
  readonly seconds: number
  readonly restMs: number
  /** Answers compared before the timing. */
  readonly checkedCount: number
  readonly load: (load: Load) => Promise<LoadFigures>
  readonly say: (line: string) => void
}

/** Medians of the rounds' ratios; NaN where a contender or the system has no figure. */
interface ContestRatios {
  readonly rateOfFloor: number
  readonly rateOfTwin: number
  /** The floor's CPU time per request as a share of kontor's. */
  readonly cpuOfFloor: number
  readonly cpuOfTwin: number
}

/** Figures of one contender over all rounds. */
export interface ContenderFigures {
  readonly name: 'kontor' | 'floor' | 'twin'
  readonly rounds: readonly LoadFigures[]
}

/** Result of one workload. */
export interface ContestFigures extends ContestRatios {
  readonly workload: Workload['name']
  readonly title: string
  readonly equalAnswers: number
  readonly contenders: readonly ContenderFigures[]
  /** The same with {@link MORE_CONNECTIONS}; the twin has no turn. */
  readonly withMore: Pick<ContestRatios, 'rateOfFloor' | 'cpuOfFloor'>
}

/** kontor, serving the corpus. */
export function startKontor(corpus: Corpus): Promise<ServerProcess> {
  const dataDir = corpus.directory.path
  const words = ['serve', '--data-dir', dataDir, '--port', '0']
  return startServer('program/main.js', [...words, '--preload', '--json'])
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
    const more = { ...options, connectionCount: MORE_CONNECTIONS }
    const withMore = ratiosOf(await timeRounds({ kontor, floor }, targets, more))
    const ratios = { ...ratiosOf(contenders), withMore }
    return { workload: workload.name, title, equalAnswers, contenders, ...ratios }
  } finally {
    await Promise.all(running.map((server) => server.stop()))
  }
}

async function timeRounds(
  servers: Readonly<Partial<Record<ContenderFigures['name'], ServerProcess>>>,
  targets: readonly Target[],
  {
    rounds,
    seconds,
    restMs,
    load,
    say,
    connectionCount = CONNECTION_COUNT,
  }: ContestOptions & Pick<Load, 'connectionCount'>,
): Promise<ContenderFigures[]> {
  const names = ['kontor', 'floor', 'twin'] as const
  const figures = names.flatMap((name) => {
    const server = servers[name]
    return server === undefined ? [] : [{ name, server, rounds: [] as LoadFigures[] }]
  })
  // Round 0 warms up and is not recorded.
  for (let round = 0; round <= rounds; round++) {
    for (const contender of figures) {
      const { pid, port } = contender.server
      const shown = await load({ pid, port, targets, seconds, connectionCount })
      // The twin still works on sixteen abandoned requests for about a second, which would fall
      // into the next contender's time.
      await untilAtRest(pid, restMs)
      if (round > 0) contender.rounds.push(shown)
    }
    const rates = figures.map(({ name, rounds: kept }) => {
      return `${name} ${Math.round(kept.at(-1)?.requestsPerSecond ?? 0)}/s`
    })
    if (round > 0) say(`  ${connectionCount} connections, round ${round}: ${rates.join(', ')}`)
  }
  return figures.map(({ name, rounds: kept }) => ({ name, rounds: kept }))
}

function ratiosOf(contenders: readonly ContenderFigures[]): ContestRatios {
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

/** The median of a figure over a contender's rounds; NaN where the system does not report it. */
export function medianFigure(
  { rounds }: ContenderFigures,
  pick: (figures: LoadFigures) => number | undefined,
): number {
  return medianOf(rounds.map((round) => pick(round) ?? Number.NaN))
}
