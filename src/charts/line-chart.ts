/** Amounts over time: one a day, for some months. */
export interface LineChart {
  /** One a day, from the first day of the first month on; the line ends with the last of them. */
  readonly amounts: readonly number[]
  /** The months that the chart has room for, ascending. */
  readonly months: readonly MonthSpan[]
}

/** A month of a chart. */
interface MonthSpan {
  readonly name: string
  readonly dayCount: number
}
