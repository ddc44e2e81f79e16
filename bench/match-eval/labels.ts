import { strict as assert } from 'node:assert'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import typia from 'typia'
import type { LabelledQuery } from './labelled-query.js'
import type { StatementCandidate } from './statement-candidates.js'

/** Position of a transaction; the amount proves that the file is the labelled one. */
interface LabelledTransaction {
  /** A StatementCandidate's. */
  file: string
  entry: number
  amount: string
}

/** A reference as typed and the transactions it belongs to; none = absent. */
export interface Label {
  /** Only in `labels.json`, which has questions of both purposes; of other files all are used. */
  set?: 'tune' | 'report'
  query: string
  /** Language of the transactions, ISO 639-1. */
  language?: string
  /** How the query differs from the texts; `absent: ` and what is there instead. */
  kind?: string
  found: LabelledTransaction[]
  /** Transactions with another reference, similar or of the same file. */
  decoys?: LabelledTransaction[]
}

/**
 * Who labelled questions by hand.
 *   own           the authors of the scorer, who report the others but do not tune on them
 *   independent   others, whose questions are never read and never tuned on
 */
export type Labeller = 'own' | 'independent'

/** The purpose that questions are used for. */
export type LabelPurpose = 'tune' | 'report'

const FOLDER = resolve(import.meta.dirname, '../../../bench/match-eval')

/** Files of labels by purpose, of which those that are there are read. */
const FILES: Readonly<Record<LabelPurpose, readonly (readonly [string, Labeller])[]>> = {
  tune: [
    ['labels.json', 'own'],
    ['labels-tune-real.json', 'own'],
  ],
  report: [
    ['labels.json', 'own'],
    ['independent-labels.json', 'independent'],
  ],
}

const assertLabels = typia.createAssert<Label[]>()

/**
 * Reads the labels of a labeller for a purpose; none where its file is not there.
 * @throws Error when a file does not have the shape of {@link Label}
 */
export function readLabels(purpose: LabelPurpose, labeller: Labeller): Label[] {
  return FILES[purpose].flatMap(([name, by]) => {
    const path = resolve(FOLDER, name)
    if (by !== labeller || !existsSync(path)) return []
    const labels = assertLabels(JSON.parse(readFileSync(path, 'utf8')))
    return labels.filter(({ set = purpose }) => set === purpose)
  })
}

/** Class of the questions whose transactions are there. */
export const PRESENT = 'present'

/** What is there in place of an absent reference -> the words of a label's kind that say so. */
const ABSENT_KINDS: readonly (readonly [string, RegExp])[] = [
  ['absent: digits of an amount, a date or the like', /\b(amount|date|time|rate|postcode|phone)/],
  ['absent: inside a longer number', /\b(inside|longer|part of)/],
  ['absent: digits or letters swapped', /\b(swap|changed places|transposed)/],
  ['absent: a digit or letter off', /\b(off|wrong|differs)/],
  ['absent: a sibling', /\b(next|another|other|sibling|same|month|year)/],
]

/** The class of a label: {@link PRESENT}, or a kind of absence. */
export function groupOf({ found, kind = '' }: Label): string {
  if (found.length > 0) return PRESENT
  const known = ABSENT_KINDS.find(([, words]) => words.test(kind.replace(/^absent:?/, '')))
  return known === undefined ? 'absent: other' : known[0]
}

/**
 * The questions of labels. A transaction whose six texts equal those of a true one is also true:
 * several files hold the same statement.
 * @throws Error when a labelled transaction is not where its label says
 */
export function labelledQueries(
  labels: readonly Label[],
  candidates: readonly StatementCandidate[],
): LabelledQuery[] {
  const texts = candidates.map((candidate) => JSON.stringify(candidate.texts))
  const places = new Map(candidates.map(({ file, entry }, at) => [`${file} ${entry}`, at]))
  return labels.map((label) => {
    const { query, language = 'unknown', found, decoys = [] } = label
    const placesOf = (wanted: readonly LabelledTransaction[]): number[] =>
      wanted.map(({ file, entry, amount }) => {
        const at = places.get(`${file} ${entry}`) ?? -1
        const isThere = candidates[at]?.amount === amount
        assert(isThere, `a label names ${file} entry ${entry}, which is another one`)
        return at
      })
    const trueTexts = new Set(placesOf(found).map((at) => texts[at]))
    const trueAt = texts.flatMap((text, at) => (trueTexts.has(text) ? [at] : []))
    const decoysAt = placesOf(decoys).filter((at) => !trueTexts.has(texts[at]))
    const expectation = found.length === 0 ? 'absent' : 'found'
    return { group: groupOf(label), expectation, query, trueAt, decoysAt, language }
  })
}
