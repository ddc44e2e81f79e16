import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import typia from 'typia'
import { type Candidate, cutForms, digitKey, presentTexts } from './candidate.js'
import type { LabelledQuery } from './labelled-query.js'
import type { StatementCandidate } from './statement-candidates.js'

/** Position of a transaction; the amount proves that the file is the labelled one. */
interface LabelledTransaction {
  file: string
  entry: number
  amount: string
}

/** A reference as typed and the transactions it belongs to; none = absent. */
export interface Label {
  set: 'tune' | 'report'
  query: string
  found: LabelledTransaction[]
}

/** Name of the hand-labelled questions in the tables. */
const LABELLED = 'labelled'
const LABELLED_ABSENT = 'labelled_absent'

/** Fewer digits occur everywhere; those labels are identified by their distinctive words. */
const KEY_DIGITS_MIN = 4

const PATH = resolve(import.meta.dirname, '../../../bench/match-eval/labels.json')

const assertLabels = typia.createAssert<Label[]>()

/** Reads the hand-made labels. Throws when the file does not have the shape of {@link Label}. */
export function readLabels(): Label[] {
  return assertLabels(JSON.parse(readFileSync(PATH, 'utf8')))
}

/**
 * The questions of one set of labels. A transaction whose six texts equal those of a true one is
 * also true: several files hold the same statement.
 * @param startsAt position of the first candidate in the window
 * @throws Error when a labelled transaction is not where its label says
 */
export function labelledQueries(
  labels: readonly Label[],
  candidates: readonly StatementCandidate[],
  startsAt: number,
): LabelledQuery[] {
  const texts = candidates.map((candidate) => JSON.stringify(candidate.texts))
  return labels.map(({ query, found }) => {
    const trueTexts = new Set(
      found.map((place) => {
        const { file, entry, amount } = place
        const at = candidates.findIndex((one) => one.file === file && one.entry === entry)
        const isThere = candidates[at]?.amount === amount
        assert(isThere, `the label ${query} names ${file} entry ${entry}, which is another one`)
        return texts[at]
      }),
    )
    const trueAt = texts.flatMap((text, at) => (trueTexts.has(text) ? [startsAt + at] : []))
    const isAbsent = found.length === 0
    const group = isAbsent ? LABELLED_ABSENT : LABELLED
    const expectation = isAbsent ? 'absent' : 'found'
    return { group, expectation, query, trueAt, decoysAt: [] }
  })
}

/** Whether a candidate may hold the number of a label by chance and is therefore unlabelled. */
export function mayHoldLabel(candidate: Candidate, labels: readonly Label[]): boolean {
  const keys = presentTexts(candidate).map(digitKey)
  return labels.some(({ query }) => {
    const wanted = digitKey(query)
    if (wanted.length < KEY_DIGITS_MIN) return false
    const cut = cutForms(wanted)
    return keys.some((key) => key.includes(wanted) || cut.some((form) => key.endsWith(form)))
  })
}
