import { parameterFault } from './fault.js'
import type { WritableObject } from './filter-rows.js'
import * as parameters from './parameter-table.js'
import { readInteger, readTyped } from './parameter-values.js'
import { type QueryTable, queryTable, readQuery } from './raw-query.js'

/** The query of suggestions (docs/extensions.md, "Suggestions"). */
export interface SuggestionQuery {
  /** What was typed. */
  readonly text: string
  /** 1 to 20. */
  readonly limit: number
}

/** The parameters sent, before the check that they include a text; `''` = none was sent. */
type Sent = WritableObject<SuggestionQuery>

/** The parameters of suggestions. */
export const SUGGESTION_TABLE: QueryTable<Sent> = queryTable<Sent>([
  {
    parameter: parameters.SUGGESTION_QUERY,
    take: (sent, text, start, end) => {
      sent.text = readTyped(parameters.SUGGESTION_QUERY, text, start, end)
    },
  },
  {
    parameter: parameters.SUGGESTION_LIMIT,
    take: (sent, text, start, end) => {
      sent.limit = readInteger(parameters.SUGGESTION_LIMIT, text, start, end)
    },
  },
])

/**
 * The typed query of suggestions.
 * @param rawQuery without `?`   @throws ApiError 400 as {@link readQuery} does
 */
export function parseSuggestionQuery(rawQuery: string): SuggestionQuery {
  const nothing = { text: '', limit: parameters.SUGGESTION_LIMIT.fallback }
  const sent = readQuery(SUGGESTION_TABLE, nothing, rawQuery)
  if (sent.text === '') throw parameterFault(parameters.SUGGESTION_QUERY, 'is missing')
  return sent
}
