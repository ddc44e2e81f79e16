import type { tags } from 'typia'
import type { Transaction } from './transaction.js'

/** A field that is compared with a reference (docs/contract/match.md, "Match rules"). */
export type MatchField =
  | 'purpose'
  | 'endToEndReference'
  | 'counterpart.customerReference'
  | 'counterpart.mandateReference'
  | 'primanota'
  | 'paypal.invoiceNumber'

/** A kind of evidence, the weakest first. */
export type MatchEvidence = 'words' | 'conflict' | 'damaged' | 'regrouped' | 'normalized' | 'exact'

/** Adjustments that lowered a score. */
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

/** Evidence besides the reference, the strongest first (docs/extensions/batch-match.md). */
export type PaymentEvidence =
  | 'amount_equal'
  | 'iban_equal'
  | 'amount_within_discount'
  | 'name_similar'

/** Reasons for the score of a match. */
export interface MatchReasons {
  /** The field with the strongest evidence. */
  readonly field: MatchField
  /** The span of its text that was matched with the reference. */
  readonly matched: string
  readonly kind: MatchEvidence
  /** Adjustments that lowered the score, the most severe first. */
  readonly adjustments: readonly MatchAdjustment[]
  /** Agreement with the expected payment, in a batch; absent where there is none. */
  readonly evidence?: readonly PaymentEvidence[]
}

/** A transaction and how well it matches (docs/contract/resources.md, "MatchedTransaction"). */
export interface MatchedTransaction extends Transaction {
  /** A ranking signal, not a probability; a decimal of at most four digits. */
  score: number & tags.Minimum<0> & tags.Maximum<1>
  /** Only with `explain=true`, and where there is evidence. */
  explanation?: MatchReasons
}
