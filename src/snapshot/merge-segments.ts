import { strict as assert } from 'node:assert'
import { mergeTextIndexes } from '../free-text/merge.js'
import { mergeMatchIndexes } from '../match/merge.js'
import { bitAt } from '../ordinals/bit-set.js'
import { ROW_GONE } from '../ordinals/ordinal.js'
import { NO_CODE } from './id-dictionary.js'
import { codeCountOf } from './postings.js'
import { RawColumns } from './raw-columns.js'
import { RowBytes } from './row-bytes.js'
import { SEGMENT_LIMITS, type SegmentLimits } from './segment-size.js'
import {
  aliveCount,
  type JsonFragments,
  type LiveSegment,
  type Segment,
  type StaleFragments,
} from './snapshot.js'
import { rowJson, staleFragmentsOf } from './stale-fragments.js'
import { type StringTable, stringCount, stringOfCode } from './strings.js'

/**
 * Merges segments: their live rows, with the present fragments. Nothing is read from the file, so
 * it costs a copy.
 * @param fragments every code of the workspace's dictionary
 * @returns segments as large as the limits allow; none if no row is alive
 * @throws StoreError when a row alone is beyond the limits
 */
export function mergeSegments(
  sources: readonly LiveSegment[],
  fragments: JsonFragments,
  limits = SEGMENT_LIMITS,
): LiveSegment[] {
  const plan = planOf(sources)
  const counts = { accounts: fragments.accounts.length, categories: fragments.categories.length }
  const merged: LiveSegment[] = []
  let from = 0
  for (const rendered of mergedRows(sources, plan, fragments, limits)) {
    const { rowCount } = rendered
    const isAll = rowCount === plan.rowCount
    const ordinalsOf = isAll ? plan.ordinalsOf : ordinalsWithin(plan, from, from + rowCount)
    const columns = new RawColumns(rowCount)
    for (const [number, { segment }] of sources.entries()) {
      fillColumns(columns, segment, ordinalsOf[number]!) // one per source
    }
    const segment = { ...columns.indexed(rowCount, counts), ...rendered.finish(), fragments }
    merged.push({ segment, alive: undefined, ...mergedIndexes(sources, { rowCount, ordinalsOf }) })
    from += rowCount
  }
  return merged
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

/** The ordinals of those rows of a result that are rows [from, to) of the whole. */
function ordinalsWithin({ ordinalsOf }: Plan, from: number, to: number): Uint32Array[] {
  return ordinalsOf.map((ordinals) =>
    ordinals.map((row) => (row >= from && row < to ? row - from : ROW_GONE)),
  )
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
  { rowCount, ordinalsOf }: Pick<Plan, 'rowCount' | 'ordinalsOf'>,
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
  const { counterpartIbans, counterparts, counterpartKeys, amounts } = segment
  const { booked, valued, imported, updated } = segment
  const categoryCount = codeCountOf(segment.categoryPostings)
  const ibans = textsOf(counterpartIbans)
  const names = textsOf(counterparts.names)
  const keys = textsOf(counterpartKeys.table)
  for (let from = 0; from < ordinalOf.length; from++) {
    const row = ordinalOf[from]!
    if (row === ROW_GONE) continue
    columns.ids[row] = segment.ids[from]!
    columns.accountCodes[row] = segment.accountCodes[from]!
    columns.categoryCodes[row] = codeOrNone(segment.categoryCodes[from]!, categoryCount)
    columns.parentCodes[row] = codeOrNone(segment.parentCodes[from]!, categoryCount)
    const counterpart = counterparts.codes[from]!
    const iban = ibans[counterparts.ibanCodes[counterpart] ?? ibans.length]
    const name = names[counterparts.nameCodes[counterpart] ?? names.length]
    columns.counterparts.set(row, iban ?? null, name ?? null)
    columns.counterpartKeys.set(row, keys[counterpartKeys.codes[from]!])
    columns.bookedAt[row] = booked.values[booked.codes[from]!] ?? Number.NaN
    columns.valuedAt[row] = valued.values[valued.codes[from]!] ?? Number.NaN
    columns.importedAt[row] = imported.values[imported.codes[from]!] ?? Number.NaN
    columns.updatedAt[row] = updated.values[updated.codes[from]!] ?? Number.NaN
    columns.amounts[row] = amounts.unscaled[amounts.codes[from]!]!
    columns.scales[row] = amounts.scales[amounts.codes[from]!]!
    columns.setCurrency(row, segment.currencies[segment.currencyCodes[from]!]!)
  }
}

function textsOf(table: StringTable): string[] {
  return Array.from({ length: stringCount(table) }, (_, code) => stringOfCode(table, code))
}

function codeOrNone(code: number, codeCount: number): number {
  return code === codeCount ? NO_CODE : code
}

/** The rows of the results one after the other. @throws StoreError */
function* mergedRows(
  sources: readonly LiveSegment[],
  { rowCount, sourceOf }: Plan,
  fragments: JsonFragments,
  limits: SegmentLimits,
): Generator<RowBytes> {
  const staleFragments = staleFragmentsOf(sources, fragments)
  let restBytes = sources.reduce((sum, { segment }) => sum + segment.rowBytes.length, 0)
  let rendered = new RowBytes(limits, rowCount, restBytes)
  const heads = sources.map(() => -1)
  for (let row = 0; row < rowCount; row++) {
    const number = sourceOf[row]!
    const source = sources[number]!
    const { segment } = source
    const ordinal = nextAlive(source, heads[number]! + 1)
    heads[number] = ordinal
    const append = appenderOf(segment, ordinal, staleFragments.get(segment))
    if (!append(rendered)) {
      yield rendered
      rendered = new RowBytes(limits, rowCount - row, restBytes)
      assert(append(rendered), 'a first row has room')
    }
    restBytes -= segment.rowOffsets[ordinal + 1]! - segment.rowOffsets[ordinal]!
  }
  if (rendered.rowCount > 0) yield rendered
}

/** Appends a row to others, as stored or, where a fragment of it is outdated, as it is now. */
function appenderOf(
  segment: Segment,
  ordinal: number,
  stale: StaleFragments | undefined,
): (to: RowBytes) => boolean {
  if (stale === undefined) {
    const { rowBytes, rowOffsets } = segment
    const [from, to] = [rowOffsets[ordinal]!, rowOffsets[ordinal + 1]!]
    return (rendered) => rendered.appendBytes(rowBytes, from, to)
  }
  const json = `${Buffer.from(rowJson(segment, ordinal, stale)).toString()},`
  return (rendered) => rendered.append(json)
}
