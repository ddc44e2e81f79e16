/**
 * What a question expects.
 *   found      the true candidates first, at or above the threshold
 *   truncated  the true candidates near the top; the reference is cut off in them
 *   conflict   one digit of the reference is wrong: the `intended` candidate is below the threshold
 *   absent     the reference is nowhere: nothing is at or above the threshold
 */
export type Expectation = 'found' | 'truncated' | 'conflict' | 'absent'

/** One query of an evaluation, with what is known about its answer. Places are of the window. */
export interface Question {
  /** The noise class. */
  readonly group: string
  readonly expectation: Expectation
  readonly query: string
  /** Places of the candidates that belong to the reference; none for `absent`. */
  readonly trueAt: readonly number[]
  /** Places of the candidates planted beside it whose reference is another by one digit. */
  readonly decoysAt: readonly number[]
}
