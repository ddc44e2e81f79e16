/** What a look at one part of a data directory has shown. */
export type CheckFinding =
  | {
      readonly level: 'ok'
      /** Path below the data directory, or `key 3`. */
      readonly subject: string
      readonly what: string
    }
  | {
      /** `fail`: something is lost or cannot be served. `warn`: everything works without it. */
      readonly level: 'warn' | 'fail'
      readonly subject: string
      readonly what: string
      /** What to do about it, a command where there is one. */
      readonly advice: string
    }
