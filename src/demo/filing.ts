import { strict as assert } from 'node:assert'
import type { EpochMs } from '../instant.js'
import type { OpenWorkspace } from '../store/workspace-writer.js'
import { bankingDayFrom, midnightOf } from './calendar.js'
import type { DraftTransaction, Posting } from './draft.js'
import type { Random } from './random.js'
import type { CategoryWords } from './words.js'

/** The place of a category in the tree: its own id and that of its parent. */
interface CategoryPlace {
  readonly id: number
  /** null = it is a broad category itself. */
  readonly parentId: number | null
}

/** Category name -> its place; a name occurs once. */
export type CategoryPlaces = ReadonlyMap<string, CategoryPlace>

/** In a thousand: bookings without a category, and those with a broad category alone. */
const UNFILED_PER_MILLE = 70
const BROAD_PER_MILLE = 110

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Writes the category tree. */
export function insertCategories(
  open: OpenWorkspace,
  tree: readonly CategoryWords[],
): CategoryPlaces {
  const places = new Map<string, CategoryPlace>()
  const parents = tree.map(({ name }) => {
    const id = open.insertCategory({ id: null, name, parentId: null })
    places.set(name, { id, parentId: null })
    return id
  })
  tree.forEach(({ details }, at) => {
    const parentId = parents[at] ?? null
    for (const name of details) {
      assert(!places.has(name), `${name} stands in the tree once`)
      places.set(name, { id: open.insertCategory({ id: null, name, parentId }), parentId })
    }
  })
  return places
}

/** Files the posting under its category, under the broad one alone, or not at all. */
export function fileUnderCategory(posting: Posting, places: CategoryPlaces, random: Random): void {
  if (posting.category === null || random.chance(UNFILED_PER_MILLE)) return
  const place = places.get(posting.category)
  assert(place !== undefined, `the tree has the category ${posting.category}`)
  const broad = place.parentId === null || random.chance(BROAD_PER_MILLE)
  posting.row.categoryId = broad ? (place.parentId ?? place.id) : place.id
  posting.row.parentCategoryId = broad ? null : place.parentId
}

/**
 * Adds the fields of bank and importer: the value date, the journal number, and the import on the
 * morning after the booking, one instant for all bookings of an account and a day.
 * @param primanota whether the bank of the account gives journal numbers
 */
export function stampImport(
  row: DraftTransaction,
  dayNumber: number,
  { random, primanota, endsAt }: { random: Random; primanota: boolean; endsAt: EpochMs },
): void {
  if (random.chance(80)) {
    const steps = random.pick([-2, -1, -1, 1, 1, 1, 2])
    row.valuedAt = midnightOf(bankingDayFrom(dayNumber, steps))
  }
  if (primanota && random.chance(200)) row.primanota = String(9200 + random.below(150))
  const secondsPastFour = row.accountId * 900 + ((dayNumber * 7919) % 840)
  const importedAt = midnightOf(dayNumber + 1) + 4 * HOUR_MS + secondsPastFour * 1000
  row.importedAt = importedAt
  row.createdAt = importedAt
  row.updatedAt = importedAt
  if (!random.chance(40)) return
  const editedAt = importedAt + random.between(1, 30) * DAY_MS + random.below(10 * HOUR_MS)
  if (editedAt < endsAt) row.updatedAt = editedAt
}
