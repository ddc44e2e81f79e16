import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { type Candidate, wholeText } from './candidate.js'
import type { Matcher, MatcherKind } from './matcher.js'
import { matcherOf } from './peers.js'

/** Less similar texts count as not found, so that PostgreSQL need not read every pair. */
const SIMILARITY_MIN = 0.3

const OUTPUT_BYTES_MAX = 2 ** 30

/**
 * PostgreSQL's trigrams: `word_similarity`, which searches the query within the text. Uses the
 * default database of `psql` (PGHOST, PGDATABASE, …) and temporary tables.
 */
export const PG_TRGM: MatcherKind = {
  name: 'pg_trgm',
  every: 16,
  open: (candidates, queries) => {
    const asked = runPsql('CREATE EXTENSION IF NOT EXISTS pg_trgm;')
    if (typeof asked === 'string') return asked
    const answer = runPsql(scriptOf(candidates, queries))
    if (typeof answer === 'string') return answer
    return matcherFrom(answer.output, candidates.length, queries)
  },
}

function runPsql(input: string): { readonly output: string } | string {
  const words = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-f', '-']
  const run = spawnSync('psql', words, { input, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX })
  if (run.error !== undefined) return `psql cannot be run: ${run.error.message}`
  if (run.status === 0) return { output: run.stdout }
  return `psql has no database to work in: ${run.stderr.trim().split('\n').at(-1)}`
}

/**
 * Milliseconds of each query for the ten most similar texts with a trigram index, and those of
 * filling and indexing the table. A sentence with the reason when there is no database.
 */
export function trgmDurations(
  candidates: readonly Candidate[],
  queries: readonly string[],
): { readonly openMs: number; readonly durationsMs: readonly number[] } | string {
  const answer = runPsql(`
    SET client_min_messages = warning;
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    SET pg_trgm.word_similarity_threshold = ${SIMILARITY_MIN};
    CREATE TEMP TABLE candidates (place int, body text);
    \\o /dev/null
    \\timing on
${copyOf('candidates', candidates.map(wholeText))}
    CREATE INDEX ON candidates USING gin (body gin_trgm_ops);
    ANALYZE candidates;
${queries.map(nearestTen).join('\n')}
`)
  if (typeof answer === 'string') return answer
  const times = [...answer.output.matchAll(/^Time: ([\d.]+) ms/gm)].map(([, ms]) => Number(ms))
  assert.equal(times.length, queries.length + 3, 'each statement says how long it took')
  return { openMs: times.slice(0, 3).reduce((a, b) => a + b), durationsMs: times.slice(3) }
}

function nearestTen(query: string): string {
  const text = `'${query.replaceAll('\0', ' ').replaceAll("'", "''")}'`
  return `SELECT place, word_similarity(${text}, body) AS similarity FROM candidates
      WHERE ${text} <% body ORDER BY similarity DESC LIMIT 10;`
}

function scriptOf(candidates: readonly Candidate[], queries: readonly string[]): string {
  return `
    SET client_min_messages = warning;
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE TEMP TABLE candidates (place int, body text);
    CREATE TEMP TABLE queries (number int, body text);
${copyOf('candidates', candidates.map(wholeText))}
${copyOf('queries', queries)}
    COPY (
      SELECT queries.number, place, word_similarity(queries.body, candidates.body)
      FROM queries CROSS JOIN candidates
      WHERE word_similarity(queries.body, candidates.body) >= ${SIMILARITY_MIN}
    ) TO STDOUT;
`
}

function copyOf(table: string, texts: readonly string[]): string {
  const lines = texts.map((text, at) => `${at}\t${escaped(text)}`)
  return [`COPY ${table} FROM STDIN;`, ...lines, '\\.'].join('\n')
}

/** Escapes a text for COPY. */
function escaped(text: string): string {
  const inOneLine = text.replaceAll('\0', ' ').replace(/[\n\r\t]/g, ' ')
  return inOneLine.replaceAll('\\', '\\\\')
}

function matcherFrom(output: string, candidateCount: number, queries: readonly string[]): Matcher {
  const found = new Map<string, { at: number; score: number }[]>()
  for (const line of output.split('\n')) {
    const [number, place, score] = line.split('\t')
    const query = queries[Number(number)]
    if (query === undefined || score === undefined) continue
    const hits = found.get(query) ?? []
    hits.push({ at: Number(place), score: Number(score) })
    found.set(query, hits)
  }
  return matcherOf('pg_trgm', candidateCount, (query) => found.get(query) ?? [])
}
