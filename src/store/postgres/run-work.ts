import type { Outcome, Work, WorkStep } from '../work.js'

/** Runs a unit of work, step by step. Rejects with an error of a step or of the work. */
export async function runWork<T>(
  work: Work<T>,
  perform: (step: WorkStep) => Promise<Outcome>,
): Promise<T> {
  let step = work.next()
  while (step.done !== true) {
    let outcome: Outcome
    try {
      outcome = await perform(step.value)
    } catch (error) {
      step = work.throw(error)
      continue
    }
    step = work.next(outcome)
  }
  return step.value
}
