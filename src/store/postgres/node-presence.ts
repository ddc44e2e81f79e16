import { messageOf } from '../../errors.js'
import { StoreUnavailableError } from '../store-error.js'
import type { PostgresConnection } from './connect.js'
import { queryInTime } from './heads.js'
import { DATABASE_MS, ROW_LASTS_MS, trustMsOf } from './node-table.js'

/** Interval of heartbeats, unless a new version is to be confirmed. */
const ROW_MS = 1_000

/** A node, as its heartbeat describes it. */
export interface ReportedNode {
  /** Unique to this process. */
  readonly id: string
  /** Version of the program. */
  readonly program: string
  /** How long it answers from memory without the database. */
  readonly offlineMs: number
  /** Number of workspaces in memory, and their bytes. */
  readonly memory: () => { readonly residents: number; readonly bytes: number }
}

/** Waits for the disk of this server, because the row must survive a crash, but for no standby. */
const WRITE = `WITH local AS (SELECT set_config('synchronous_commit', 'local', true))
  INSERT INTO kontor_control.nodes 
    (id, heard, control_version, residents, bytes, program, trusted_ms)
  SELECT $1::TEXT, ${DATABASE_MS}, $2::BIGINT, $3::INTEGER, $4::BIGINT, $5::TEXT, $6::BIGINT
    FROM local
  ON CONFLICT (id) DO UPDATE SET heard = excluded.heard,
    control_version = excluded.control_version, residents = excluded.residents,
    bytes = excluded.bytes, program = excluded.program, trusted_ms = excluded.trusted_ms`

/** Writes the heartbeat of a node, its row of `kontor_control.nodes`. */
export class NodePresence {
  #writtenMs = Number.NEGATIVE_INFINITY
  #writtenVersion = 0
  #fault: string | undefined

  /**
   * @param clock monotonic milliseconds
   * @param msMax how long a statement may take
   */
  constructor(
    private readonly node: ReportedNode,
    private readonly clock: () => number,
    private readonly msMax: number,
  ) {}

  /** Why the last heartbeat has failed; undefined = it has not. */
  get fault(): string | undefined {
    return this.#fault
  }

  /** Monotonic time until which polls count; -Infinity before the first heartbeat. */
  get lastsUntilMs(): number {
    return this.#writtenMs + ROW_LASTS_MS
  }

  /** To be called for each new connection, whose server may not have the row. */
  begin(): void {
    this.#writtenMs = Number.NEGATIVE_INFINITY
  }

  /**
   * Writes the row if that is due, or if the version has changed.
   * @param controlVersion the version of control data that memory has
   * @throws StoreUnavailableError; any other error becomes {@link fault}
   */
  async keep(connection: PostgresConnection, controlVersion: number): Promise<void> {
    const nowMs = this.clock()
    const isDue = nowMs - this.#writtenMs >= ROW_MS || controlVersion !== this.#writtenVersion
    if (!isDue) return
    const { id, program, offlineMs, memory } = this.node
    const { residents, bytes } = memory()
    const values = [id, controlVersion, residents, bytes, program, trustMsOf(offlineMs)]
    try {
      await queryInTime(connection, {
        name: 'kontor_node',
        text: WRITE,
        values,
        msMax: this.msMax,
      })
      this.#writtenMs = nowMs
      this.#writtenVersion = controlVersion
      this.#fault = undefined
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error
      this.#fault = `the heartbeat of this node cannot be written: ${messageOf(error)}`
    }
  }

  /** @throws StoreError */
  async remove(connection: PostgresConnection): Promise<void> {
    const text = 'DELETE FROM kontor_control.nodes WHERE id = $1'
    await queryInTime(connection, { text, values: [this.node.id], msMax: this.msMax })
  }
}
