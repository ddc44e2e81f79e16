import type { tags } from 'typia'
import type { Transaction } from './transaction.js'

/** A field that a reference is looked for in (docs/contract/match.md, "Match rules"). */
export type MatchField =
  | 'purpose'
  | 'endToEndReference'
  | 'counterpart.customerReference'
  | 'counterpart.mandateReference'
  | 'primanota'
  | 'paypal.invoiceNumber'

/** A kind of evidence, the weakest first. */
export type MatchEvidence = 'words' | 'conflict' | 'damaged' | 'regrouped' | 'normalized' | 'exact'

/** What lowered a score. */
export type MatchAdjustment =
  | 'digits_differ'
  | 'longer_number'
  | 'digits_joined'
  | 'letters_joined'
  | 'cut_off'
  | 'look_alikes'
  | 'letters_differ'
  | 'leading_zeros'
  | 'blank_inside'
  | 'other_separators'
  | 'letters_missing'
  | 'other_keyword'
  | 'no_keyword'
  | 'list_member'
  | 'short_reference'
  | 'primanota'
  | 'lesser_reference'

/** Why a match has its score. */
export interface MatchReasons {
  /** The field that says most. */
  readonly field: MatchField
  /** The span of its text that is taken for the reference. */
  readonly matched: string
  readonly kind: MatchEvidence
  /** What lowered the score, the gravest first. */
  readonly adjustments: readonly MatchAdjustment[]
}

/** A transaction and how well it matches (docs/contract/resources.md, "MatchedTransaction"). */
export interface MatchedTransaction extends Transaction {
  /** A ranking signal, no probability; a decimal of at most four digits. */
  score: number & tags.Minimum<0> & tags.Maximum<1>
  /** Only with `explain=true`, and where there is evidence. */
  explanation?: MatchReasons
}
