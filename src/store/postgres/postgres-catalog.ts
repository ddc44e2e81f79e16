import type { ControlStore } from '../control-store.js'
import { isWorkspaceId, requireWorkspaceId } from '../data-directory.js'
import { StoreError } from '../store-error.js'
import { all, done, first, hold, run, type Work } from '../work.js'
import type { WorkspaceAddress, WorkspaceCatalog } from '../workspace.js'
import { PostgresConnection } from './connect.js'
import { removeDeletedWorkspaces } from './deleted-workspaces.js'

/** Waits for transactions that write to the workspace; later ones find it deleted. */
const HOLD = 'SELECT kontor.hold(no) FROM kontor.workspaces WHERE id = @workspaceId'

/** Time limit of a step of a deletion. */
const STEP_MS_MAX = 60_000

/** The table `kontor.workspaces`, over the connections of control data. */
export class PostgresCatalog implements WorkspaceCatalog {
  /** @param url URL of the database of `control`, for addresses */
  constructor(
    private readonly control: Pick<ControlStore, 'look' | 'alone'>,
    private readonly url: string,
  ) {}

  async list(): Promise<string[]> {
    const sql = 'SELECT id FROM kontor.workspaces WHERE id IS NOT NULL ORDER BY id'
    const rows = await this.control.look(() => all<{ id: string }>(sql))
    return rows.map(({ id }) => id)
  }

  async find(workspaceId: string): Promise<WorkspaceAddress | undefined> {
    const no = (await this.control.look(() => workspaceOf(workspaceId)))?.no
    return no === undefined ? undefined : { engine: 'postgres', url: this.url, no }
  }

  async uidOf(workspaceId: string): Promise<string | undefined> {
    return (await this.control.look(() => workspaceOf(workspaceId)))?.uid
  }

  *has(workspaceId: string, uid: string | null): Work<boolean> {
    const workspace = yield* workspaceOf(workspaceId)
    return workspace !== undefined && (uid === null || workspace.uid === uid)
  }

  async make(workspaceId: string): Promise<WorkspaceAddress> {
    requireWorkspaceId(workspaceId)
    const sql = `INSERT INTO kontor.workspaces (id) VALUES (@workspaceId)
      ON CONFLICT (id) DO NOTHING`
    await this.control.look(() => run(sql, { workspaceId }))
    const address = await this.find(workspaceId)
    if (address !== undefined) return address
    throw new StoreError(`workspace ${workspaceId} was deleted while it was being created`)
  }

  delete(workspaceId: string): Promise<void> {
    return this.deleteAfter(workspaceId, this.control, () => done(undefined))
  }

  /** Short for all that waits: the rows are removed after the transaction. */
  async deleteAfter<T>(
    workspaceId: string,
    control: Pick<ControlStore, 'alone'>,
    work: () => Work<T>,
  ): Promise<T> {
    const result = await control.alone(() => deleteWorkspace(workspaceId, work))
    await this.#removeRows()
    return result
  }

  /** Of what was deleted, as far as that succeeds: the upkeep of a node removes the rest. */
  async #removeRows(): Promise<void> {
    try {
      const connection = await PostgresConnection.open(this.url, {
        applicationName: 'kontor deletion',
        answerMsMax: STEP_MS_MAX,
      })
      try {
        await removeDeletedWorkspaces(connection)
      } finally {
        await connection.close()
      }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
  }
}

/** A row of the table. */
interface WorkspaceRow {
  no: number
  uid: string
}

/** undefined = there is none. Invalid ids are not sent, because PostgreSQL would refuse some. */
function workspaceOf(workspaceId: string): Work<WorkspaceRow | undefined> {
  if (!isWorkspaceId(workspaceId)) return done(undefined)
  return first('SELECT no, uid FROM kontor.workspaces WHERE id = @workspaceId', { workspaceId })
}

function* deleteWorkspace<T>(workspaceId: string, work: () => Work<T>): Work<T> {
  yield* hold(HOLD, { workspaceId })
  const result = yield* work()
  yield* run('UPDATE kontor.workspaces SET id = NULL WHERE id = @workspaceId', { workspaceId })
  return result
}
