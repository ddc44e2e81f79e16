/** The origin of a suggested text. */
export type SuggestionKind = 'counterpart' | 'category' | 'account' | 'word'

/** A text that may be meant (docs/extensions/suggestions.md). */
export interface Suggestion {
  text: string
  kind: SuggestionKind
  count: number
}
