/** The result of checking one part of a data directory. */
export type CheckFinding =
  | {
      readonly level: 'ok'
      /** Path below the data directory, or `key 3`. */
      readonly subject: string
      readonly what: string
    }
  | {
      /** `fail`: data is lost or cannot be served. `warn`: everything works all the same. */
      readonly level: 'warn' | 'fail'
      readonly subject: string
      readonly what: string
      /** The remedy, a command where there is one. */
      readonly advice: string
    }
