import { measureAuth, reportAuth } from './auth.js'
import { measureAuthReads, reportAuthReads } from './auth-reads.js'
import { measureBatches } from './batch.js'
import { reportBatches } from './batch-report.js'
import { measureChanges } from './changes.js'
import { reportChanges } from './changes-report.js'
import { benchDatabase, measureCluster, reportCluster } from './cluster.js'
import { measureEmbedded, reportEmbedded } from './embedded.js'
import { measureHidden, reportHidden } from './hidden.js'
import { measureImports, reportImports } from './import.js'
import { LAUNCHES, measureLaunches, reportLaunches } from './launch.js'
import { measureLive } from './live.js'
import { reportLive } from './live-report.js'
import { assertWrk, loadWithWrk } from './load.js'
import { measureMany, reportMany } from './many.js'
import { measureMatches } from './match.js'
import { ALL_PEERS } from './match-eval/run.js'
import { reportMatches } from './match-report.js'
import { measureMcp } from './mcp.js'
import { reportMcp } from './mcp-report.js'
import { measurePages } from './pages.js'
import { reportPages } from './pages-report.js'
import { measurePolls, reportPolls } from './polls.js'
import { measureReads } from './reads.js'
import { reportReads } from './reads-report.js'
import { measureRows, reportRows } from './rows.js'
import { measureScale, reportScale } from './scale.js'
import { measureSearches } from './search.js'
import { reportSearches } from './search-report.js'
import type { Settings } from './settings.js'
import { measureShares } from './shares.js'
import { reportShares } from './shares-report.js'
import { measureStarts, reportStarts } from './start.js'
import { measureSuggestions, reportSuggestions } from './suggest.js'
import { measureSummaries, reportSummaries } from './summary.js'

/** One bench, by its name in `npm run bench -- NAME`. */
interface Bench {
  readonly name: string
  readonly summary: string
  /** Runs it. @returns its figures as Markdown */
  run(settings: Settings): Promise<string>
}

/** All benches. */
export const BENCHES: readonly Bench[] = [
  {
    name: 'reads',
    summary: 'pages, filtered pages and single transactions against the bare engine and a twin',
    run: async (settings) => {
      assertWrk()
      const query = { combinationCount: 2_000, checkedCount: 100 }
      return reportReads(
        await measureReads(settings, { load: loadWithWrk, checkedCount: 220, query }),
      )
    },
  },
  {
    name: 'search',
    summary: 'free-text searches against FTS5, FlexSearch, MiniSearch and a scan',
    run: async (settings) =>
      reportSearches(await measureSearches(settings, { queryMsMax: 500, costedCount: 2_000 })),
  },
  {
    name: 'suggest',
    summary: 'suggestions for slips in names: recall, time, memory, and effect on readers',
    run: async (settings) =>
      reportSuggestions(await measureSuggestions(settings, { queryCount: 1_000, pageCount: 400 })),
  },
  {
    name: 'match',
    summary: 'references among 100,000 rows, costly queries, peers, and concurrent reads',
    run: async (settings) => {
      const counts = { checkedCount: 20, unboundedCount: 200, randomCount: 400, callerCount: 20 }
      const asked = { peerCount: 60, peerMsMax: 20_000, peers: ALL_PEERS.map(({ name }) => name) }
      return reportMatches(await measureMatches(settings, { ...counts, ...asked }))
    },
  },
  {
    name: 'batch',
    summary: '500 references at once among 100,000 rows, with and without expected payments',
    run: async (settings) =>
      reportBatches(await measureBatches(settings, { queryCount: 500, batchCount: 20 })),
  },
  {
    name: 'rows',
    summary: 'copying scattered rows out of shared memory',
    run: async ({ rowCount, seed }) => reportRows(measureRows(rowCount, seed, 4_000)),
  },
  {
    name: 'import',
    summary: 'NDJSON and camt.053 into an empty workspace',
    run: async (settings) =>
      reportImports(await measureImports(settings, { camtBytes: [10_000_000, 100_000_000] })),
  },
  {
    name: 'changes',
    summary: 'copies kept by changes: a whole copy beside a writer, and a thousand waiting callers',
    run: async (settings) => {
      const options = { callerCount: 1_000, roundCount: 10, readSeconds: settings.seconds * 3 }
      return reportChanges(await measureChanges(settings, options))
    },
  },
  {
    name: 'live',
    summary: 'changes of a served file: time until they are visible, and effect on readers',
    run: async (settings) => {
      const options = {
        singleCount: 100,
        insertCount: settings.rowCount / 10,
        readSeconds: settings.seconds * 3,
        settleSeconds: 10,
      }
      return reportLive(await measureLive(settings, options))
    },
  },
  {
    name: 'launch',
    summary: 'reads during writes, by npm start and by npx kontor serve',
    run: async (settings) => {
      const names = LAUNCHES.map(({ name }) => name)
      const options = { names, settleSeconds: 10, readSeconds: settings.seconds * 3 }
      return reportLaunches(await measureLaunches(settings, options))
    },
  },
  {
    name: 'many',
    summary: '2,000 small workspaces with memory for 200',
    run: async (settings) => {
      const options = { workspaceCount: 2_000, residentCount: 200, rowCount: 2_000 }
      return reportMany(await measureMany(settings, { ...options, seconds: settings.seconds * 5 }))
    },
  },
  {
    name: 'auth',
    summary: 'authentication among 100,000 live tokens, refreshes, and effect on readers',
    run: async ({ seed, seconds, rounds }) => {
      const counts = { tokenCount: 100_000, checkCount: 100_000, refreshCount: 10_000 }
      const figures = await measureAuth({ ...counts, seed })
      const served = { rowCount: 20_000, tokenCount: 100_000 }
      const reads = await measureAuthReads({ ...served, seconds, rounds, seed })
      return `${reportAuth(figures)}\n\n${reportAuthReads(reads)}`
    },
  },
  {
    name: 'mcp',
    summary: 'MCP calls: throughput, and effect on readers',
    run: async (settings) => {
      assertWrk()
      const counts = { checkedCount: 200, callCount: 1_000, agentCount: 4 }
      const long = { longCount: 100, longRoundCount: 9 }
      return reportMcp(await measureMcp(settings, { load: loadWithWrk, ...counts, ...long }))
    },
  },
  {
    name: 'embedded',
    summary: 'calls of a program in process against the same over HTTP',
    run: async (settings) =>
      reportEmbedded(await measureEmbedded(settings, { checkedCount: 50, callCount: 2_000 })),
  },
  {
    name: 'shares',
    summary: 'ten keys during floods: one key on 300 connections, pipelines without a credential',
    run: async (settings) => {
      const counts = { honestCount: 10, connectionCount: 300, pipeliningCount: 10 }
      return reportShares(await measureShares(settings, { engines: ['uws', 'node'], ...counts }))
    },
  },
  {
    name: 'summary',
    summary: 'sums by one and by two groups over all rows, and effect on readers',
    run: async (settings) =>
      reportSummaries(await measureSummaries(settings, { requestCount: 30, callerCount: 4 })),
  },
  {
    name: 'hidden',
    summary: 'whether response times reveal words of accounts that a key cannot access',
    run: async (settings) => {
      const counts = { wordCount: 200, searchCount: 1_000, matchCount: 1_000 }
      return reportHidden(await measureHidden(settings, { ...counts, matchedRows: 10_000 }))
    },
  },
  {
    name: 'pages',
    summary: 'pages of the dashboard, and size of the first one',
    run: async (settings) =>
      reportPages(await measurePages(settings, { callCount: 60, referenceCount: 200 })),
  },
  {
    name: 'start',
    summary: 'time from process start to first responses, built and from the cache',
    run: async (settings) => reportStarts(await measureStarts(settings)),
  },
  {
    name: 'scale',
    summary: 'one workspace of 0.1, 1, 5 and 10 million rows, as far as --rows goes',
    run: async (settings) => {
      const sizes = [100_000, 1_000_000, 5_000_000, 10_000_000]
      return reportScale(
        await measureScale(settings, { sizes, requestCount: 300, changeCount: 40 }),
      )
    },
  },
  {
    name: 'cluster',
    summary:
      'reads from one node and from three over one PostgreSQL database; starts without a cache',
    run: async (settings) =>
      reportCluster(await measureCluster({ ...settings, url: benchDatabase() })),
  },
  {
    name: 'polls',
    summary: 'CPU time of idle nodes and of their PostgreSQL server, with a model of 1,000 nodes',
    run: async (settings) => {
      const options = { ...settings, url: benchDatabase(), workspaceCount: 100 }
      return reportPolls(await measurePolls(options))
    },
  },
]
