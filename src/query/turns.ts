import { setImmediate } from 'node:timers/promises'

/**
 * Rows that are worked on before other requests run: a quarter of a millisecond, so that several
 * callers with long sums delay no other caller either.
 */
export const ROWS_AT_ONCE_MAX = 16_384

/** Work in steps of some microseconds; each yields its cost in rows added up. */
export type StepwiseWork<Result> = Generator<number, Result, void>

/** When work pauses, and when it ends early. */
export interface Turns {
  /** Aborts when no caller waits for the result any more. */
  readonly signal: AbortSignal
  /** Cost of a turn; the default takes a quarter of a millisecond. */
  readonly rowsAtOnce?: number | undefined
  /** Fulfilled when it is the work's turn again; by default once other requests have run. */
  readonly wait?: (() => Promise<void>) | undefined
}

/**
 * The result of work: short work is done synchronously, long work in turns, between which other
 * requests run. Rejects with the signal's reason when it is aborted.
 */
export function inTurns<Result>(
  work: StepwiseWork<Result>,
  turns: Turns,
): Result | Promise<Result> {
  const first = turnOf(work, turns)
  return first.done === true ? first.value : inLaterTurns(work, turns)
}

/**
 * Does work on the numbers 0 to `count - 1` in steps.
 * @param each numbers of a step, and its cost   @param act on the numbers [from, to)
 */
export function* inSteps(
  count: number,
  each: { readonly numbers: number; readonly cost: number },
  act: (from: number, to: number) => void,
): StepwiseWork<void> {
  for (let from = 0; from < count; from += each.numbers) {
    act(from, Math.min(from + each.numbers, count))
    yield each.cost
  }
}

async function inLaterTurns<Result>(work: StepwiseWork<Result>, turns: Turns): Promise<Result> {
  for (;;) {
    await (turns.wait ?? setImmediate)()
    turns.signal.throwIfAborted()
    const turn = turnOf(work, turns)
    if (turn.done === true) return turn.value
  }
}

function turnOf<Result>(
  work: StepwiseWork<Result>,
  { rowsAtOnce = ROWS_AT_ONCE_MAX }: Turns,
): IteratorResult<number, Result> {
  let step = work.next()
  for (let cost = 0; step.done !== true; step = work.next()) {
    cost += step.value
    if (cost >= rowsAtOnce) break
  }
  return step
}
