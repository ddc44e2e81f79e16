import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import { parseSuggestionQuery } from '../../src/wire/suggestion-query.js'

function outcomeOf(query: string): string {
  try {
    parseSuggestionQuery(query)
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.code
    throw error
  }
  return 'accepted'
}

const encoded = (text: string): string => `query=${encodeURIComponent(text)}`
const BAD = 'invalid_parameter'

/** Both sides of every limit. */
const OUTCOMES: readonly (readonly [query: string, outcome: string])[] = [
  ['query=a', 'accepted'],
  ['query=4711', 'accepted'],
  ['query=+', 'accepted'],
  ['', BAD],
  ['limit=8', BAD],
  ['query=', BAD],
  ['query', BAD],
  [encoded('ä'.repeat(64)), 'accepted'],
  [encoded('ä'.repeat(65)), BAD],
  [encoded('😀'.repeat(64)), 'accepted'],
  [encoded('😀'.repeat(65)), BAD],
  [encoded('a\tb'), BAD],
  ['query=%ED%A0%80', BAD],
  ['query=a&query=a', 'repeated_parameter'],
  ['query=a&limit=1', 'accepted'],
  ['query=a&limit=20', 'accepted'],
  ['query=a&limit=0', BAD],
  ['query=a&limit=21', BAD],
  ['query=a&limit=', BAD],
  ['query=a&limit=1.0', BAD],
  ['query=a&offset=0', 'unknown_parameter'],
]

test('the limits of what suggestions are asked for', async (t) => {
  for (const [query, outcome] of OUTCOMES) t.equal(outcomeOf(query), outcome, query)
  t.same(parseSuggestionQuery('query=tannwieler'), { text: 'tannwieler', limit: 8 })
  t.same(parseSuggestionQuery('limit=3&query=M%C3%BCl+ler'), { text: 'Mül ler', limit: 3 })
})

test('a refusal names the parameter, what is wrong and a right example', async (t) => {
  const messages: readonly (readonly [query: string, message: RegExp])[] = [
    ['', /^query is missing; for example query=telekmo$/],
    [encoded('x'.repeat(65)), /^query must be at most 64 characters long; for example/],
    ['query=a&limit=21', /^limit must be a whole number from 1 to 20, not "21"; for example/],
    [encoded('a\nb'), /^query must not contain control characters .* such as U\+000A; for example/],
  ]
  for (const [query, message] of messages) {
    t.throws(() => parseSuggestionQuery(query), { message }, query)
  }
})
