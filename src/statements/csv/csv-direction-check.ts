import type { Amount } from '../../money.js'
import type { DirectionKind } from './csv-direction.js'
import { DIRECTION_WORDS, directionKeys } from './csv-direction.js'
import type { CsvPlan } from './csv-plan.js'
import { columnsTextOf, writtenColumn } from './csv-plan.js'
import { columnKey } from './csv-profile.js'
import type { CsvRecord } from './csv-records.js'

const KNOWN_WORDS = directionKeys(DIRECTION_WORDS)

/** Words of a column that are shown in a message. */
const SHOWN_WORDS = 4

/** What one column without a field holds so far: known words for debit and credit only. */
interface WordColumn {
  readonly place: number
  /** Whether its texts are stored as the type, which may be `Gutschrift` for other reasons. */
  readonly isType: boolean
  readonly words: Set<string>
  readonly kinds: Set<DirectionKind>
  /** The first record with an amount that its word contradicts. */
  contradictedLine: number | undefined
}

/**
 * Searches a table whose mapping takes the sign from the amount for a column that contradicts it:
 * all its texts are known words for debit or credit, and some debit has no minus. Layouts are known
 * by some of their columns, and an additional one may change the meaning of the amounts.
 */
export class DirectionCheck {
  readonly #columns: Map<number, WordColumn>
  #hasMinus = false

  constructor(private readonly plan: CsvPlan) {
    this.#columns = new Map(wordColumns(plan).map((column) => [column.place, column]))
  }

  /** Takes a booking: its record and its amount as read. */
  take({ line, cells }: CsvRecord, amount: Amount): void {
    if (amount.unscaled < 0) this.#hasMinus = true
    for (const [place, column] of this.#columns) {
      const text = cells[place] ?? ''
      if (text === '') continue
      const kind = KNOWN_WORDS.get(text) ?? KNOWN_WORDS.get(columnKey(text))
      if (kind === undefined) {
        this.#columns.delete(place)
        continue
      }
      if (column.words.size < SHOWN_WORDS) column.words.add(text)
      column.kinds.add(kind)
      const isContradicted = kind === 'debit' ? amount.unscaled > 0 : amount.unscaled < 0
      if (isContradicted) column.contradictedLine ??= line
    }
  }

  /** The contradiction in all records taken, and its position; undefined = none. */
  problem(): { readonly position: string; readonly message: string } | undefined {
    for (const column of this.#columns.values()) {
      const { contradictedLine, isType, kinds } = column
      if (contradictedLine === undefined) continue
      // Among amounts with signs, a column of one word is of something else, such as debit cards.
      if ((this.#hasMinus || isType) && kinds.size < 2) continue
      if (isType && this.#hasMinus) continue
      return { position: `line ${contradictedLine}`, message: this.#messageOf(column) }
    }
    return undefined
  }

  #messageOf({ place, words }: WordColumn): string {
    const { profile } = this.plan
    const name = writtenColumn(this.plan, place)
    const found = [...words].map((word) => JSON.stringify(word)).join(', ')
    const why = this.#hasMinus ? 'which contradicts some signs' : 'and no amount has a minus'
    const problem = `column ${name} has debit or credit (${found}), ${why}`
    if (profile.name === '--columns') {
      return `${problem}; if it decides the sign, add direction=${name} to --columns`
    }
    const mapping = columnsTextOf(this.plan)
    return (
      `${problem}, but the layout of ${profile.name} takes the sign from the amount; specify ` +
      `whether the column decides the sign, with --columns '${mapping},direction=${name}', or ` +
      `not, with --columns '${mapping}'`
    )
  }
}

/** The columns that may have a direction; none where the mapping has one, or debit and credit. */
function wordColumns(plan: CsvPlan): WordColumn[] {
  const { at, moreAt, booked, unbooked, moved, continuedAt } = plan
  if (at.amount === undefined || at.direction !== undefined) return []
  const { type, ...others } = at
  const taken = new Set([
    ...Object.values(others),
    ...Object.values(moreAt).flat(),
    ...[...booked, ...unbooked, ...moved].map((texts) => texts.at),
    continuedAt,
  ])
  const free = [...plan.header.keys()].filter((place) => !taken.has(place) && place !== type)
  // The type last: a column without a field is the likelier direction.
  return [...free, ...(type === undefined || taken.has(type) ? [] : [type])].map((place) => ({
    place,
    isType: place === type,
    words: new Set(),
    kinds: new Set(),
    contradictedLine: undefined,
  }))
}
