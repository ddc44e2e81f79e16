/** The best score; docs/internals/match-scoring.md has the costs subtracted from it, and bounds. */
export const SCORE_MAX = 10_000

/** Costs of an alignment. */
export const COST = {
  lookAlike: 700,
  otherLetter: 2_050,
  letterMoreOrLess: 1_600,
  umlautSpelling: 300,
  leadingZero: 150,
  blankInside: 200,
  separatorMoreOrLess: 100,
  otherSeparator: 60,
  strongGapInside: 4_500,
  zerosBefore: 400,
  longerNumber: 5_500,
  groupBefore: 1_000,
  groupAfter: 1_400,
  yearOfNumber: 4_500,
  lettersAfter: 300,
  letterJoinedAfter: 800,
  cutOffInQuery: 1_500,
  insideIdentifier: 4_500,
  digitJoinedBefore: 1_000,
  insideWord: 2_500,
  headMissing: 1_000,
  headMissingFurther: 800,
} as const

/**
 * Codes that the end of a field has cut off -> their cost. A number may end in ten, a hundred or a
 * thousand ways, so the remaining codes are no evidence of one of them. A wrong digit is even less:
 * it costs more than three codes cut off, with the group that lacks them (`secondaryMissing`) and a
 * keyword that only the field has (`extraKeyword`).
 */
export const CUT_OFF_COST: readonly number[] = [0, 4_010, 4_040, 4_070]

/** Costs of the surroundings of an alignment, or of its whole. */
export const FORM = {
  otherForm: 200,
  otherKeyword: 200,
  noKeyword: 200,
  extraKeyword: 100,
  extraLetters: 300,
  keywordGluedToWord: 300,
  keywordMisspelled: 1_200,
  unknownLetters: 600,
  otherClass: 1_200,
  customerForOther: 2_500,
  accountForOther: 4_500,
  derived: 1_500,
  between: 3_000,
  foreignPrefix: 3_000,
  foreignHead: 300,
  zerosBeforeGroup: 2_500,
  middleGroup: 2_000,
  tailOfGroups: 3_500,
  headOfGroups: 3_500,
  parted: 2_000,
  groupOfNumber: 4_500,
  apartFromWords: 1_000,
  secondaryMissing: 300,
  otherYear: 4_500,
  wordsMissing: 600,
  wordsOfFiveMissing: 1_800,
  wordsOfShortMissing: 3_600,
  wordsOfDateMissing: 7_500,
} as const

/** Maximum of charged blanks inside a reference. */
export const BLANKS_CHARGED_MAX = 3
/** Maximum references of one rank in a query. */
export const UNITS_MAX = 12
/** Maximum of charged secondary references. */
export const SECONDARY_CHARGED_MAX = 3

/** Cost of a forbidden step; more than any alignment is worth. */
export const FORBIDDEN = 50_000

/** Cost of one numeric conflict: one of them leaves less than 0.6 and more than 0.4. */
export function conflictCost(coreLength: number): number {
  if (coreLength >= 7) return 4_500
  return coreLength >= 5 ? 5_000 : 5_500
}

/** Cost of a zero that pads a group on one side only; higher in a short number. */
export function paddingCost(coreLength: number): number {
  return coreLength >= 5 ? 1_900 : 2_500
}

/** The codes of a core that its worth depends on. */
interface Significance {
  readonly length: number
  readonly significant: number
  readonly keyword: number
}

/**
 * Maximum score of a core.
 * @param agrees whether the keyword of the query stands before it
 * @param hasZeros whether the zeros at its head are there; without them they are no evidence
 */
export function worthOf(core: Significance, agrees: boolean, hasZeros: boolean): number {
  const length = hasZeros ? core.length : core.significant
  if (!agrees && core.keyword !== 0) {
    if (core.significant < 4 || length < 5) return SHORT_WORTH
    if (length > 5) return SCORE_MAX
    return core.length > 5 ? SHORT_WORTH : UNNAMED_FIVE_WORTH
  }
  if (length >= 5) return SCORE_MAX
  if (length === 4) return agrees ? SCORE_MAX : 9_300
  if (length === 3) return agrees ? 9_000 : 7_000
  if (length === 2 || agrees) return agrees ? 8_500 : 6_500
  return core.keyword === 0 ? 6_300 : SHORT_WORTH
}

/** Maximum score of five digits without the keyword of the query. */
const UNNAMED_FIVE_WORTH = 8_000
/** Maximum score of a few digits without what else the query has. */
const SHORT_WORTH = 5_500
/** Letters among the digits of an identifier, from which on another letter is another one. */
export const IDENTIFIER_LETTERS_MIN = 3
/** Codes of such an identifier, from which on any letter may be a misread digit of it. */
export const IDENTIFIER_LENGTH_MIN = 10
/** Minimum codes of a reference that a query may have cut off, and of those that it lacks then. */
export const CUT_IN_QUERY_LENGTH_MIN = 12
export const CUT_IN_QUERY_MIN = 4
/** Minimum codes in common, apart from look-alikes, where letters look like digits. */
export const COMMON_CODES_MIN = 5
/** Minimum digits of a number that is likely to be the same with another prefix. */
export const PREFIXED_DIGITS_MIN = 7
/** Maximum letters of such a prefix. */
export const PREFIX_LETTERS_MAX = 3

/** Maximum score of a field that is the reference and nothing else. */
export const WHOLE_FIELD_WORTH = 9_500

/** Percent of its score that counts in a primanota, and for a secondary reference alone. */
export const PRIMANOTA_PERCENT = 90
export const SECONDARY_PERCENT = 55

/** Maximum score of words alone. */
export const WORDS_WORTH = 7_500
/** Percent of a word with one edit, of one that the field cuts off, and of an abbreviation. */
export const NEAR_WORD_PERCENT = 75
export const CUT_WORD_PERCENT = 85
export const ABBREVIATED_PERCENT = 30
/** Minimum length of a word that may have one edit, and left of one that is cut off. */
export const FORGIVEN_LENGTH_MIN = 5

/** Whole percents of an integer, rounded down. */
export function percentOf(value: number, share: number): number {
  return ((value * share) / 100) | 0
}

/** Maximum score of the words of a query whose numbers are missing. */
export const WORDS_BESIDE_WORTH: number = percentOf(WORDS_WORTH, SECONDARY_PERCENT)
