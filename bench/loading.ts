// Time to load a workspace, and memory of the process afterwards.
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Segment, Snapshot } from '../src/snapshot/snapshot.js'
import { startServer } from './child.js'
import { startKontor } from './contest.js'
import { type Corpus, WORKSPACE_ID } from './corpus.js'
import { memoryFigures } from './process-figures.js'

/** Figures of a fresh `kontor serve --preload`. */
export interface LoadingFigures {
  /** From process start, without a cache, to the line that says it listens. */
  readonly startMs: number
  /** Before the text index, builder thread ended; undefined = the system does not report it. */
  readonly residentBytes: number | undefined
  /** With the text index, the cache written and the builder thread ended. */
  readonly searchableResidentBytes: number | undefined
  /** The peak while loading. */
  readonly peakResidentBytes: number | undefined
  /** The same program without any workspace. */
  readonly emptyResidentBytes: number | undefined
}

/** Time limit for the builder thread to end. */
const SETTLE_MS_MAX = 60_000

/** @param emptyPath a data directory without workspaces */
export async function measureLoading(corpus: Corpus, emptyPath: string): Promise<LoadingFigures> {
  const words = ['serve', '--data-dir', emptyPath, '--port', '0', '--json']
  const empty = await startServer('program/main.js', words)
  await wait(1_000)
  const bare = memoryFigures(empty.pid)
  await empty.stop()
  const threadCount = bare?.threadCount ?? 0
  rmSync(corpus.directory.cachePath, { recursive: true, force: true })
  const unindexed = await startServer('bench/bare-server.js', [corpus.directory.path, WORKSPACE_ID])
  const listed = await settledMemory(unindexed.pid, threadCount)
  await unindexed.stop()
  // Leaves a cache behind, so that later measurements do not include writing it.
  const loaded = await startKontor(corpus)
  const searchable = await settledMemory(loaded.pid, threadCount)
  await loaded.stop()
  return {
    startMs: loaded.startMs,
    residentBytes: listed?.residentBytes,
    searchableResidentBytes: searchable?.residentBytes,
    peakResidentBytes: searchable?.peakResidentBytes,
    emptyResidentBytes: bare?.residentBytes,
  }
}

/** Memory once the process has no more threads than an idle one. */
async function settledMemory(
  pid: number,
  idleThreadCount: number,
): Promise<ReturnType<typeof memoryFigures>> {
  const deadline = performance.now() + SETTLE_MS_MAX
  // A thread that ends may be replaced for the next task, so it has to be gone twice in a row.
  for (let goneCount = 0; goneCount < 2 && performance.now() < deadline; ) {
    await wait(700)
    const figures = memoryFigures(pid)
    if (figures === undefined) break
    goneCount = figures.threadCount <= idleThreadCount ? goneCount + 1 : 0
  }
  return memoryFigures(pid)
}

/** Bytes of a snapshot by purpose. */
export interface SnapshotBytes {
  readonly rendered: number
  readonly rowOffsets: number
  readonly ids: number
  readonly codes: number
  readonly postings: number
  readonly orders: number
}

/** Bytes of a snapshot's arrays; all of them are in shared memory. */
export function snapshotBytes({ segments }: Snapshot): SnapshotBytes {
  const sum = (bytes: (segment: Segment) => number): number =>
    segments.reduce((total, { segment }) => total + bytes(segment), 0)
  return {
    rendered: sum(({ rowBytes }) => rowBytes.byteLength),
    rowOffsets: sum(({ rowOffsets }) => rowOffsets.byteLength),
    ids: sum(({ ids }) => ids.byteLength),
    codes: sum(codeBytes),
    postings: sum(postingBytes),
    orders: sum(orderBytes),
  }
}

function codeBytes(segment: Segment): number {
  const { accountCodes, categoryCodes, parentCodes, counterpartCodes, counterpartIbans } = segment
  const { currencyCodes, counterparts } = segment
  const { names } = counterparts
  const columns = [accountCodes, categoryCodes, parentCodes, counterpartCodes, currencyCodes]
  const pairs = [counterparts.ibanCodes, counterparts.nameCodes, counterparts.hashes]
  const texts = [counterpartIbans, names].flatMap(({ bytes, offsets }) => [bytes, offsets])
  const arrays = [...columns, counterparts.codes, ...pairs, ...texts]
  return arrays.reduce((total, array) => total + array.byteLength, 0)
}

function postingBytes(segment: Segment): number {
  const { accountPostings, categoryPostings, eitherPostings, counterpartPostings } = segment
  return [accountPostings, categoryPostings, eitherPostings, counterpartPostings].reduce(
    (total, { offsets, ordinals }) => total + offsets.byteLength + ordinals.byteLength,
    0,
  )
}

function orderBytes({ booked, valued, imported, amounts }: Segment): number {
  const columns = [booked, valued, imported, amounts]
  const ranked = columns.reduce(
    (total, { codes, order }) => total + codes.byteLength + order.byteLength,
    0,
  )
  const values = [booked, valued, imported].reduce(
    (total, { values: v }) => total + v.byteLength,
    0,
  )
  return ranked + values + amounts.unscaled.byteLength + amounts.scales.byteLength
}
