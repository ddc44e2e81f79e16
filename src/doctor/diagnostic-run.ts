import type { Actor } from '../domain/audit.js'
import type { EpochMs } from '../instant.js'
import type { ControlStore } from '../store/control-store.js'
import type { IntegrationRow } from '../store/integration-rows.js'
import type { WorkspaceCatalog } from '../store/workspace.js'
import type { Finding } from './finding.js'

/** The subject and the surroundings of a diagnostic run. */
export interface DoctorOptions {
  readonly catalog: WorkspaceCatalog
  readonly control: Pick<ControlStore, 'look' | 'alone'>
  readonly integration: Pick<IntegrationRow, 'id'>
  /** The URL of the service for clients; no trailing slash. */
  readonly baseUrl: string
  /** An `mcp-` key to try; absent = one is created, and revoked afterwards. */
  readonly key?: string | undefined
  readonly clock: () => EpochMs
  /** The actor in the audit log. */
  readonly actor: Actor
}

/** A client that the doctor signs in as. */
export interface DiagnosticClient {
  readonly id: string
  readonly redirectUri: string
}

/** A diagnostic run in progress: its subject, and the results of earlier steps. */
export interface DiagnosticRun extends DoctorOptions {
  readonly integration: IntegrationRow
  /** The issuer as clients compute it. */
  readonly issuer: string
  /** The MCP endpoint, or the workspace's REST operations. */
  readonly resource: string
  readonly facts: {
    /** The URL that the server reports as its own. */
    servedUrl?: unknown
    /** Date of the server's answer; NaN = it has none. */
    servedAtMs?: EpochMs
    client?: DiagnosticClient
    accessToken?: string
    refreshToken?: string
    key?: string
  }
  /** Undone at the end of the diagnostic run, last first. */
  readonly undoings: (() => Promise<unknown>)[]
}

/** One step. */
export interface DiagnosticStep {
  readonly id: string
  readonly title: string
  /** Ids of the steps that this one depends on. */
  readonly needs: readonly string[]
  /** @throws NoAnswer */
  readonly check: (run: DiagnosticRun) => Finding | Promise<Finding>
}
