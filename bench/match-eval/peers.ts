// Peers: matchers from npm, each configured as its documentation advises for such texts.
import uFuzzy from '@leeoniya/ufuzzy'
import Fuse from 'fuse.js'
import { partial_ratio, token_set_ratio, WRatio } from 'fuzzball'
import fuzzysort from 'fuzzysort'
import MiniSearch from 'minisearch'
import { type Candidate, wholeText } from './candidate.js'
import type { Matcher, MatcherKind, Ranking } from './matcher.js'

/** A result of a peer: candidate and score from 0 to 1. */
interface PeerHit {
  readonly at: number
  readonly score: number
}

/** A matcher from a library's results; candidates without a result score 0. */
export function matcherOf(
  name: string,
  candidateCount: number,
  find: (query: string) => Iterable<PeerHit>,
): Matcher {
  const scores = new Float64Array(candidateCount)
  return {
    name,
    match: (query): Ranking => {
      scores.fill(0)
      for (const { at, score } of find(query)) scores[at] = score
      return { scores, order: scores }
    },
  }
}

/** Finds a pattern anywhere in a field; the scores of fields are multiplied. */
const FUSE: MatcherKind = {
  name: 'Fuse.js',
  every: 8,
  open: (candidates) => {
    const keys = ['purpose', 'endToEndReference', 'customerReference', 'mandateReference']
    const fuse = new Fuse(
      candidates.map(({ texts }) => texts),
      {
        keys: [...keys, 'primanota', 'paypalInvoiceNumber'],
        includeScore: true,
        ignoreLocation: true,
        ignoreFieldNorm: true,
        shouldSort: false,
      },
    )
    return matcherOf('Fuse.js', candidates.length, (query) =>
      fuse.search(query).map(({ refIndex, score = 1 }) => ({ at: refIndex, score: 1 - score })),
    )
  },
}

/** Results that uFuzzy may rank; above this number it only filters. */
const UFUZZY_RANKED_MAX = 5_000

/** Has an order and no scores: the n-th result gets 1 - n / {@link UFUZZY_RANKED_MAX}. */
const UFUZZY: MatcherKind = {
  name: 'uFuzzy',
  every: 1,
  open: (candidates) => {
    const texts = candidates.map(wholeText)
    const search = new uFuzzy({ unicode: true, interSplit: '[^\\p{L}\\d]+', intraMode: 1 })
    return matcherOf('uFuzzy', candidates.length, (query) => {
      // More than four terms in any order would mean more than 24 permutations.
      const [places, info, order] = search.search(texts, query, 4, UFUZZY_RANKED_MAX)
      if (places === null) return []
      const ranked = info === null ? places : order.map((one) => info.idx[one] ?? -1)
      return ranked.slice(0, UFUZZY_RANKED_MAX).map((at, rank) => {
        return { at, score: 1 - rank / UFUZZY_RANKED_MAX }
      })
    })
  },
}

const FUZZYSORT: MatcherKind = {
  name: 'fuzzysort',
  every: 1,
  open: (candidates) => {
    const rows = candidates.map((candidate, at) => ({ at, text: wholeText(candidate) }))
    const snapshot = fuzzysort.snapshot(rows, { key: 'text' })
    return matcherOf('fuzzysort', candidates.length, (query) =>
      [...fuzzysort.go(query, snapshot, { threshold: 0, limit: 3_000 })].map(({ obj, score }) => {
        return { at: obj.at, score }
      }),
    )
  },
}

/** BM25 as a share of the best result's score. */
const MINISEARCH: MatcherKind = {
  name: 'MiniSearch fuzzy',
  every: 1,
  open: (candidates) => {
    const index = new MiniSearch({ fields: ['text'], searchOptions: { fuzzy: 0.2, prefix: true } })
    index.addAll(candidates.map((candidate, id) => ({ id, text: wholeText(candidate) })))
    return matcherOf('MiniSearch fuzzy', candidates.length, (query) => {
      const results = index.search(query)
      const best = results[0]?.score ?? 1
      return results.map(({ id, score }) => ({ at: Number(id), score: score / best }))
    })
  },
}

type Ratio = (query: string, text: string) => number

/** One of fuzzball's ratios from 0 to 100, of the joined text or of the best field. */
function fuzzball(name: string, ratio: Ratio): MatcherKind {
  return {
    name: `fuzzball ${name}`,
    every: 16,
    open: (candidates: readonly Candidate[]) => {
      const texts = candidates.map((candidate) => wholeText(candidate))
      return matcherOf(`fuzzball ${name}`, candidates.length, (query) =>
        texts.map((text, at) => ({ at, score: ratio(query, text) / 100 })),
      )
    },
  }
}

/** All peers that are npm packages. */
export const PEERS: readonly MatcherKind[] = [
  FUSE,
  UFUZZY,
  FUZZYSORT,
  MINISEARCH,
  fuzzball('partial_ratio', (query, text) => partial_ratio(query, text)),
  fuzzball('token_set_ratio', (query, text) => token_set_ratio(query, text)),
  fuzzball('WRatio', (query, text) => WRatio(query, text)),
]
