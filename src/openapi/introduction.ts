import { errorCodeTable } from './error-codes.js'

/** The document's introduction, as Markdown. @param url of the service, without a trailing `/` */
export function introduction(url: string): string {
  return [...ABOUT, ...firstSteps(url), ...RULES, errorCodeTable()].join('\n\n')
}

const ABOUT = [
  'Read-only access to the bank accounts and bank transactions of one workspace. Every operation ' +
    'is a GET that returns JSON, except for batch matches, which are a POST because of their ' +
    'length; HEAD returns the same as GET without the body.',
]

function firstSteps(url: string): string[] {
  return [
    '## First steps',
    `\`\`\`\ncurl -H 'Authorization: Bearer sk-…' '${url}/v1/demo/transactions?limit=5'\n\`\`\``,
    'The list is a JSON array; `X-Total-Count` is the total number of results, and `Link` leads ' +
      'to the next page. `/v1/{workspaceId}/key/scope` shows the access of your credential.',
  ]
}

const RULES = [
  '## Values',
  'Dates and instants are ISO 8601 in UTC with milliseconds: `2026-01-31T00:00:00.000Z`. Amounts ' +
    'are exact decimals, never rounded and never with an exponent; parse them with a ' +
    'decimal type for calculations. Fields without a value are absent, never `null`.',
  '## Parameters',
  'Unknown, repeated, empty and malformed parameters are rejected with 400 and a message ' +
    'that names the parameter; nothing is silently ignored or clamped. The only exceptions are ' +
    'an empty `query`, which returns the plain list, and an empty `cursor`, which is the first ' +
    'page. In a query, `+` is a space; ' +
    'write `%2B` for a plus. "Before" and "after" are strict, "from" and "to" are not, and all ' +
    'filters must match.',
  '## Paging',
  'A page by `offset` drifts while transactions come and go: a row may be repeated or skipped. ' +
    'With `cursor=`, and then the `X-Next-Cursor` of each page, a row that keeps its place in ' +
    'the order is neither skipped nor repeated.',
  '## Searching',
  '`/transactions/search?query=…` searches the transactions of all ' +
    'accounts, one account or one counterpart: every word of the text must occur in the ' +
    'transaction, also inside another word. A search takes all filters of the list.',
  '## Matching',
  'Which payment belongs to this invoice? `/transactions/match?query=RE-2026-00042` ' +
    'returns the most likely transactions first, each with a `score`, even if the reference ' +
    'was mistyped or changed on its way; if no transaction contains it, the list is empty. ' +
    'It also works for one account or one counterpart, and takes all filters of the list. A ' +
    'POST to the same path matches up to 500 references together.',
  '## Caching',
  'Every 200 to a GET has an `ETag`. Send it as `If-None-Match`, and the answer is 304 without a ' +
    'body as long as nothing has changed.',
  '## CORS',
  'Scripts of the origins in `--cors-origin` can send requests and read ' +
    'the headers named here; scripts of other origins cannot.',
  '## Errors',
  'An answer that is neither 200 nor 304 has a body with a code and a sentence. Requests that ' +
    'reach no operation have further statuses: 404 for an unknown path, 405 for another method, ' +
    'and 400, 408, 413, 414, 415, 421 or 431 for a request that is not valid HTTP, arrives too ' +
    'slowly, has a body, is for another host or is too long. Only a match returns 409. 429 is ' +
    'returned only if the service limits requests per credential.',
]
