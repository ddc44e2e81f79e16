/**
 * Expected answer to a question.
 *   found      the true candidates first, at or above the threshold
 *   truncated  the true candidates near the top; the reference is cut off in them
 *   conflict   one digit of the reference is wrong: the `intended` candidate is below the threshold
 *   absent     the reference is nowhere: nothing is at or above the threshold
 */
export type Expectation = 'found' | 'truncated' | 'conflict' | 'absent'

/** One query of an evaluation with its known answer. Positions refer to the window. */
export interface LabelledQuery {
  /** The noise class. */
  readonly group: string
  readonly expectation: Expectation
  readonly query: string
  /** Positions of the candidates that belong to the reference; none for `absent`. */
  readonly trueAt: readonly number[]
  /** Positions of the candidates whose reference is similar: planted, or labelled by hand. */
  readonly decoysAt: readonly number[]
  /** Language of a question labelled by hand. */
  readonly language?: string
}
