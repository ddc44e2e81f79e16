import { setTimeout as wait } from 'node:timers/promises'
import type { ConfirmationOutcome, UnconfirmedNode } from '../../domain/nodes.js'
import { messageOf } from '../../errors.js'
import type { EpochMs } from '../../instant.js'
import { PostgresConnection } from './connect.js'
import { queryInTime } from './heads.js'
import { DATABASE_MS } from './node-table.js'

/** Maximum time to wait for nodes; one in contact confirms within some 10 ms. */
const PATIENCE_MS = 5_000

/** Pauses between two reads of the rows; the last one repeats. */
const PAUSES_MS = [5, 10, 20, 50] as const

/** Time limit of one read. */
const LOOK_MS_MAX = 5_000

/** The version that nodes have to confirm, and for how long to wait. */
export interface ConfirmationOptions {
  /** The database. */
  readonly url: string
  /** The version of control data after the commit; absent = the present one, or later. */
  readonly version?: number
  /** How long to wait; absent = five seconds. */
  readonly patienceMs?: number
  /** Waits between two reads; absent = a timer. */
  readonly pause?: (ms: number) => Promise<unknown>
}

/** Joined to `versions`, so there is a row even without nodes, and all rows are of one snapshot. */
const LOOK = `SELECT v.control, now.ms AS "nowMs", n.id, n.heard + n.trusted_ms AS "untilMs",
    n.control_version AS "controlVersion"
  FROM kontor_control.versions AS v CROSS JOIN (SELECT ${DATABASE_MS} AS ms) AS now
    LEFT JOIN kontor_control.nodes AS n ON n.heard + n.trusted_ms > now.ms
  ORDER BY n.id`

interface LookRow {
  readonly control: number
  readonly nowMs: EpochMs
  /** null = there is no node. */
  readonly id: string | null
  readonly untilMs: EpochMs
  readonly controlVersion: number
}

/**
 * Waits until every node has confirmed a version, or its lease has expired. Called after a commit,
 * so it never rejects.
 */
export async function awaitConfirmations(
  options: ConfirmationOptions,
): Promise<ConfirmationOutcome> {
  try {
    const connection = await PostgresConnection.open(options.url, {
      applicationName: 'kontor confirmations',
    })
    try {
      return await lookUntilConfirmed(connection, options)
    } finally {
      void connection.close()
    }
  } catch (error) {
    return { kind: 'unknown', reason: messageOf(error) }
  }
}

async function lookUntilConfirmed(
  connection: PostgresConnection,
  { version, patienceMs = PATIENCE_MS, pause = wait }: ConfirmationOptions,
): Promise<ConfirmationOutcome> {
  let [wanted, deadlineMs] = [version, Number.NEGATIVE_INFINITY]
  for (let i = 0; ; i += 1) {
    const rows = await look(connection)
    const [{ control, nowMs }] = rows
    if (i === 0) deadlineMs = nowMs + patienceMs
    wanted ??= control
    const nodes = unconfirmedOf(rows, wanted)
    if (nodes.length === 0) return { kind: 'confirmed' }
    if (nowMs >= deadlineMs) return { kind: 'unconfirmed', nodes }
    await pause(PAUSES_MS[i] ?? 50)
  }
}

async function look(connection: PostgresConnection): Promise<[LookRow, ...LookRow[]]> {
  const [first, ...others] = await queryInTime<LookRow>(connection, {
    name: 'kontor_look',
    text: LOOK,
    msMax: LOOK_MS_MAX,
  })
  if (first === undefined) throw new Error('kontor_control.versions is empty')
  return [first, ...others]
}

function unconfirmedOf(rows: readonly LookRow[], version: number): UnconfirmedNode[] {
  return rows.flatMap(({ id, controlVersion, untilMs, nowMs }) =>
    id === null || controlVersion >= version ? [] : [{ id, untilMs, leftMs: untilMs - nowMs }],
  )
}
