import type { IntegrationKind } from '../domain/integration.js'
import type { EpochMs } from '../instant.js'
import { all, first, run, type Work } from './work.js'

/** Terms of access for other programs: which of them, to what, for how long. */
export interface IntegrationRow {
  /** Random, `[-a-zA-Z0-9_]+`. */
  id: string
  workspaceId: string
  /** Uid of the workspace file that it was made for; null = unbound: any file will do. */
  workspaceUid: string | null
  kind: IntegrationKind
  name: string
  /** An inactive one answers 404 on all of its paths, and its credentials are refused. */
  isActive: boolean
  /** The word `all`, or account ids separated by commas; `''` = none at all. */
  accounts: string
  /** The word `all`, or names of tools separated by commas; `''` = none at all. */
  tools: string
  /** Space-separated scopes. */
  scopes: string
  /** Whether clients may register themselves (RFC 7591); for an MCP integration only. */
  letsRegister: boolean
  /** Life times in ms: of codes, access tokens, refresh tokens. */
  codeMs: number
  accessMs: number
  refreshMs: number
  /** Whether an MCP endpoint hides IBANs, and counterparts' names. */
  masksIbans: boolean
  masksNames: boolean
  createdAt: EpochMs
  updatedAt: EpochMs
}

/** The columns of an integration as {@link integrationOf} expects them. */
export const INTEGRATION_FIELDS = `id, workspace_id AS "workspaceId",
  workspace_uid AS "workspaceUid", kind, name,
  active AS "isActive", accounts, tools, scopes, dcr AS "letsRegister", code_ms AS "codeMs",
  access_ms AS "accessMs", refresh_ms AS "refreshMs", mask_ibans AS "masksIbans",
  mask_names AS "masksNames", created_at AS "createdAt", updated_at AS "updatedAt"`

type IntegrationFlag = 'isActive' | 'letsRegister' | 'masksIbans' | 'masksNames'
type StoredIntegration = Omit<IntegrationRow, IntegrationFlag> & Record<IntegrationFlag, number>

/** Converts a stored row. */
export function integrationOf(stored: StoredIntegration): IntegrationRow {
  return {
    ...stored,
    isActive: stored.isActive === 1,
    letsRegister: stored.letsRegister === 1,
    masksIbans: stored.masksIbans === 1,
    masksNames: stored.masksNames === 1,
  }
}

export function* insertIntegration(row: IntegrationRow): Work<void> {
  const sql = `INSERT INTO integrations (id, workspace_id, workspace_uid, kind, name, active,
    accounts, tools, scopes, dcr, code_ms, access_ms, refresh_ms, mask_ibans, mask_names,
    created_at, updated_at) VALUES (@id, @workspaceId, @workspaceUid, @kind, @name, @isActive,
    @accounts, @tools, @scopes, @letsRegister, @codeMs, @accessMs, @refreshMs, @masksIbans,
    @masksNames, @createdAt, @updatedAt)`
  yield* run(sql, {
    ...row,
    isActive: Number(row.isActive),
    letsRegister: Number(row.letsRegister),
    masksIbans: Number(row.masksIbans),
    masksNames: Number(row.masksNames),
  })
}

export function* findIntegration(id: string): Work<IntegrationRow | undefined> {
  const sql = `SELECT ${INTEGRATION_FIELDS} FROM integrations WHERE id = @id`
  const stored = yield* first<StoredIntegration>(sql, { id })
  return stored === undefined ? undefined : integrationOf(stored)
}

/** All integrations, oldest first. @param workspaceId absent = of all workspaces */
export function* listIntegrations(workspaceId?: string): Work<IntegrationRow[]> {
  const sql = `SELECT ${INTEGRATION_FIELDS} FROM integrations
    WHERE CAST(@only AS TEXT) IS NULL OR workspace_id = @only ORDER BY created_at, rowid`
  return (yield* all<StoredIntegration>(sql, { only: workspaceId ?? null })).map(integrationOf)
}

/** The members of an integration that an operator may edit. */
export type IntegrationTerms = Omit<
  IntegrationRow,
  'id' | 'workspaceId' | 'workspaceUid' | 'kind' | 'isActive' | 'createdAt' | 'updatedAt'
>

/** @returns whether there is such an integration */
export function* updateIntegrationTerms(
  change: IntegrationTerms & { readonly id: string; readonly at: EpochMs },
): Work<boolean> {
  const sql = `UPDATE integrations SET name = @name, accounts = @accounts, tools = @tools,
    scopes = @scopes, dcr = @letsRegister, code_ms = @codeMs, access_ms = @accessMs,
    refresh_ms = @refreshMs, mask_ibans = @masksIbans, mask_names = @masksNames, updated_at = @at
    WHERE id = @id`
  const { letsRegister, masksIbans, masksNames } = change
  const flags = {
    letsRegister: Number(letsRegister),
    masksIbans: Number(masksIbans),
    masksNames: Number(masksNames),
  }
  return (yield* run(sql, { ...change, ...flags })) > 0
}

/** @returns whether there is such an integration */
export function* updateIntegrationActive({
  id,
  isActive,
  at,
}: {
  readonly id: string
  readonly isActive: boolean
  readonly at: EpochMs
}): Work<boolean> {
  const sql = 'UPDATE integrations SET active = @isActive, updated_at = @at WHERE id = @id'
  return (yield* run(sql, { id, isActive: Number(isActive), at })) > 0
}

/** Deletes it with its clients, keys, grants and tokens. @returns whether there was one */
export function* deleteIntegrationRow(id: string): Work<boolean> {
  return (yield* run('DELETE FROM integrations WHERE id = @id', { id })) > 0
}

/** Deletes a workspace's integrations with all that belongs to them. @returns their number */
export function deleteIntegrations(workspaceId: string): Work<number> {
  return run('DELETE FROM integrations WHERE workspace_id = @workspaceId', { workspaceId })
}
