import { countText } from '../../count-text.js'
import { BATCH_BODY_BYTES_MAX, MATCH_WINDOW_ROWS_MAX } from '../../limits.js'

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

/** The rule of every summary. @see docs/extensions/sums.md */
export const SUMMARY_RULE = [
  'All filters of the list apply; with `query`, only transactions that a search finds are ' +
    'summed. Each currency has its own sums; `in` and `out` are the sums of the positive and of ' +
    'the negative amounts, exact to the last digit, and `net` is their sum. `X-Total-Count` is ' +
    'the number of groups.',
  'Transactions without a value of the group are a group without that field. `parentCategory` ' +
    'groups hold everything below a broad category. `counterpart` groups by IBAN or, without ' +
    'one, by name, whatever its case and accents, and shows the most frequent name.',
].join('\n\n')

/** The rule of suggestions. @see docs/extensions/suggestions.md */
export const SUGGESTION_RULE = [
  'For a text that is being typed, or has a slip: names of counterparts, categories and ' +
    'accounts, and words of purposes, that begin with it or are near to it. `stadtwrke` suggests ' +
    '“Stadtwerke”, `mueler` suggests “Müller”. A text of three letters may have one slip (a ' +
    'letter missing, added or wrong, or two swapped), one of six letters two. A text without a ' +
    'letter suggests nothing: digits are left to search and match.',
  'The nearest come first; equally near ones by `count`, then by text. Everything suggested is ' +
    'found by a search in what the credential can access, and nothing else is counted. The first ' +
    'call after a start collects the texts of the workspace, some seconds for a million ' +
    'transactions.',
].join('\n\n')

/** The rule of the changes. @see docs/extensions/changes.md */
export const CHANGES_RULE = [
  'Keeps a copy of all transactions in step. Without `since` the answer is the first page of a ' +
    'copy; each page has the `cursor` to send as `since` of the next request. A caller that ' +
    'applies the pages in order has, whenever `hasMore` is false, exactly the transactions of ' +
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
  `Evaluated are the newest ${countText(MATCH_WINDOW_ROWS_MAX)} transactions (by ` +
    'booking date) that match all filters. `X-Total-Count` counts those of them that reach the ' +
    'threshold; `offset` counts from the best.',
  'An entry of `customSchema` must not name `score` (nor, with `explain=true`, `explanation`), ' +
    'and must not remove `id`, `accountId`, `amount`, `currency` or `bookingDate`.',
].join('\n\n')

/** The rule of every batch match. @see docs/extensions/batch-match.md */
export const BATCH_RULE = [
  'Which payments belong to these invoices? The answer has an entry for each query of the body, ' +
    'in its order: `matches` are the first results that the match of this reference alone would ' +
    'return with the same filters, `total` is the number of all its results.',
  'A query may also have the amount of the expected payment, its currency, and name or IBAN of ' +
    'the counterpart. They change no score: transactions of **equal** score are ordered by the ' +
    'evidence, and with `explain` the `explanation` names it. `amount` is compared without its ' +
    'sign; a payment of up to 5 % less is within a discount.',
  'All queries share one time budget: when it is used up, the answer is 503 and has no ' +
    `results. The body has at most ${countText(BATCH_BODY_BYTES_MAX)} bytes; members ` +
    'that are `null` count as absent, and unknown ones are rejected. Filters and `customSchema` ' +
    'are in the URL. The answer has no `ETag`.',
].join('\n\n')
