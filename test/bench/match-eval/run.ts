import { test } from 'tap'
import { evaluate } from '../../../bench/match-eval/evaluate.js'
import { makeEvaluationSet } from '../../../bench/match-eval/evaluation-set.js'
import type { MatcherKind } from '../../../bench/match-eval/matcher.js'
import { matcherOf, PEERS } from '../../../bench/match-eval/peers.js'
import { evaluateMatch, missedTargets, SEEDS } from '../../../bench/match-eval/run.js'
import { inventedTargets } from '../../../bench/match-eval/targets.js'

const SMOKE = {
  rowCount: 900,
  seedCount: 1,
  missesPerGroup: 1,
  environment: {},
  say: (): void => {},
} as const

test('a smoke run reports kontor class by class, every peer, and the targets', async (t) => {
  const peers = PEERS.map((kind): MatcherKind => ({ ...kind, every: 9 }))
  const { report, targets } = await evaluateMatch({ ...SMOKE, purpose: 'tune', peers })
  t.match(report, /KONTOR_STATEMENTS is not set: its questions are left out/)
  const groups = ['exact', 'doc_truncated', 'absent_near', 'typo_digit_swap']
  const kinds = ['zeros_compact', 'long_groups', 'short_list', 'absent_phone_digits']
  for (const group of [...groups, ...kinds]) {
    t.match(report, new RegExp(`^\\| ${group} \\| \\d+ \\|`, 'm'))
  }
  for (const { name } of peers)
    t.match(report, new RegExp(`^\\| ${name} \\| \\d+ \\| [\\d.]+`, 'm'))
  t.equal(targets.length, 7)
  t.ok(targets.every(({ measured }) => !Number.isNaN(measured)))
  const exact = /^\| exact \| 1 \| 1 \|/m
  t.match(report, exact, 'the one exact reference is found')
})

test('a peer that is not installed is named with the reason', async (t) => {
  const missing: MatcherKind = { name: 'other', every: 1, open: () => 'there is no other' }
  const { report } = await evaluateMatch({ ...SMOKE, purpose: 'tune', peers: [missing] })
  t.match(report, /^other was skipped: there is no other\.$/m)
})

test('misses of report seeds are never shown', async (t) => {
  const { report } = await evaluateMatch({ ...SMOKE, purpose: 'report', peers: [] })
  t.notMatch(report, /query {2}/)
  const seeds: readonly number[] = SEEDS.report
  t.notOk(SEEDS.tune.some((seed) => seeds.includes(seed)))
})

test('a matcher without results misses the recall targets, and only those', async (t) => {
  const set = await makeEvaluationSet({ rowCount: 900, seed: 5, statements: [] })
  const open: MatcherKind['open'] = ({ length }) => matcherOf('nothing', length, () => [])
  const { outcomes } = evaluate({ name: 'nothing', every: 1, open }, set)
  const targets = inventedTargets(outcomes)
  const missed = missedTargets(targets).map(({ what }) => what)
  t.ok(missed.includes('P@1') && missed.includes('near-miss discrimination'))
  t.ok(missed.includes('one wrong or swapped digit > 0.4'))
  t.notOk(missed.some((what) => what.startsWith('any hit') || what.endsWith('< 0.6')))
  const unmeasured = targets.map((target) => ({ ...target, measured: Number.NaN }))
  t.same(missedTargets(unmeasured), [])
})
