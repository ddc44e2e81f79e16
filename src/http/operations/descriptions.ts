import { MATCH_WINDOW_ROWS_MAX } from '../../limits.js'

/** The groups of operations, and their descriptions. */
export const TAGS = {
  Accounts: 'The bank accounts of the workspace.',
  Transactions: 'The transactions of all accounts, or of one.',
  Counterparts: 'The transactions with one counterpart, identified by its IBAN.',
  Categories: 'The two-level tree of categories.',
  Key: 'The credential in use.',
} as const

/** The rule of every search. @see docs/contract/lists.md, "Free-text search" */
export const SEARCH_RULE = [
  'The text is split at white space into terms, and a transaction is found when **every** term ' +
    'occurs in at least one of its searched fields, as a whole word or inside one: ' +
    '`telekom 00042` finds “Muster Telekom AG” with “RE-2026-00042”. Case and ' +
    'accents are ignored, and umlauts are found in both spellings: `Müller`, ' +
    '`MUELLER` and `muller` all find “Müller”. That is the whole rule: a mistyped word finds ' +
    'nothing, `.` and `%` and `*` stand for themselves, there is no score, and `X-Total-Count` ' +
    'is exact.',
  'The searched fields are purpose, type, `endToEndReference`, `primanota`, ' +
    '`paypal.invoiceNumber`, the names of category and parent category, and the ' +
    'counterpart’s name, IBAN, account number, bank name, mandate reference, creditor id and ' +
    'customer reference. An IBAN may be typed in groups. Filters, sorting and paging are those ' +
    'of the list.',
].join('\n\n')

/** The rule of the changes. @see docs/extensions.md, "Changes" */
export const CHANGES_RULE = [
  'Keeps a copy of all transactions in step. Without `since` the answer is the first page of a ' +
    'copy; each page has the `cursor` to send as `since` of the next request. Whoever applies ' +
    'the pages in order has, whenever `hasMore` is false, exactly the transactions of ' +
    '`getTransactions`. An `upsert` is a transaction as it is now, also one that the copy has ' +
    'already; a `delete` is the id of one that was deleted, or moved to an account that the ' +
    'credential cannot access.',
  'Changes are in the order of their commits; a transaction that has changed several times is ' +
    'sent as it is now, once a page. Renaming an account or a category is no change of its ' +
    'transactions. With `wait` the request is held until there is a change. Workspaces that are ' +
    'reloaded or restored, and too many changes since, expire a cursor (400 `cursor_expired`): ' +
    'start again without `since`.',
].join('\n\n')

/** The rule of every match. @see docs/contract/match.md, "Match rules" */
export const MATCH_RULE = [
  'Answers “which payment belongs to this reference?”. The reference is compared with ' +
    '`purpose`, `endToEndReference`, `counterpart.customerReference`, ' +
    '`counterpart.mandateReference`, `primanota` and `paypal.invoiceNumber`, whatever their ' +
    'case, accents, punctuation and spacing: `re20260042`, `RE 2026/0042` and `Rechnung ' +
    '2026-0042` all find “RE-2026-0042”. A wrong or swapped digit keeps the score below 0.6, and ' +
    'so does a longer number that contains the reference.',
  '`score` is 0 to 1 and depends only on the reference and the transaction: the same pair ' +
    'always has the same score. It is for ranking, not a probability. The best score comes ' +
    'first; equal ones by quality of the evidence, then booking date, then id, the newest ' +
    'first.',
  `Evaluated are the newest ${MATCH_WINDOW_ROWS_MAX.toLocaleString('en')} transactions (by ` +
    'booking date) that match all filters. `X-Total-Count` counts those of them that reach the ' +
    'threshold; `offset` counts from the best.',
  'An entry of `customSchema` must not name `score` (nor, with `explain=true`, `explanation`), ' +
    'and must not remove `id`, `accountId`, `amount`, `currency` or `bookingDate`.',
].join('\n\n')
