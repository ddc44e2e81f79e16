import type { Actor } from '../domain/audit.js'
import type { EpochMs } from '../instant.js'
import type { ControlFile } from '../store/control-file.js'
import type { DataDirectory } from '../store/data-directory.js'
import type { IntegrationRow } from '../store/integration-rows.js'
import type { Finding } from './finding.js'

/** What a diagnostic run is made for. */
export interface DoctorOptions {
  readonly directory: DataDirectory
  readonly control: ControlFile
  readonly integration: IntegrationRow
  /** How clients reach the service; no slash at its end. */
  readonly baseUrl: string
  /** An `mcp-` key to try; absent = one is made, and revoked afterwards. */
  readonly key?: string | undefined
  readonly clock: () => EpochMs
  /** Who is told of in the audit log. */
  readonly actor: Actor
}

/** A client that the doctor signs in as. */
export interface DiagnosticClient {
  readonly id: string
  readonly redirectUri: string
}

/** A diagnostic run under way: what is asked about, and what earlier steps have found. */
export interface DiagnosticRun extends DoctorOptions {
  /** The issuer as clients compute it. */
  readonly issuer: string
  /** The MCP endpoint, or the workspace's REST operations. */
  readonly resource: string
  readonly found: {
    /** What the server calls itself. */
    servedUrl?: unknown
    /** Date of its answer; NaN = it has none. */
    servedAtMs?: EpochMs
    client?: DiagnosticClient
    accessToken?: string
    refreshToken?: string
    key?: string
  }
  /** What is to be undone when the diagnostic run is over, last first. */
  readonly undoings: (() => void)[]
}

/** One step. */
export interface DiagnosticStep {
  readonly id: string
  readonly title: string
  /** Ids of steps without which this one tells nothing. */
  readonly needs: readonly string[]
  /** @throws NoAnswer */
  readonly look: (run: DiagnosticRun) => Finding | Promise<Finding>
}
