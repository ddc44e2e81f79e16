import { MATCH_WINDOW_ROWS_MAX } from '../../limits.js'

/** The groups of operations, and their descriptions. */
export const TAGS = {
  Accounts: 'The bank accounts of the workspace.',
  Transactions: 'The transactions of all accounts, or of one.',
  Counterparts: 'The transactions with one other side, known by its IBAN.',
  Categories: 'The two-level tree of categories that transactions are filed under.',
  Key: 'The credential in use.',
} as const

/** The rule of every search. @see docs/contract/lists.md, "Free-text search" */
export const SEARCH_RULE = [
  'The text is split at white space into terms, and a transaction is found when **every** term ' +
    'stands somewhere in at least one of its searched fields, as a whole word or inside one: ' +
    '`telekom 00042` finds “Muster Telekom AG” with “RE-2026-00042”. Upper and lower case are ' +
    'the same, accents are dropped, and umlauts are found in either way of writing: `Müller`, ' +
    '`MUELLER` and `muller` all find “Müller”. That is the whole rule: a mistyped word finds ' +
    'nothing, `.` and `%` and `*` stand for themselves, there is no score, and `X-Total-Count` ' +
    'is exact.',
  'Searched are purpose, type, `endToEndReference`, `primanota`, `paypal.invoiceNumber`, the ' +
    'names of category and parent category, and of the counterpart name, IBAN, account number, ' +
    'bank name, mandate reference, creditor id and customer reference. An IBAN may be typed in ' +
    'groups. Filters, sorting and paging are those of the list.',
].join('\n\n')

/** The rule of every match. @see docs/contract/match.md, "Match rules" */
export const MATCH_RULE = [
  'Answers “which payment belongs to this reference?”. Compared with the reference are ' +
    '`purpose`, `endToEndReference`, `counterpart.customerReference`, ' +
    '`counterpart.mandateReference`, `primanota` and `paypal.invoiceNumber`, whatever their ' +
    'case, accents, punctuation and spacing: `re20260042`, `RE 2026/0042` and `Rechnung ' +
    '2026-0042` all find “RE-2026-0042”. A wrong or swapped digit keeps the score below 0.6, and ' +
    'so does a number that goes on on either side.',
  '`score` is 0 to 1 and depends on the reference and the transaction alone: the same pair ' +
    'always has the same score. It ranks, and is no probability. The best score comes first; ' +
    'equal ones by quality of the evidence, then booking date, then id, the newest first.',
  `Looked at are the newest ${MATCH_WINDOW_ROWS_MAX.toLocaleString('en')} transactions (by ` +
    'booking date) that pass all filters. `X-Total-Count` counts those of them that reach the ' +
    'threshold; `offset` counts from the best.',
  'An entry of `customSchema` must not name `score` (nor, with `explain=true`, `explanation`), ' +
    'and must not remove `id`, `accountId`, `amount`, `currency` or `bookingDate`.',
].join('\n\n')
