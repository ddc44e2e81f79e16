import type { Random } from '../src/demo/random.js'
import { type EpochMs, formatInstant, instantOfDay } from '../src/instant.js'
import { Database } from '../src/store/sqlite/sqlite-driver.js'

/** Values that queries over a corpus can filter by. */
export interface CorpusFacts {
  readonly rowCount: number
  readonly accountIds: readonly number[]
  /** Some counterparts, the most frequent first. */
  readonly counterpartIbans: readonly string[]
  /** Detailed categories in use, or all of them, the most frequent first. */
  readonly categories: readonly CategoryFact[]
  /** Of categories in use; none in a shop. */
  readonly parentNames: readonly string[]
  readonly firstBookedAt: EpochMs
  readonly lastBookedAt: EpochMs
}

/** A category with the broad one above it, if there is one. */
export interface CategoryFact {
  readonly id: number
  readonly name: string
  readonly parentName: string | null
}

/** Counterparts that queries filter by: a twentieth of all. */
const COUNTERPARTS_ASKED = 25

/** Reads the facts from the twin's file. */
export function readFacts(twinPath: string): CorpusFacts {
  const file = new Database(twinPath, { readonly: true })
  const all = <Row>(sql: string): Row[] => file.prepare(sql).all() as Row[]
  const ibans = all<{ iban: string }>(`SELECT counterpart_iban AS iban FROM transactions
    WHERE counterpart_iban IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1`)
  const step = Math.max(1, Math.floor(ibans.length / COUNTERPARTS_ASKED))
  const known = all<CategoryFact>(`SELECT c.id, c.name, p.name AS parentName
    FROM categories c LEFT JOIN categories p ON p.id = c.parent_id
    JOIN (SELECT category_id, count(*) AS uses FROM transactions GROUP BY 1) u
    ON u.category_id = c.id ORDER BY uses DESC, c.id`)
  const detailed = known.filter(({ parentName }) => parentName !== null)
  const categories = detailed.length > 0 ? detailed : known
  const [span] = all<{ rows: number; first: number; last: number }>(
    `SELECT count(*) AS rows, min(booking_date) AS first, max(booking_date) AS last
    FROM transactions`,
  )
  const facts = {
    rowCount: span?.rows ?? 0,
    accountIds: all<{ id: number }>('SELECT id FROM accounts ORDER BY id').map(({ id }) => id),
    counterpartIbans: ibans.filter((_, i) => i % step === 0).map(({ iban }) => iban),
    categories,
    parentNames: [...new Set(categories.flatMap(({ parentName }) => parentName ?? []))],
    firstBookedAt: span?.first ?? 0,
    lastBookedAt: span?.last ?? 0,
  }
  file.close()
  return facts
}

/** Exclusive bounds of a calendar month, quarter or year, as texts. */
export interface Period {
  readonly after: string
  readonly before: string
}

/** A month, a quarter or a year of the history, each with the same probability. */
export function periodOf({ firstBookedAt, lastBookedAt }: CorpusFacts, random: Random): Period {
  const [first, last] = [yearOf(firstBookedAt), yearOf(lastBookedAt)]
  const year = random.between(first, last)
  const monthCount = random.pick([1, 3, 12])
  const month = 1 + random.below(12 / monthCount) * monthCount
  const begin = instantOfDay(year, month, 1) ?? 0
  const end =
    month + monthCount > 12
      ? instantOfDay(year + 1, 1, 1)
      : instantOfDay(year, month + monthCount, 1)
  return { after: formatInstant(begin - 1), before: formatInstant(end ?? 0) }
}

/** Midnight of the first day of a random month of the history. */
export function dayOf({ firstBookedAt, lastBookedAt }: CorpusFacts, random: Random): string {
  const year = random.between(yearOf(firstBookedAt) + 1, yearOf(lastBookedAt))
  return formatInstant(instantOfDay(year, random.between(1, 12), 1) ?? 0)
}

function yearOf(ms: EpochMs): number {
  return Number(formatInstant(ms).slice(0, 4))
}
