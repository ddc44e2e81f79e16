/** Incoming and outgoing amounts, one pair of bars per group. */
export interface BarChart {
  /** `columns` are side by side, as months; `rows` are below each other, with long names. */
  readonly shape: 'columns' | 'rows'
  /** In display order; names are distinct. */
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
