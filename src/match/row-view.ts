import { UNITS_MAX } from './costs.js'
import { patternPlaces, type SearchedField } from './distance.js'
import { type CompactRows, FIELD_COUNT, MATCH_FIELDS } from './fields.js'

/**
 * A field of the row in view, and the units that a search has found in it (unit-set.ts).
 *
 *   FIELD                HOLDS
 *   index                its position in MATCH_FIELDS
 *   codes, gaps, marks   the arrays that contain it, from `from` to before `to`
 *   alignFrom, alignTo   the span of it to align
 *   places               places of the patterns of the units
 *   units                bits of the units that may have a score there; the others have none
 *   runs                 bits of those whose runs are there, where `units` has one with a run
 */
export interface FieldView extends SearchedField {
  readonly index: number
  readonly marks: Uint8Array
  from: number
  to: number
  alignFrom: number
  alignTo: number
  units: number
  runs: number
}

/**
 * One row of many, moved from row to row.
 *
 *   FIELD     HOLDS
 *   fields    the fields that the row has, in order
 *   every     all fields, whether the row has them or not
 *   subsets   bits of fields -> these fields; undefined until a row has just them
 */
export interface RowView {
  readonly codes: Uint8Array
  readonly offsets: Uint32Array
  fields: readonly FieldView[]
  readonly every: readonly FieldView[]
  readonly subsets: (readonly FieldView[] | undefined)[]
}

/** A view of rows, of none of them yet. */
export function rowView({ codes, gaps, marks, offsets }: CompactRows): RowView {
  const every = MATCH_FIELDS.map((_, index) => ({
    index,
    codes,
    gaps,
    marks,
    from: 0,
    to: 0,
    alignFrom: 0,
    alignTo: 0,
    places: patternPlaces(UNITS_MAX),
    units: 0,
    runs: 0,
  }))
  return { codes, offsets, fields: [], every, subsets: new Array(1 << FIELD_COUNT) }
}

/** Moves a view to a row. @param ordinal of the row */
export function viewRow(view: RowView, ordinal: number): void {
  const { offsets, every } = view
  const first = ordinal * FIELD_COUNT
  let present = 0
  let to = offsets[first]! // there is an offset more than fields
  for (let i = 0; i < every.length; i++) {
    const from = to
    to = offsets[first + i + 1]!
    if (from === to) continue
    const field = every[i]! // i < every.length
    field.from = from
    field.to = to
    present |= 1 << i
  }
  view.fields = view.subsets[present] ??= subsetOf(every, present)
}

function subsetOf(fields: readonly FieldView[], present: number): readonly FieldView[] {
  return fields.filter((_, i) => (present & (1 << i)) !== 0)
}
