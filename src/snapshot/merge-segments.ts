import { mergeTextIndexes } from '../free-text/merge.js'
import { mergeMatchIndexes } from '../match/merge.js'
import { bitAt } from '../ordinals/bit-set.js'
import { ROW_GONE } from '../ordinals/ordinal.js'
import { NO_CODE } from './id-dictionary.js'
import { codeCountOf } from './postings.js'
import { RawColumns } from './raw-columns.js'
import { RowBytes } from './row-bytes.js'
import {
  aliveCount,
  type JsonFragments,
  type LiveSegment,
  type Segment,
  type StaleSegments,
} from './snapshot.js'
import { rowJson, staleFragmentsOf } from './stale-fragments.js'
import { stringCount, stringOfCode } from './strings.js'

/**
 * Merges segments: their live rows, with the present fragments. Nothing is read from the file, so
 * it costs a copy.
 * @param fragments every code of the workspace's dictionary
 * @throws StoreError when the result is too large
 */
export function mergeSegments(
  sources: readonly LiveSegment[],
  fragments: JsonFragments,
): LiveSegment {
  const plan = planOf(sources)
  const { rowCount } = plan
  const columns = new RawColumns(rowCount)
  sources.forEach(({ segment }, number) => {
    fillColumns(columns, segment, plan.ordinalsOf[number] ?? new Uint32Array(0))
  })
  const rendered = mergedRows(sources, plan, staleFragmentsOf(sources, fragments))
  const counts = { accounts: fragments.accounts.length, categories: fragments.categories.length }
  const segment = {
    ...columns.indexed(counts),
    ...rendered.finish(),
    fragments,
  }
  return { segment, alive: undefined, ...mergedIndexes(sources, plan) }
}

/**
 * Mapping of source rows to result rows.
 *
 *   FIELD         SIZE                  HOLDS
 *   sourceOf      1 × rows              number of the source that the row comes from
 *   ordinalsOf    4 × rows, a source    ordinal in the result, per ordinal in the source;
 *                                       ROW_GONE = the row is deleted
 */
interface Plan {
  readonly rowCount: number
  readonly sourceOf: Uint8Array
  readonly ordinalsOf: readonly Uint32Array[]
}

function planOf(sources: readonly LiveSegment[]): Plan {
  const rowCount = sources.reduce((count, source) => count + aliveCount(source), 0)
  const sourceOf = new Uint8Array(rowCount)
  const ordinalsOf = sources.map(({ segment }) => new Uint32Array(segment.rowCount).fill(ROW_GONE))
  const heads = sources.map((source) => nextAlive(source, 0))
  for (let row = 0; row < rowCount; row++) {
    const number = newestOf(sources, heads)
    const head = heads[number] ?? 0
    sourceOf[row] = number
    // newestOf returns a source that has a row left.
    ordinalsOf[number]![head] = row
    heads[number] = nextAlive(sources[number]!, head + 1)
  }
  return { rowCount, sourceOf, ordinalsOf }
}

/** The source whose next row has the greatest id. */
function newestOf(sources: readonly LiveSegment[], heads: readonly number[]): number {
  let newest = 0
  let greatest = 0
  for (let number = 0; number < sources.length; number++) {
    const id = sources[number]!.segment.ids[heads[number]!] ?? 0
    if (id <= greatest) continue
    newest = number
    greatest = id
  }
  return newest
}

function nextAlive({ segment, alive }: LiveSegment, from: number): number {
  let ordinal = from
  if (alive === undefined) return ordinal
  while (ordinal < segment.rowCount && bitAt(alive.words, ordinal) === 0) ordinal += 1
  return ordinal
}

/** An index is undefined when a source has none yet. */
function mergedIndexes(
  sources: readonly LiveSegment[],
  { rowCount, ordinalsOf }: Plan,
): Pick<LiveSegment, 'text' | 'match'> {
  const texts = sources.flatMap(({ text }, number) => moved(text, ordinalsOf[number]))
  const matches = sources.flatMap(({ match }, number) => moved(match, ordinalsOf[number]))
  return {
    text: texts.length < sources.length ? undefined : mergeTextIndexes(texts, rowCount),
    match: matches.length < sources.length ? undefined : mergeMatchIndexes(matches, rowCount),
  }
}

function moved<Index>(
  index: Index | undefined,
  ordinalOf: Uint32Array | undefined,
): { readonly index: Index; readonly ordinalOf: Uint32Array }[] {
  return index === undefined || ordinalOf === undefined ? [] : [{ index, ordinalOf }]
}

function fillColumns(columns: RawColumns, segment: Segment, ordinalOf: Uint32Array): void {
  const { counterpartIbans, booked, valued, imported, amounts } = segment
  const categoryCount = codeCountOf(segment.categoryPostings)
  const ibans = Array.from({ length: stringCount(counterpartIbans) }, (_, code) =>
    stringOfCode(counterpartIbans, code),
  )
  for (let from = 0; from < ordinalOf.length; from++) {
    const row = ordinalOf[from]!
    if (row === ROW_GONE) continue
    columns.ids[row] = segment.ids[from]!
    columns.accountCodes[row] = segment.accountCodes[from]!
    columns.categoryCodes[row] = codeOrNone(segment.categoryCodes[from]!, categoryCount)
    columns.parentCodes[row] = codeOrNone(segment.parentCodes[from]!, categoryCount)
    columns.setCounterpart(row, ibans[segment.counterpartCodes[from]!] ?? null)
    columns.bookedAt[row] = booked.values[booked.codes[from]!] ?? Number.NaN
    columns.valuedAt[row] = valued.values[valued.codes[from]!] ?? Number.NaN
    columns.importedAt[row] = imported.values[imported.codes[from]!] ?? Number.NaN
    columns.amounts[row] = amounts.unscaled[amounts.codes[from]!]!
    columns.scales[row] = amounts.scales[amounts.codes[from]!]!
    columns.setCurrency(row, segment.currencies[segment.currencyCodes[from]!]!)
  }
}

function codeOrNone(code: number, codeCount: number): number {
  return code === codeCount ? NO_CODE : code
}

function mergedRows(
  sources: readonly LiveSegment[],
  { rowCount, sourceOf }: Plan,
  staleFragments: StaleSegments,
): RowBytes {
  const byteCount = sources.reduce((sum, { segment }) => sum + segment.rowBytes.length, 0)
  const rendered = new RowBytes(rowCount, byteCount)
  const heads = sources.map(() => -1)
  for (let row = 0; row < rowCount; row++) {
    const number = sourceOf[row]!
    const source = sources[number]!
    const { segment } = source
    const ordinal = nextAlive(source, heads[number]! + 1)
    heads[number] = ordinal
    const stale = staleFragments.get(segment)
    if (stale === undefined) {
      const { rowBytes, rowOffsets } = segment
      rendered.appendBytes(rowBytes, rowOffsets[ordinal]!, rowOffsets[ordinal + 1]!)
    } else {
      rendered.append(`${Buffer.from(rowJson(segment, ordinal, stale)).toString()},`)
    }
  }
  return rendered
}
