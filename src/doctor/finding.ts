/** What came of one look: at the data directory, or at one answer of the server. */
export type Finding =
  | {
      readonly outcome: 'ok'
      /** What was asked, `GET https://…`; absent = nothing went over the network. */
      readonly asked?: string | undefined
      /** What came, in a few words. */
      readonly came: string
    }
  | {
      readonly outcome: 'failed'
      readonly asked?: string | undefined
      readonly came: string
      /** Sentences: what is probably wrong, and what to do about it. */
      readonly mend: string
    }
  | {
      readonly outcome: 'skipped'
      /** Why nothing was asked. */
      readonly came: string
      /** What to do where it should not have been skipped. */
      readonly mend?: string | undefined
    }

/** One step of the walk and what came of it. */
export type StepResult = Finding & {
  /** Kebab-case; the same word from one version to the next. */
  readonly id: string
  /** What should be so. */
  readonly title: string
}

/** What is as it should be. */
export function ok(came: string, asked?: string): Finding {
  return { outcome: 'ok', asked, came }
}

/** What a client would stumble over. @param mend sentences that say what to do */
export function failed(came: string, mend: string, asked?: string): Finding {
  return { outcome: 'failed', asked, came, mend }
}

/** What there is nothing to ask about. */
export function skipped(came: string, mend?: string): Finding {
  return { outcome: 'skipped', came, mend }
}
