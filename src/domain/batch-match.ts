import type { MatchedTransaction } from './matched-transaction.js'

/** A reference to match, and the payment that is expected for it, as far as it is known. */
export interface BatchMatchQuery {
  id: string
  query: string
  amount?: number | string | null
  currency?: string | null
  counterpartName?: string | null
  counterpartIban?: string | null
}

/** The body of a batch match (docs/extensions/batch-match.md, "Body"). */
export interface BatchMatchRequest {
  queries: BatchMatchQuery[]
  threshold?: number | null
  limit?: number | null
  explain?: boolean | null
}

/** The matches of one query of a batch. */
export interface BatchMatch {
  /** That of the query. */
  id: string
  matches: MatchedTransaction[]
  /** Results of the query, of which `matches` are the first. */
  total: number
}
