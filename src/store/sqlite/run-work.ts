import type { Outcome, Statement, Work, WorkStep } from '../work.js'

/** What becomes of the steps of a unit of work. */
export interface StepActions {
  readonly execute: (statement: Statement) => Outcome
  readonly count: (name: string) => void
}

const NOTHING: Outcome = { rows: [], rowCount: 0 }

/** Runs a unit of work to its end. @throws an error of `execute`, or of the work */
export function runWork<T>(work: Work<T>, actions: StepActions): T {
  let step = work.next()
  while (step.done !== true) {
    let outcome: Outcome
    try {
      outcome = outcomeOf(step.value, actions)
    } catch (error) {
      step = work.throw(error)
      continue
    }
    step = work.next(outcome)
  }
  return step.value
}

function outcomeOf(step: WorkStep, { execute, count }: StepActions): Outcome {
  if ('sql' in step) return execute(step)
  // A hold is passed over: the transaction is IMMEDIATE, so nothing else writes.
  if ('count' in step) count(step.count)
  return NOTHING
}
