import type {
  MatchAdjustment,
  MatchEvidence,
  MatchField,
} from '../../../domain/matched-transaction.js'
import { textField } from './transaction-row.js'

/** The kinds of evidence in words. */
export const EVIDENCE_WORDS: Readonly<Record<MatchEvidence, string>> = {
  exact: 'as written',
  normalized: 'same, written differently',
  regrouped: 'same, with other zeros or blanks',
  damaged: 'letters differ or something is cut off',
  conflict: 'digits differ',
  words: 'words only',
}

/** The adjustments of a score in words. */
export const ADJUSTMENT_WORDS: Readonly<Record<MatchAdjustment, string>> = {
  digits_differ: 'a digit is different',
  longer_number: 'part of a longer number',
  digits_joined: 'more digits joined to it',
  letters_joined: 'letters joined to it',
  cut_off: 'cut off at its end',
  look_alikes: 'look-alike letters and digits',
  letters_differ: 'a letter is different',
  leading_zeros: 'other leading zeros',
  blank_inside: 'a blank inside',
  other_separators: 'other separators',
  letters_missing: 'its letters are missing',
  other_keyword: 'another word before it',
  no_keyword: 'no word before it',
  list_member: 'one of a list of numbers',
  short_reference: 'a short reference',
  primanota: 'a journal number',
  lesser_reference: 'not the reference asked for first',
}

/** The label of a field. */
export function matchFieldLabel(field: MatchField): string {
  return textField(field).label
}
