import { strict as assert } from 'node:assert'
import { rowSetCount } from '../free-text/row-set.js'
import { rowsWithAllTerms } from '../free-text/rows-with-terms.js'
import { codeCountOf, postingOf } from '../snapshot/postings.js'
import type { LiveSegment, Segment, Snapshot } from '../snapshot/snapshot.js'
import { normalForms, type Term } from '../text/normal-forms.js'
import type { RowsPredicate } from './filter.js'
import type { NamedCode, Selections } from './selections.js'

/**
 * The rows of a segment in which every term occurs, in a text of the row or in the name that its
 * category or parent category has now (decisions, "Free-text search"). The segment has its index.
 * @param terms at least one
 */
export function searchedRows(
  snapshot: Snapshot,
  { segment, text }: LiveSegment,
  terms: readonly Term[],
  { searched, categoryNames }: Selections,
): RowsPredicate {
  assert(text !== undefined, 'searches wait for the index')
  const names = categoryNames.get(snapshot.categories) ?? namesOf(snapshot)
  categoryNames.set(snapshot.categories, names)
  const codes = new Map(terms.map((term) => [term, codesNamed(names, term)]))
  const key = [...codes].map(([term, named]) => `${keyOf(term)}\n${named.join()}`).join('\n')
  const rows = searched.findOrKeep(text, segment.rowCount, key, () =>
    rowsWithAllTerms(text, terms, (term) => rowsOfCodes(segment, codes.get(term) ?? [])),
  )
  return { kind: 'rows', key: `t${key}`, rows, count: rowSetCount(rows) }
}

/** Differs between terms; holds no line break, because no term does. */
function keyOf({ first, second }: Term): string {
  return first === second ? first : `${first}\t${second}`
}

function rowsOfCodes({ eitherPostings }: Segment, codes: readonly number[]): Uint32Array[] {
  const codeCount = codeCountOf(eitherPostings)
  return codes.filter((code) => code < codeCount).map((code) => postingOf(eitherPostings, code))
}

/** Codes of the categories in whose names the term occurs. */
function codesNamed(names: readonly NamedCode[], term: Term): number[] {
  return names
    .filter(({ first, second }) => first.includes(term.first) || second.includes(term.second))
    .map(({ code }) => code)
}

function namesOf({ categories }: Snapshot): NamedCode[] {
  return categories.map(({ name, code }) => ({ ...normalForms(name), code }))
}
