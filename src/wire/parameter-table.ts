import {
  CUSTOM_SCHEMA_BYTES_MAX,
  CUSTOM_SCHEMA_ENTRIES_MAX,
  CUSTOM_SCHEMA_LEVELS_MAX,
  FILTER_CODE_POINTS_MAX,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  MATCH_CHARACTERS_MIN,
  MATCH_CODE_POINTS_MAX,
  MATCH_CODE_POINTS_MIN,
  MATCH_LIMIT_DEFAULT,
  MATCH_LIMIT_MAX,
  MATCH_THRESHOLD_DEFAULT,
  MATCH_TOKENS_MAX,
  SEARCH_CODE_POINTS_MAX,
  SEARCH_TERMS_MAX,
  SUGGESTION_CODE_POINTS_MAX,
  SUGGESTION_LIMIT_DEFAULT,
  SUGGESTION_LIMIT_MAX,
} from '../limits.js'
import type { SortField, SortOrder } from '../query/transaction-query.js'

/** The properties of every parameter. The example is decoded text and always valid. */
interface ParameterText {
  readonly name: string
  /** Its key in the OpenAPI document where another parameter has the same name; absent = name. */
  readonly documentKey?: string
  /** For the OpenAPI document: one or more sentences, Markdown. */
  readonly description: string
  readonly example: string
}

/** Plain decimal digits. */
export interface IntegerParameter extends ParameterText {
  readonly kind: 'integer'
  readonly fallback: number
  readonly min: number
  readonly max: number
}

/** An exact text of 1 to `codePointsMax` code points. */
export interface TextParameter extends ParameterText {
  readonly kind: 'text'
  readonly codePointsMax: number
}

/** A text to search for, with a maximum of code points and terms; it may be empty. */
export interface SearchParameter extends ParameterText {
  readonly kind: 'search'
  readonly codePointsMax: number
  readonly termsMax: number
}

/** A text as a person types it, of 1 to `codePointsMax` code points, which is required. */
export interface TypedTextParameter extends ParameterText {
  readonly kind: 'typed'
  readonly codePointsMax: number
}

/** A reference to match, which is required. */
export interface ReferenceParameter extends ParameterText {
  readonly kind: 'reference'
  readonly codePointsMin: number
  readonly codePointsMax: number
  /** Letters and digits, at least, and tokens, at most, of the normalized reference. */
  readonly charactersMin: number
  readonly tokensMax: number
}

/** A number from 0 to 1 in decimal or exponent notation, compared exactly with scores. */
export interface ThresholdParameter extends ParameterText {
  readonly kind: 'threshold'
  /** The smallest score, in 1/10,000. */
  readonly fallback: number
}

/** `true` or `false`. */
export interface SwitchParameter extends ParameterText {
  readonly kind: 'switch'
  /** Absent where neither word has the meaning of no parameter. */
  readonly fallback?: boolean
}

/** `YYYY-MM-DDTHH:MM:SS.MMMZ`, the same without milliseconds, or a day. */
export interface InstantParameter extends ParameterText {
  readonly kind: 'instant'
  readonly pattern: string
}

/** `YYYY-MM-DD`. */
export interface DayParameter extends ParameterText {
  readonly kind: 'day'
}

/** A decimal number, compared exactly. */
export interface AmountParameter extends ParameterText {
  readonly kind: 'amount'
  readonly pattern: string
  readonly isSigned: boolean
}

/** Three capital letters. */
export interface CurrencyParameter extends ParameterText {
  readonly kind: 'currency'
  readonly pattern: string
}

/** Ids or IBANs, separated by commas. */
export interface AccountsParameter extends ParameterText {
  readonly kind: 'accounts'
  readonly pattern: string
  readonly accountsMax: number
}

/** One of a few words: the spelling for callers, and its meaning. */
export interface ChoiceParameter<Meaning extends string> extends ParameterText {
  readonly kind: 'choice'
  /** A Map, because an object would put `1` before `asc` and know `toString`. */
  readonly choices: ReadonlyMap<string, Meaning>
  /** Absent where no word has the meaning of no parameter. */
  readonly fallback?: Meaning
}

/** A choice that is made when the parameter is not sent. */
export interface DefaultedChoice<Meaning extends string> extends ChoiceParameter<Meaning> {
  readonly fallback: Meaning
}

/** Some of a few words, separated by commas, each at most once. */
export interface WordsParameter<Word extends string> extends ParameterText {
  readonly kind: 'words'
  readonly words: readonly Word[]
  readonly countMax: number
}

/** A JSON object as text. */
export interface JsonParameter extends ParameterText {
  readonly kind: 'json'
  readonly bytesMax: number
}

/** The end of the page before; only this kind and a search text may be empty. */
export interface CursorParameter extends ParameterText {
  readonly kind: 'cursor'
  readonly pattern: string
}

/** A segment of the path. */
export interface PathParameter extends ParameterText {
  readonly kind: 'path'
  /** Absent where the segment may hold anything that can be percent-encoded. */
  readonly pattern?: string
}

/** A parameter in the query. The parsers and the OpenAPI document read the same rows. */
export type QueryParameter =
  | IntegerParameter
  | TextParameter
  | SearchParameter
  | TypedTextParameter
  | ReferenceParameter
  | ThresholdParameter
  | SwitchParameter
  | InstantParameter
  | DayParameter
  | AmountParameter
  | CurrencyParameter
  | AccountsParameter
  | ChoiceParameter<string>
  | WordsParameter<string>
  | JsonParameter
  | CursorParameter

const INSTANT_PATTERN = '^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{3})?Z)?$'

/** Letters, digits, hyphen and underscore (docs/contract.md, "Path parameters"). */
export const SEGMENT_PATTERN = '^[-a-zA-Z0-9_]+$'

export const QUERY: SearchParameter = {
  kind: 'search',
  name: 'query',
  description:
    'What to search for: up to ' +
    `${SEARCH_TERMS_MAX} terms separated by white space, ${SEARCH_CODE_POINTS_MAX} characters in ` +
    'all. A transaction is found when every term occurs in at least one of its searched fields, ' +
    'in any order, also inside a word. If empty or absent, the answer is the plain ' +
    'list. Control characters, including line breaks and tabs, are ' +
    'rejected.',
  example: 'telekom RE-2026',
  codePointsMax: SEARCH_CODE_POINTS_MAX,
  termsMax: SEARCH_TERMS_MAX,
}

export const MATCH_QUERY: ReferenceParameter = {
  kind: 'reference',
  name: 'query',
  documentKey: 'matchQuery',
  description:
    `The reference to match: ${MATCH_CODE_POINTS_MIN} to ` +
    `${MATCH_CODE_POINTS_MAX} characters, among them at least ${MATCH_CHARACTERS_MIN} letters or ` +
    `digits, and at most ${MATCH_TOKENS_MAX} tokens (runs of letters and digits). Case, ` +
    'accents, punctuation, spacing and common words for “invoice” or “number” matter little; ' +
    'digits matter.',
  example: 'RE-2026-00042',
  codePointsMin: MATCH_CODE_POINTS_MIN,
  codePointsMax: MATCH_CODE_POINTS_MAX,
  charactersMin: MATCH_CHARACTERS_MIN,
  tokensMax: MATCH_TOKENS_MAX,
}

export const THRESHOLD: ThresholdParameter = {
  kind: 'threshold',
  name: 'threshold',
  description:
    'The minimum `score` of a result, 0 to 1, in decimal or exponent notation (`0.85`, `.85`, ' +
    '`8.5e-1`); compared exactly. With `0` every evaluated transaction is a result, those ' +
    'that have nothing in common with the reference at the end.',
  example: '0.6',
  fallback: MATCH_THRESHOLD_DEFAULT,
}

export const EXPLAIN: SwitchParameter & { readonly fallback: boolean } = {
  kind: 'switch',
  name: 'explain',
  description: '`true` adds an `explanation` to each result: what matched where, and how.',
  example: 'true',
  fallback: false,
}

export const MATCH_LIMIT: IntegerParameter = {
  kind: 'integer',
  name: 'limit',
  documentKey: 'matchLimit',
  description: `Maximum number of results, from 1. Values above ${MATCH_LIMIT_MAX} are rejected.`,
  example: '10',
  fallback: MATCH_LIMIT_DEFAULT,
  min: 1,
  max: MATCH_LIMIT_MAX,
}

export const SUGGESTION_QUERY: TypedTextParameter = {
  kind: 'typed',
  name: 'query',
  documentKey: 'suggestionQuery',
  description:
    `The text typed so far, finished or not: 1 to ${SUGGESTION_CODE_POINTS_MAX} characters. ` +
    'Case, accents and punctuation do not matter, nor do one or two mistyped letters. Control ' +
    'characters are rejected. Without a letter the answer is empty.',
  example: 'telekmo',
  codePointsMax: SUGGESTION_CODE_POINTS_MAX,
}

export const SUGGESTION_LIMIT: IntegerParameter = {
  kind: 'integer',
  name: 'limit',
  documentKey: 'suggestionLimit',
  description:
    'Maximum number of suggestions, from 1. Values above ' +
    `${SUGGESTION_LIMIT_MAX} are rejected.`,
  example: '8',
  fallback: SUGGESTION_LIMIT_DEFAULT,
  min: 1,
  max: SUGGESTION_LIMIT_MAX,
}

export const OFFSET: IntegerParameter = {
  kind: 'integer',
  name: 'offset',
  description: 'Number of results to skip.',
  example: '200',
  fallback: 0,
  min: 0,
  max: Number.MAX_SAFE_INTEGER,
}

export const CURSOR: CursorParameter = {
  kind: 'cursor',
  name: 'cursor',
  description:
    'Asks for pages that cannot drift while transactions come, go and change. Empty for the ' +
    'first page; then the value of `X-Next-Cursor` of the page before, which the last page ' +
    'lacks. It belongs to one path, with its filters, search and order; `limit` and ' +
    '`customSchema` may change. Cannot be combined with `offset`.',
  example: '',
  pattern: '^[-_A-Za-z0-9]*$',
}

export const LIMIT: IntegerParameter = {
  kind: 'integer',
  name: 'limit',
  description:
    `Maximum number of results. A value above ${LIST_LIMIT_MAX} is rejected. ` +
    '`0` returns an empty list and the count in `X-Total-Count`.',
  example: '100',
  fallback: LIST_LIMIT_DEFAULT,
  min: 0,
  max: LIST_LIMIT_MAX,
}

export const ORDER: DefaultedChoice<SortOrder> = {
  kind: 'choice',
  name: 'order',
  description:
    'Ascending (`asc`, `1`) or descending (`desc`, `-1`). Equal rows are ordered by id in the ' +
    'same direction; rows without the sort key come last in both directions.',
  example: 'asc',
  choices: new Map<string, SortOrder>([
    ['asc', 'asc'],
    ['desc', 'desc'],
    ['1', 'asc'],
    ['-1', 'desc'],
  ]),
  fallback: 'desc',
}

export const SORT_BY: DefaultedChoice<SortField> = {
  kind: 'choice',
  name: 'sortBy',
  description: 'The field to sort by. `_id` is the transaction id.',
  example: 'bookingDate',
  choices: new Map<string, SortField>([
    ['bookingDate', 'bookingDate'],
    ['valueDate', 'valueDate'],
    ['importDate', 'importDate'],
    ['amount', 'amount'],
    ['_id', '_id'],
  ]),
  fallback: '_id',
}

export const CATEGORY: TextParameter = {
  kind: 'text',
  name: 'category',
  description:
    'Only transactions whose `category` has this id or exactly this name (case-sensitive). ' +
    'A value of digits is an id, and also matches a name of digits. Together with ' +
    '`parentCategory`, each must equal its field.',
  example: 'Groceries',
  codePointsMax: FILTER_CODE_POINTS_MAX,
}

export const PARENT_CATEGORY: TextParameter = {
  kind: 'text',
  name: 'parentCategory',
  description:
    'Only transactions of this broader category, by exact name or id. On its own it is looked up ' +
    'in `category` and in `parentCategory`, because a transaction without a detailed ' +
    'category carries the broad one in `category`.',
  example: 'Living',
  codePointsMax: FILTER_CODE_POINTS_MAX,
}

/** @param date the field of a transaction */
export function instantParameter(
  name: string,
  date: string,
  side: 'before' | 'after',
): InstantParameter {
  return {
    kind: 'instant',
    name,
    description:
      `Only transactions whose \`${date}\` is strictly ${side} this instant (UTC), with or ` +
      'without milliseconds; a day stands for its midnight. A transaction without that date is ' +
      'excluded.',
    example: '2026-01-31T00:00:00.000Z',
    pattern: INSTANT_PATTERN,
  }
}

export const VALUED_BEFORE = instantParameter('valuedBefore', 'valueDate', 'before')
export const VALUED_AFTER = instantParameter('valuedAfter', 'valueDate', 'after')
export const BOOKED_BEFORE = instantParameter('bookedBefore', 'bookingDate', 'before')
export const BOOKED_AFTER = instantParameter('bookedAfter', 'bookingDate', 'after')
export const IMPORTED_BEFORE = instantParameter('importedBefore', 'importDate', 'before')
export const IMPORTED_AFTER = instantParameter('importedAfter', 'importDate', 'after')

export const BLZ: TextParameter = {
  kind: 'text',
  name: 'blz',
  description: 'Only accounts with exactly this bank code.',
  example: '50010517',
  codePointsMax: FILTER_CODE_POINTS_MAX,
}

export const BIC: TextParameter = {
  kind: 'text',
  name: 'bic',
  description: 'Only accounts with this BIC, in upper or lower case; spaces are ignored.',
  example: 'INGDDEFFXXX',
  codePointsMax: FILTER_CODE_POINTS_MAX,
}

export const CUSTOM_SCHEMA: JsonParameter = {
  kind: 'json',
  name: 'customSchema',
  description:
    'A JSON object that renames, moves or removes attributes of each object. A key is an ' +
    'attribute of the returned object, its value the new name or path (dot notation reaches ' +
    'into objects on both sides), and `null` removes the attribute. All sources are read ' +
    'from the original object and all moves happen at once, so two attributes can swap ' +
    'places; what is not named stays; an attribute that the object lacks is skipped; an ' +
    'attribute moved onto one that stays replaces it; an attribute with an entry of its own ' +
    'leaves its parent before the parent moves; an object whose members have all moved out ' +
    'stays as `{}`. Rejected: a target inside a value that is not an object, two ' +
    `attributes moved to one path, more than ${CUSTOM_SCHEMA_ENTRIES_MAX} entries, more than ` +
    `${CUSTOM_SCHEMA_LEVELS_MAX} levels, more than ${CUSTOM_SCHEMA_BYTES_MAX} bytes.`,
  example: '{"amount":"value","counterpart.name":"payee","purpose":null}',
  bytesMax: CUSTOM_SCHEMA_BYTES_MAX,
}

const WORKSPACE_ID: PathParameter = {
  kind: 'path',
  name: 'workspaceId',
  description: 'The workspace the credential belongs to.',
  example: 'demo',
  pattern: SEGMENT_PATTERN,
}

export const IDENTIFIER: PathParameter = {
  kind: 'path',
  name: 'identifier',
  description:
    'An account id or an IBAN. A value of digits is an id; anything else is an IBAN without ' +
    'spaces, in upper or lower case.',
  example: '1',
  pattern: SEGMENT_PATTERN,
}

export const TRANSACTION_ID: PathParameter = {
  kind: 'path',
  name: 'transactionId',
  description: 'The id of the transaction, a positive whole number.',
  example: '4711',
  pattern: SEGMENT_PATTERN,
}

export const COUNTERPART_IBAN: PathParameter = {
  kind: 'path',
  name: 'iban',
  description: 'The IBAN of the counterpart, in upper or lower case; spaces (`%20`) are ignored.',
  example: 'DE89370400440532013000',
}

export const CATEGORY_ID: PathParameter = {
  kind: 'path',
  name: 'categoryId',
  description: 'The id of the category, a positive whole number.',
  example: '12',
}

/** The variable segments of all paths. */
export const PATH_PARAMETERS: readonly PathParameter[] = [
  WORKSPACE_ID,
  IDENTIFIER,
  TRANSACTION_ID,
  COUNTERPART_IBAN,
  CATEGORY_ID,
]
