/** What comes in and goes out, one pair of bars per group. */
export interface BarChart {
  /** `columns` stand side by side, as months do; `rows` stand under each other, with long names. */
  readonly shape: 'columns' | 'rows'
  /** In the order in which they stand; names are distinct. */
  readonly bars: readonly Bar[]
}

/** A group. Doubles: a bar is a few hundred pixels long. */
export interface Bar {
  readonly name: string
  /** 0 or more. */
  readonly incoming: number
  /** 0 or less. */
  readonly outgoing: number
}
