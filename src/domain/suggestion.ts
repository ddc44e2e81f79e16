/** The origin of a suggested text. */
export type SuggestionKind = 'counterpart' | 'category' | 'account' | 'word'

/** A text that may be meant (docs/extensions.md, "Suggestions"). */
export interface Suggestion {
  text: string
  kind: SuggestionKind
  count: number
}
