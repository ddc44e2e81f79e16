import { test } from 'tap'
import { measurePolls, reportPolls } from '../../bench/polls.js'
import { emptyDatabase } from '../fixtures/postgres.js'

test('a smoke run of the bench of polls measures nodes at rest and their server', async (t) => {
  const url = await emptyDatabase(t)
  const sizes = { seed: 7, seconds: 0.3, rounds: 1, restMs: 20, workspaceCount: 3 }
  const rounds = await measurePolls({ ...sizes, url })
  t.same(
    rounds.map(({ nodeCount, workspaceCount }) => [nodeCount, workspaceCount]),
    [
      [1, 0],
      [1, 3],
      [3, 0],
      [3, 3],
    ],
  )
  for (const { nodeUs } of rounds) t.ok(nodeUs >= 0)
  t.match(reportPolls(rounds), /\| 3 \| 3 \| .*Cores of the server for polls.*\| 1,000 nodes \|/s)
})

test('the report multiplies the share of a node', async (t) => {
  const report = reportPolls([
    { nodeCount: 1, workspaceCount: 0, nodeUs: 20_000, serverUs: 9_000 },
    { nodeCount: 3, workspaceCount: 0, nodeUs: 15_000, serverUs: 4_000 },
    { nodeCount: 3, workspaceCount: 0, nodeUs: 15_000, serverUs: 6_000 },
  ])
  t.match(report, '| 1 | 0 | 2 | 0.9 |')
  t.match(report, '| 0 | 0.05 | 0.5 | 5 |')
  t.match(
    reportPolls([{ nodeCount: 3, workspaceCount: 0, nodeUs: 1, serverUs: Number.NaN }]),
    '| 0 | - |',
  )
})
