import { test } from 'tap'
import { measureCluster, reportCluster } from '../../bench/cluster.js'
import { emptyDatabase } from '../fixtures/postgres.js'

test('a smoke run of the cluster bench reads from one node and from three', async (t) => {
  const url = await emptyDatabase(t)
  const sizes = { rowCount: 1_000, seed: 7, seconds: 0.3, rounds: 1, restMs: 20 }
  const figures = await measureCluster({ ...sizes, url })
  t.same([...figures.reads.keys()], [1, 3])
  for (const [round] of figures.reads.values()) t.ok((round?.requestCount ?? 0) > 0)
  t.equal(figures.loads.length, 1)
  for (const { sqliteMs, postgresMs } of figures.loads) t.ok(sqliteMs > 0 && postgresMs > 0)
  t.match(reportCluster(figures), /\| 3 \| 1 \| \d+ \| .*\n\nCPU of the nodes per request/s)
})
