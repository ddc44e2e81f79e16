import type {
  MatchAdjustment,
  MatchEvidence,
  MatchField,
} from '../../../domain/matched-transaction.js'
import { textField } from './transaction-row.js'

/** The kinds of evidence in words. */
export const EVIDENCE_WORDS: Readonly<Record<MatchEvidence, string>> = {
  exact: 'exact',
  normalized: 'same, different spelling',
  regrouped: 'same, different zeros or spaces',
  damaged: 'letters differ, or truncated',
  conflict: 'digits differ',
  words: 'words only',
}

/** The adjustments of a score in words. */
export const ADJUSTMENT_WORDS: Readonly<Record<MatchAdjustment, string>> = {
  digits_differ: 'a digit is different',
  longer_number: 'part of a longer number',
  digits_joined: 'more digits attached',
  letters_joined: 'letters attached',
  cut_off: 'truncated at the end',
  look_alikes: 'look-alike letters and digits',
  letters_differ: 'a letter is different',
  leading_zeros: 'different leading zeros',
  blank_inside: 'a space inside',
  other_separators: 'different separators',
  letters_missing: 'letters are missing',
  other_keyword: 'different keyword before it',
  no_keyword: 'no keyword before it',
  list_member: 'one of a list of numbers',
  short_reference: 'a short reference',
  primanota: 'a journal number',
  lesser_reference: 'not the first reference of the query',
}

/** The label of a field. */
export function matchFieldLabel(field: MatchField): string {
  return textField(field).label
}
