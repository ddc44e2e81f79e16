import { messageOf } from '../../errors.js'
import { StoreAwayError } from '../store-error.js'
import type { PostgresConnection } from './connect.js'
import { queryInTime } from './heads.js'
import { DATABASE_MS, ROW_LASTS_MS, trustMsOf } from './node-table.js'

/** How often a node writes its row, if nothing else is new. */
const ROW_MS = 1_000

/** A node, as it tells others of itself. */
export interface ToldNode {
  /** Of this process alone. */
  readonly id: string
  /** Version of the program. */
  readonly program: string
  /** How long it believes what it knew while the database is away. */
  readonly offlineMs: number
  /** Number of workspaces in memory, and their bytes. */
  readonly memory: () => { readonly residents: number; readonly bytes: number }
}

/** Waits for the disk of this server, since a row must outlive a crash, and for no standby. */
const WRITE = `WITH local AS (SELECT set_config('synchronous_commit', 'local', true))
  INSERT INTO kontor_control.nodes 
    (id, heard, control_version, residents, bytes, program, trusted_ms)
  SELECT $1::TEXT, ${DATABASE_MS}, $2::BIGINT, $3::INTEGER, $4::BIGINT, $5::TEXT, $6::BIGINT
    FROM local
  ON CONFLICT (id) DO UPDATE SET heard = excluded.heard,
    control_version = excluded.control_version, residents = excluded.residents,
    bytes = excluded.bytes, program = excluded.program, trusted_ms = excluded.trusted_ms`

/** Keeps the row of a node in `kontor_control.nodes`. */
export class NodePresence {
  #writtenMs = Number.NEGATIVE_INFINITY
  #writtenVersion = 0
  #fault: string | undefined

  /**
   * @param clock monotonic milliseconds
   * @param msMax how long a statement may take
   */
  constructor(
    private readonly node: ToldNode,
    private readonly clock: () => number,
    private readonly msMax: number,
  ) {}

  /** Why the row was not written, when that was last due; undefined = it was. */
  get fault(): string | undefined {
    return this.#fault
  }

  /** Monotonic time until which what is heard is believed; -Infinity = the row is not there yet. */
  get lastsUntilMs(): number {
    return this.#writtenMs + ROW_LASTS_MS
  }

  /** The connection is another: the row may not be in its database. */
  begin(): void {
    this.#writtenMs = Number.NEGATIVE_INFINITY
  }

  /**
   * Writes the row when it is due, or the version is another.
   * @param controlVersion the version of control data that memory has
   * @throws StoreAwayError; any other refusal is a {@link fault}
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
      if (error instanceof StoreAwayError) throw error
      this.#fault = `the row of this node is not written: ${messageOf(error)}`
    }
  }

  /** @throws StoreError */
  async remove(connection: PostgresConnection): Promise<void> {
    const text = 'DELETE FROM kontor_control.nodes WHERE id = $1'
    await queryInTime(connection, { text, values: [this.node.id], msMax: this.msMax })
  }
}
