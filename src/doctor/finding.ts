/** Result of one check: of the data directory, or of one reply of the server. */
export type Finding =
  | {
      readonly outcome: 'ok'
      /** The request, `GET https://…`; absent = nothing was sent. */
      readonly request?: string | undefined
      /** The observation, in a few words. */
      readonly observed: string
    }
  | {
      readonly outcome: 'failed'
      readonly request?: string | undefined
      readonly observed: string
      /** Sentences: the probable cause, and the fix. */
      readonly fix: string
    }
  | {
      readonly outcome: 'skipped'
      /** The reason why nothing was requested. */
      readonly observed: string
      /** The fix when the step should have run. */
      readonly fix?: string | undefined
    }

/** One step of the diagnostic run and its result. */
export type StepResult = Finding & {
  /** Kebab-case; stable between versions. */
  readonly id: string
  /** The expected state. */
  readonly title: string
}

/** A finding as expected. */
export function ok(observed: string, request?: string): Finding {
  return { outcome: 'ok', request, observed }
}

/** A fault that a client would meet. @param fix sentences that say what to do */
export function failed(observed: string, fix: string, request?: string): Finding {
  return { outcome: 'failed', request, observed, fix }
}

/** A step that had nothing to request. */
export function skipped(observed: string, fix?: string): Finding {
  return { outcome: 'skipped', observed, fix }
}
