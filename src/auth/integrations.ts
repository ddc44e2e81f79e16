import type { Actor } from '../domain/audit.js'
import type { IntegrationKind, ToolName } from '../domain/integration.js'
import type { Scope } from '../domain/key-scope.js'
import type { EpochMs } from '../instant.js'
import { ACCESS_TOKEN_MS_DEFAULT, CODE_MS_DEFAULT, REFRESH_TOKEN_MS_DEFAULT } from '../limits.js'
import type { ControlFile } from '../store/control-file.js'
import {
  deleteIntegrationRow,
  findIntegration,
  type IntegrationRow,
  type IntegrationTerms,
  insertIntegration,
  updateIntegrationActive,
  updateIntegrationTerms,
} from '../store/integration-rows.js'
import { appendAudit } from './audit.js'
import { createPublicId } from './secret.js'
import { accountsText, scopesText, toolsOf, toolsText } from './selection.js'

/** The credentials and permissions of a new integration. */
export interface NewIntegration {
  readonly workspaceId: string
  /** The workspace's file (its `uid`); absent = the one at its first use. */
  readonly workspaceUid?: string | null | undefined
  readonly kind: IntegrationKind
  readonly name: string
  readonly scopes: readonly Scope[]
  /** null = all current and future accounts. */
  readonly accountIds: readonly number[] | null
  /** null = all current and future tools. */
  readonly tools: readonly ToolName[] | null
  /** Whether clients may register themselves; an MCP integration's alone. */
  readonly letsRegister?: boolean | undefined
  readonly masksIbans?: boolean | undefined
  readonly masksNames?: boolean | undefined
  /** Life times; the defaults of docs/contract/credentials.md, "Token lifetimes", when absent. */
  readonly codeMs?: number | undefined
  readonly accessMs?: number | undefined
  readonly refreshMs?: number | undefined
}

/** Creates an integration, active. */
export function createIntegration(
  control: ControlFile,
  wish: NewIntegration,
  nowMs: EpochMs,
  actor: Actor,
): IntegrationRow {
  const { workspaceId, kind } = wish
  const row: IntegrationRow = {
    ...{ id: createPublicId(), workspaceId, kind, isActive: true },
    workspaceUid: wish.workspaceUid ?? null,
    ...termsOf(wish),
    createdAt: nowMs,
    updatedAt: nowMs,
  }
  return control.atomically(() => {
    insertIntegration(control, row)
    const detail = { kind, ...auditTermsOf(wish) }
    appendAudit(control, actor, nowMs, {
      action: 'integration.create',
      ...auditFieldsOf(row),
      detail,
    })
    return row
  })
}

/** The new permissions of an integration; its kind and workspace stay. */
export type IntegrationChange = Omit<NewIntegration, 'workspaceId' | 'workspaceUid' | 'kind'> & {
  readonly id: string
}

/**
 * Changes the permissions of an integration; the change applies to the next request of its
 * credentials.
 * @returns false when there is no such integration
 */
export function changeIntegration(
  control: ControlFile,
  change: IntegrationChange,
  nowMs: EpochMs,
  actor: Actor,
): boolean {
  const { id } = change
  return control.atomically(() => {
    const row = findIntegration(control, id)
    if (row === undefined) return false
    updateIntegrationTerms(control, { ...termsOf(change), id, at: nowMs })
    const { masksIbans = false, masksNames = false } = change
    const detail = { ...auditTermsOf(change), masksIbans, masksNames }
    appendAudit(control, actor, nowMs, {
      action: 'integration.change',
      ...auditFieldsOf(row),
      detail,
    })
    return true
  })
}

type Terms = Omit<NewIntegration, 'workspaceId' | 'workspaceUid' | 'kind'>

function termsOf(wish: Terms): IntegrationTerms {
  return {
    name: wish.name,
    accounts: accountsText(wish.accountIds),
    tools: toolsText(wish.tools),
    scopes: scopesText(wish.scopes),
    letsRegister: wish.letsRegister ?? false,
    codeMs: wish.codeMs ?? CODE_MS_DEFAULT,
    accessMs: wish.accessMs ?? ACCESS_TOKEN_MS_DEFAULT,
    refreshMs: wish.refreshMs ?? REFRESH_TOKEN_MS_DEFAULT,
    masksIbans: wish.masksIbans ?? false,
    masksNames: wish.masksNames ?? false,
  }
}

function auditTermsOf({ name, accountIds, tools, scopes, letsRegister = false }: Terms) {
  return { name, accounts: accountIds ?? 'all', tools: tools ?? 'all', scopes, letsRegister }
}

/** Activates an integration. @returns false when there is no such integration */
export function activateIntegration(
  control: ControlFile,
  id: string,
  nowMs: EpochMs,
  actor: Actor,
): boolean {
  return setActive(control, { id, isActive: true }, nowMs, actor)
}

/**
 * Deactivates an integration and its credentials, from the next request on, until it is activated
 * again.
 * @returns false when there is no such integration
 */
export function deactivateIntegration(
  control: ControlFile,
  id: string,
  nowMs: EpochMs,
  actor: Actor,
): boolean {
  return setActive(control, { id, isActive: false }, nowMs, actor)
}

function setActive(
  control: ControlFile,
  { id, isActive }: { readonly id: string; readonly isActive: boolean },
  nowMs: EpochMs,
  actor: Actor,
): boolean {
  return control.atomically(() => {
    const row = findIntegration(control, id)
    if (row === undefined) return false
    if (row.isActive === isActive) return true
    updateIntegrationActive(control, { id, isActive, at: nowMs })
    const action = isActive ? 'integration.activate' : 'integration.deactivate'
    appendAudit(control, actor, nowMs, { action, ...auditFieldsOf(row) })
    return true
  })
}

/** Deletes an integration with its clients, keys and tokens. @returns false when there is none */
export function deleteIntegration(
  control: ControlFile,
  id: string,
  nowMs: EpochMs,
  actor: Actor,
): boolean {
  return control.atomically(() => {
    const row = findIntegration(control, id)
    if (row === undefined) return false
    deleteIntegrationRow(control, id)
    const detail = { kind: row.kind, name: row.name }
    appendAudit(control, actor, nowMs, {
      action: 'integration.delete',
      ...auditFieldsOf(row),
      detail,
    })
    return true
  })
}

function auditFieldsOf({ id, workspaceId }: IntegrationRow) {
  return { subject: id, workspaceId, integrationId: id }
}

/** The part of an access that comes from its integration. */
export function integrationPart({
  id,
  kind,
  name,
  tools,
  masksIbans,
  masksNames,
}: Pick<IntegrationRow, 'id' | 'kind' | 'name' | 'tools' | 'masksIbans' | 'masksNames'>) {
  const chosen = toolsOf(tools)
  const toolNames = chosen === null ? null : new Set(chosen)
  return { id, kind, name, tools: toolNames, masksIbans, masksNames }
}
