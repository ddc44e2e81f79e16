import type { EpochMs } from '../instant.js'
import type { Tool } from '../mcp/tools/tool.js'
import type { RankMatches } from '../query/match-ranking.js'
import type { ControlStore } from '../store/control-store.js'
import type { BuilderPool } from '../threads/builder-pool.js'
import type { Log } from './log.js'

/** Options of a service. */
export interface ServiceOptions {
  /** The URL of the service for callers; called once, at the first request for the document. */
  readonly baseUrl: () => string
  readonly log: Log
  readonly clock: () => EpochMs
  /** Origins whose scripts may read the answers, as `originOf` returns them; absent = none. */
  readonly corsOrigins?: readonly string[] | undefined
  /** Requests per minute and credential; absent = unlimited. */
  readonly requestsPerMinute?: number | undefined
  /** Requests per minute and address to the issuers; default: a few hundred. */
  readonly issuerRequestsPerMinute?: number | undefined
  /** Time that a match may take, waiting included, ms; default: 1,000. */
  readonly matchBudgetMs?: number | undefined
  /** Threads that score matches; absent = the parallelism of the machine, up to four. */
  readonly matchThreads?: number | undefined
  /** Whether it listens on a loopback address, so that loopback names are valid; absent = no. */
  readonly answersLoopback?: boolean | undefined
  /**
   * The value of --host when that is a loopback address alone: requests under a name that is not
   * the service's are then rejected. Absent = others reach it too, and its names are not known.
   */
  readonly loopbackHost?: string | undefined
  /** Characters of an answer of a tool; default: `ANSWER_CHARS_DEFAULT`. */
  readonly mcpAnswerChars?: number | undefined
  /** Tools of the MCP endpoints; default: all existing ones. */
  readonly tools?: readonly Tool[] | undefined
  /** Ranks matches; absent = those threads do. */
  readonly rankMatches?: RankMatches | undefined
  /** How long to answer from memory without the database, ms; default: a minute. */
  readonly offlineMs?: number | undefined
  /** Bytes that the workspaces in memory may take together. */
  readonly memoryBudgetBytes: number
  /** Bytes of bank files that a browser may send at once; default: 250 MB. */
  readonly uploadBytesMax?: number | undefined
  /** The folder whose files are imported; absent = none. */
  readonly inboxPath?: string | undefined
  /** Wraps the store of control data, for tests; absent = the file itself is used. */
  readonly controlOver?: ((file: ControlStore) => ControlStore) | undefined
  /** Absent = a pool of its own. Closed with the service. */
  readonly tasks?: BuilderPool | undefined
}
