import { type Random, randomOf } from '../../src/demo/random.js'
import { CommandError } from '../../src/errors.js'
import { backgroundOf } from './background.js'
import {
  type Candidate,
  cutForms,
  digitKey,
  groupsAndPairs,
  invoiceNumbers,
  isInRange,
  type NumberRange,
  numberRanges,
  presentTexts,
  wholeText,
  withoutDatesAndAmounts,
} from './candidate.js'
import type { LabelledQuery } from './labelled-query.js'
import { compactText, type Noise, type Planting, type Trace } from './noise.js'
import { ABSENT_NOISE } from './noise-absent.js'
import { EVIDENCE_NOISE } from './noise-evidence.js'
import { GROUPS_NOISE } from './noise-groups.js'
import { LISTS_NOISE } from './noise-lists.js'
import { SPELLING_NOISE } from './noise-spelling.js'
import { WORDING_NOISE } from './noise-wording.js'
import { ZEROS_NOISE } from './noise-zeros.js'
import type { StatementCandidate } from './statement-candidates.js'

/** A window and its questions. */
export interface EvaluationSet {
  readonly seed: number
  readonly candidates: readonly Candidate[]
  readonly questions: readonly LabelledQuery[]
  /** Number of removed questions, whose reference also occurs in another text by chance. */
  readonly droppedCount: number
}

/** Options of an evaluation set. */
export interface EvaluationSetOptions {
  /** Total number of candidates. */
  readonly rowCount: number
  readonly seed: number
  /** Real transactions to add to the window. */
  readonly statements: readonly StatementCandidate[]
}

/** Every class, in the order of the tables. */
const NOISE: readonly Noise[] = [
  ...SPELLING_NOISE,
  ...WORDING_NOISE,
  ...ABSENT_NOISE,
  ...ZEROS_NOISE,
  ...GROUPS_NOISE,
  ...LISTS_NOISE,
  ...EVIDENCE_NOISE,
]

/** Questions of a class of weight 1, when there is enough room. */
const QUESTIONS_PER_CLASS = 25

/** In a large window most short numbers already occur somewhere. */
const TRIES_PER_QUESTION = 100

/** Rows for one round of questions of all classes, with a background. */
const ROWS_PER_ROUND = 700

/**
 * Builds a window of invented and real transactions with planted references, and its questions.
 * Equal options give equal sets.
 * @throws CommandError `usage` when there are too few rows for one question of every class
 */
export async function makeEvaluationSet(options: EvaluationSetOptions): Promise<EvaluationSet> {
  const { rowCount, seed, statements } = options
  const rounds = Math.min(QUESTIONS_PER_CLASS, Math.floor(rowCount / ROWS_PER_ROUND))
  if (rounds < 1) throw new CommandError('usage', `--rows must be at least ${ROWS_PER_ROUND}`)
  const background = await backgroundOf(rowCount, seed)
  const unplanted = new TraceFinder([...background, ...statements])
  const plantings = plantAll(randomOf(seed), rounds, unplanted)
  const candidates: Candidate[] = []
  const planted = plantings.map(({ noise, planting }): LabelledQuery & { trace: Trace } => {
    const { group, expectation } = noise
    const { query, trace } = planting
    const put = (texts: Candidate['texts']): number => candidates.push({ texts }) - 1
    const trueAt = planting.truths.map(put)
    return { group, expectation, query, trueAt, decoysAt: planting.decoys.map(put), trace }
  })
  const kept = withoutChance(planted, new TraceFinder(candidates))
  candidates.push(...statements)
  candidates.push(...background.slice(0, Math.max(0, rowCount - candidates.length)))
  return { seed, candidates, questions: kept, droppedCount: planted.length - kept.length }
}

interface Planted {
  readonly noise: Noise
  readonly planting: Planting
}

/** Plants each class by its weight, without references that the background contains. */
function plantAll(random: Random, rounds: number, unplanted: TraceFinder): Planted[] {
  const plantings: Planted[] = []
  for (const noise of NOISE) {
    const wanted = rounds * (noise.weight ?? 1)
    let [plantedCount, tries] = [0, 0]
    while (plantedCount < wanted && tries < wanted * TRIES_PER_QUESTION) {
      tries += 1
      const planting = noise.plant(random)
      if (unplanted.placesOf(planting.trace).length > 0) continue
      plantings.push({ noise, planting })
      plantedCount += 1
    }
  }
  return plantings
}

/**
 * The questions whose reference occurs in no transaction planted for another question, nor in a
 * range of numbers there.
 */
function withoutChance(
  questions: readonly (LabelledQuery & { readonly trace: Trace })[],
  planted: TraceFinder,
): LabelledQuery[] {
  return questions.flatMap(({ trace, ...question }) => {
    const own = new Set([...question.trueAt, ...question.decoysAt])
    const places = [...planted.placesOf(trace), ...planted.rangesAround(trace)]
    return places.every((at) => own.has(at)) ? [question] : []
  })
}

/** Finds the candidates that contain a reference in any spelling. */
class TraceFinder {
  readonly #digits: JoinedTexts
  readonly #groups: JoinedTexts
  readonly #invoices: JoinedTexts
  readonly #compact: JoinedTexts
  readonly #ranges: readonly (NumberRange & { readonly at: number })[]

  constructor(candidates: readonly Candidate[]) {
    const texts = candidates.map(wholeText)
    this.#ranges = texts.flatMap((text, at) =>
      numberRanges(withoutDatesAndAmounts(text)).map((range) => ({ ...range, at })),
    )
    this.#digits = new JoinedTexts(
      candidates.map((candidate) => {
        const fields = presentTexts(candidate).map(withoutDatesAndAmounts)
        return `${fields.map(digitKey).join(' ')} `
      }),
    )
    this.#groups = new JoinedTexts(
      texts.map((text) => ` ${groupsAndPairs(withoutDatesAndAmounts(text)).join(' ')} `),
    )
    this.#invoices = new JoinedTexts(texts.map((text) => ` ${invoiceNumbers(text).join(' ')} `))
    this.#compact = new JoinedTexts(texts.map(compactText))
  }

  /** Positions of the candidates. */
  placesOf({ kind, text }: Trace): number[] {
    if (kind === 'digits') {
      // A field that ends within the reference may have been too short for it.
      const cut = cutForms(text).map((form) => `${form} `)
      return [text, ...cut].flatMap((wanted) => this.#digits.placesOf(wanted))
    }
    if (kind === 'group') return this.#groups.placesOf(` ${text} `)
    if (kind === 'invoice') return this.#invoices.placesOf(` ${text} `)
    return this.#compact.placesOf(text)
  }

  /** Positions of the candidates with a range that the reference lies in. */
  rangesAround({ text }: Trace): number[] {
    const digits = digitKey(text)
    return this.#ranges.flatMap((range) => (isInRange(digits, range) ? [range.at] : []))
  }
}

/** All texts joined into one, so that one search finds every text with a given substring. */
class JoinedTexts {
  readonly #joined: string
  readonly #starts: readonly number[]

  constructor(texts: readonly string[]) {
    let end = 0
    this.#starts = texts.map((text) => {
      const start = end
      end += text.length + 1
      return start
    })
    this.#joined = texts.map((text) => `${text}\n`).join('')
  }

  placesOf(wanted: string): number[] {
    const places: number[] = []
    let at = this.#joined.indexOf(wanted)
    while (at !== -1) {
      const place = this.#starts.findLastIndex((start) => start <= at)
      places.push(place)
      const next = this.#starts[place + 1]
      if (next === undefined) break
      at = this.#joined.indexOf(wanted, next)
    }
    return places
  }
}
