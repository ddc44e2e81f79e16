// Filter and scorer against scoring every row, through the bytes of the answers: demo rows of three
// seeds, so many that their indexes have grams, at four thresholds, each seed by two of 1, 2, 4 and
// 8 threads.
import { strict as assert } from 'node:assert'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { fillDemo } from '../../../src/demo/fill.js'
import { type Random, randomOf } from '../../../src/demo/random.js'
import { MATCH_GRAMS_ROWS_MIN } from '../../../src/match/match-index.js'
import { rankWith } from '../../../src/query/match-rank.js'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { MatchPool } from '../../../src/threads/match-pool.js'
import { rigs } from '../../fixtures/http-rig.js'
import { type NaiveMatch, naiveFields, naiveMatches } from '../../fixtures/naive-match.js'
import { outcomeOf, RunningService } from '../../fixtures/service.js'
import type { WorkspaceRows } from '../../fixtures/workspaces.js'

/** Seeds, and the numbers of threads that score their rows. */
const THREADS_BY_SEED: ReadonlyMap<number, readonly number[]> = new Map([
  [3, [1, 8]],
  [14, [2, 4]],
  [159, [4, 8]],
])
const ROWS = 2 * MATCH_GRAMS_ROWS_MIN + 77
const BLOCK_ROWS = 128
const QUERIES_PER_SEED = 4
const LIMIT = 50

/** The threshold as a caller writes it, and in 1/10,000. */
const THRESHOLDS = { '0': 0, '0.3': 3_000, '0.6': 6_000, '0.9': 9_000 } as const

async function demoFile(path: string, seed: number): Promise<WorkspaceRows> {
  const file = WorkspaceFile.open(path)
  try {
    await fillDemo(file, { transactions: ROWS, seed })
    return {
      accounts: file.accounts(),
      categories: file.categories(),
      transactions: [...file.transactionsOldestFirst()],
    }
  } finally {
    file.close()
  }
}

/**
 * References that occur in the rows, most of them spelled differently or wrongly.
 * @param first number of the first one, which decides how they are spelled
 */
function queriesFor({ transactions }: WorkspaceRows, random: Random, first: number): string[] {
  const texts = transactions.flatMap((row) => Object.values(naiveFields(row)))
  const words = texts.flatMap((text) => text?.match(/[A-Z\d][A-Z\d\-/.]{4,28}/g) ?? [])
  const standing = words.filter((word) => /\d.*\d/.test(word))
  return Array.from({ length: QUERIES_PER_SEED }, (_, i) => {
    const word = random.pick(standing)
    const at = random.below(word.length)
    const ways = [
      word,
      word.toLowerCase(),
      word.replace(/[-/.]/g, ' '),
      `Rechnung ${word}`,
      word.slice(0, at) + random.below(10) + word.slice(at + 1),
      `${word}, ${random.pick(standing)}`,
    ]
    return i === 0 ? '2024; 20' : (ways[(first + i) % ways.length] ?? word)
  })
}

interface Expected {
  readonly query: string
  /** The whole window, the best first. */
  readonly matches: readonly NaiveMatch[]
}

async function serving(t: Test, path: string, threads: number) {
  const [rig] = rigs
  assert(rig !== undefined, 'node runs everywhere')
  const pool = new MatchPool(threads)
  t.teardown(() => pool.close())
  const rankMatches = rankWith({
    ticks: () => performance.now(),
    blockRows: BLOCK_ROWS,
    scanOnThreads: (task) => pool.scan(task),
  })
  const service = await RunningService.start(t, rig, { matchBudgetMs: 60_000, rankMatches })
  copyFileSync(path, service.pathOf('w'))
  const { key } = await service.newKey('w')
  return (target: string) => service.ask(`/v1/w/transactions${target}`, { key })
}

type Ask = Awaited<ReturnType<typeof serving>>

/** Bytes of rows, each requested once. */
class RowTexts {
  readonly #known = new Map<number, Promise<string>>()

  async pageOf(ask: Ask, matches: readonly NaiveMatch[]): Promise<string> {
    const rows = matches.map(async ({ row, score }) => {
      const text = this.#known.get(row.id) ?? ask(`/${row.id}`).then((reply) => reply.text)
      this.#known.set(row.id, text)
      return `${(await text).slice(0, -1)},"score":${Number(`${score}e-4`)}}`
    })
    return `[${(await Promise.all(rows)).join(',')}]`
  }
}

for (const [place, [seed, threadCounts]] of [...THREADS_BY_SEED].entries()) {
  test(`demo rows of seed ${seed}: the bytes equal those of scoring every row`, async (t) => {
    const path = join(t.testdir(), 'demo.db')
    const workspace = await demoFile(path, seed)
    const request = { filters: {}, bounds: {}, scoreMin: 0, windowRowsMax: ROWS }
    const expected: Expected[] = queriesFor(
      workspace,
      randomOf(seed),
      place * QUERIES_PER_SEED,
    ).map((text) => ({ query: text, matches: naiveMatches(workspace, { ...request, text }) }))
    const texts = new RowTexts()
    const hitCounts: Record<string, number> = {}
    for (const threads of threadCounts) {
      const ask = await serving(t, path, threads)
      for (const { query, matches } of expected) {
        for (const [threshold, scoreMin] of Object.entries(THRESHOLDS)) {
          const hits = matches.filter(({ score }) => score >= scoreMin)
          hitCounts[threshold] = (hitCounts[threshold] ?? 0) + hits.length
          for (const offset of new Set([0, Math.max(0, hits.length - 7)])) {
            const parameters = new URLSearchParams({ query, threshold, offset: String(offset) })
            const target = `/match?limit=${LIMIT}&${parameters}`
            const reply = await ask(target)
            assert.equal(outcomeOf(reply), '200', target)
            assert.equal(reply.fields['x-total-count'], String(hits.length), target)
            const wanted = await texts.pageOf(ask, hits.slice(offset, offset + LIMIT))
            assert.equal(reply.text, wanted, `${target}, ${threads} threads`)
          }
        }
      }
    }
    t.equal(hitCounts['0'], threadCounts.length * QUERIES_PER_SEED * ROWS)
    for (const threshold of ['0.3', '0.6', '0.9']) {
      t.ok((hitCounts[threshold] ?? 0) > 0, `${hitCounts[threshold]} at ${threshold}`)
    }
  })
}
