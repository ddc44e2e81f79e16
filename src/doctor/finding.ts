/** Result of one check: of the data directory, or of one reply of the server. */
export type Finding =
  | {
      readonly outcome: 'ok'
      /** What was asked, `GET https://…`; absent = nothing went over the network. */
      readonly request?: string | undefined
      /** What was observed, in a few words. */
      readonly observed: string
    }
  | {
      readonly outcome: 'failed'
      readonly request?: string | undefined
      readonly observed: string
      /** Sentences: what is probably wrong, and what to do about it. */
      readonly fix: string
    }
  | {
      readonly outcome: 'skipped'
      /** Why nothing was asked. */
      readonly observed: string
      /** What to do where it should not have been skipped. */
      readonly fix?: string | undefined
    }

/** One step of the diagnostic run and its result. */
export type StepResult = Finding & {
  /** Kebab-case; the same word from one version to the next. */
  readonly id: string
  /** What should be so. */
  readonly title: string
}

/** What is as it should be. */
export function ok(observed: string, request?: string): Finding {
  return { outcome: 'ok', request, observed }
}

/** What a client would stumble over. @param mend sentences that say what to do */
export function failed(observed: string, fix: string, request?: string): Finding {
  return { outcome: 'failed', request, observed, fix }
}

/** What there is nothing to ask about. */
export function skipped(observed: string, fix?: string): Finding {
  return { outcome: 'skipped', observed, fix }
}
