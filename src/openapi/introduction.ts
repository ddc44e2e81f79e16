import { errorCodeTable } from './error-codes.js'

/** The document's introduction, as Markdown. @param url of the service, without a trailing `/` */
export function introduction(url: string): string {
  return [...ABOUT, ...firstSteps(url), ...RULES, errorCodeTable()].join('\n\n')
}

const ABOUT = [
  'Read-only access to the bank accounts and bank transactions of one workspace. Every operation ' +
    'is a GET that returns JSON; HEAD answers the same without the body.',
]

function firstSteps(url: string): string[] {
  return [
    '## First steps',
    `\`\`\`\ncurl -H 'Authorization: Bearer sk-…' '${url}/v1/demo/transactions?limit=5'\n\`\`\``,
    'The list is a JSON array; `X-Total-Count` says how many there are in all, and `Link` leads ' +
      'to the next page. `/v1/{workspaceId}/key/scope` shows what your credential may see.',
  ]
}

const RULES = [
  '## Values',
  'Dates and instants are ISO 8601 in UTC with milliseconds: `2026-01-31T00:00:00.000Z`. Amounts ' +
    'are exact decimals, never rounded and never written with an exponent; read them with a ' +
    'decimal type if you calculate. A field without a value is left out, never `null`.',
  '## Parameters',
  'Unknown, repeated, empty and malformed parameters are refused with 400 and a message that ' +
    'names the parameter; nothing is silently ignored or clamped. An empty `query` alone is ' +
    'fine: it asks for the plain list. In a query, `+` is a space; write `%2B` for a plus. ' +
    '"Before" and "after" are strict, and all filters must hold at once.',
  '## Searching',
  'The list of transactions has a search beside it, `/transactions/search?query=…`, for all ' +
    'accounts, one account or one counterpart: every word of the text must stand somewhere in a ' +
    'transaction, inside another word as well. A search takes all filters of the list.',
  '## Matching',
  'Which payment belongs to this invoice? `/transactions/match?query=RE-2026-00042` answers with ' +
    'the likeliest transactions first, each with a `score`, however the reference was typed or ' +
    'mangled on its way; nothing when it is not there. Also for one account or one counterpart, ' +
    'and with all filters of the list.',
  '## Asking again',
  'Every 200 has an `ETag`. Send it back as `If-None-Match`, and the answer is 304 without a ' +
    'body as long as nothing has changed.',
  '## From a browser',
  'Scripts of the origins that the service was started with (`--cors-origin`) may ask, and read ' +
    'the fields named here; scripts of other origins may not.',
  '## Errors',
  'An answer that is neither 200 nor 304 has a body with a code and a sentence. Beside the ' +
    'statuses that each operation lists there are those of requests that reach none: 404 for a ' +
    'path that is no operation, 405 for another method, and 400, 408, 413, 414, 421 or 431 for a ' +
    'request that cannot be read as HTTP, comes too slowly, has a body, asks for another host or ' +
    'is too long. 409 only comes from a match. 429 only comes where the service limits requests ' +
    'per credential.',
]
