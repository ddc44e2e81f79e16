import { createPublicId } from '../auth/secret.js'
import {
  accountIdsOf,
  accountsText,
  scopesOf,
  scopesText,
  toolsOf,
  toolsText,
} from '../auth/selection.js'
import type { IntegrationKind, ToolName } from '../domain/integration.js'
import type { Scope } from '../domain/key-scope.js'
import { ACCESS_TOKEN_MS_DEFAULT, CODE_MS_DEFAULT, REFRESH_TOKEN_MS_DEFAULT } from '../limits.js'
import {
  deleteIntegrationRow,
  findIntegration as findIntegrationRow,
  type IntegrationRow,
  type IntegrationTerms,
  insertIntegration,
  listIntegrations as listIntegrationRows,
  updateIntegrationActive,
  updateIntegrationTerms,
} from '../store/integration-rows.js'
import type { Work } from '../store/work.js'
import { type AuditContext, audited, auditedChange } from './audited-change.js'

/** Terms of access for other programs, as operators see them. */
export interface Integration extends Omit<IntegrationRow, 'scopes' | 'accounts' | 'tools'> {
  readonly scopes: readonly Scope[]
  /** null = all current and future accounts. */
  readonly accountIds: readonly number[] | null
  /** null = all current and future tools. */
  readonly tools: readonly ToolName[] | null
}

function integrationOf({ accounts, ...row }: IntegrationRow): Integration {
  const accountIds = accountIdsOf(accounts)
  return { ...row, scopes: scopesOf(row.scopes), accountIds, tools: toolsOf(row.tools) }
}

/** All integrations, oldest first. @param workspaceId absent = of all workspaces */
export async function listIntegrations(
  { control }: AuditContext,
  workspaceId?: string,
): Promise<Integration[]> {
  return (await control.look(() => listIntegrationRows(workspaceId))).map(integrationOf)
}

/** An integration; undefined = there is none. */
export async function findIntegration(
  { control }: AuditContext,
  id: string,
): Promise<Integration | undefined> {
  const row = await control.look(() => findIntegrationRow(id))
  return row && integrationOf(row)
}

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
  context: AuditContext,
  input: NewIntegration,
): Promise<IntegrationRow> {
  const { nowMs } = context
  const { workspaceId, kind } = input
  const row: IntegrationRow = {
    ...{ id: createPublicId(), workspaceId, kind, isActive: true },
    workspaceUid: input.workspaceUid ?? null,
    ...termsOf(input),
    createdAt: nowMs,
    updatedAt: nowMs,
  }
  return audited(context, function* (record) {
    yield* insertIntegration(row)
    const detail = { kind, ...auditTermsOf(input) }
    yield* record({ action: 'integration.create', ...auditFieldsOf(row), detail })
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
export const changeIntegration = auditedChange({
  action: 'integration.change',
  find: ({ id }: IntegrationChange) => findIntegrationRow(id),
  write: (change, at) => updateIntegrationTerms({ ...termsOf(change), id: change.id, at }),
  fieldsOf: (row, change) => {
    const { masksIbans = false, masksNames = false } = change
    const detail = { ...auditTermsOf(change), masksIbans, masksNames }
    return { ...auditFieldsOf(row), detail }
  },
})

type Terms = Omit<NewIntegration, 'workspaceId' | 'workspaceUid' | 'kind'>

function termsOf(input: Terms): IntegrationTerms {
  return {
    name: input.name,
    accounts: accountsText(input.accountIds),
    tools: toolsText(input.tools),
    scopes: scopesText(input.scopes),
    letsRegister: input.letsRegister ?? false,
    codeMs: input.codeMs ?? CODE_MS_DEFAULT,
    accessMs: input.accessMs ?? ACCESS_TOKEN_MS_DEFAULT,
    refreshMs: input.refreshMs ?? REFRESH_TOKEN_MS_DEFAULT,
    masksIbans: input.masksIbans ?? false,
    masksNames: input.masksNames ?? false,
  }
}

function auditTermsOf({ name, accountIds, tools, scopes, letsRegister = false }: Terms) {
  return { name, accounts: accountIds ?? 'all', tools: tools ?? 'all', scopes, letsRegister }
}

/** Activates an integration. @returns false when there is no such integration */
export const activateIntegration = switchIntegration(true)

/**
 * Deactivates an integration and its credentials, from the next request on, until it is activated
 * again.
 * @returns false when there is no such integration
 */
export const deactivateIntegration = switchIntegration(false)

function switchIntegration(isActive: boolean) {
  return auditedChange({
    action: isActive ? 'integration.activate' : 'integration.deactivate',
    find: findIntegrationRow,
    isDone: (row) => row.isActive === isActive,
    write: (id, at) => updateIntegrationActive({ id, isActive, at }),
    fieldsOf: auditFieldsOf,
  })
}

/** Deletes an integration with its clients, keys and tokens. @returns false when there is none */
export const deleteIntegration = auditedChange({
  action: 'integration.delete',
  find: findIntegrationRow,
  write: deleteIntegrationRow,
  fieldsOf: (row) => ({ ...auditFieldsOf(row), detail: { kind: row.kind, name: row.name } }),
})

function auditFieldsOf({ id, workspaceId }: IntegrationRow) {
  return { subject: id, workspaceId, integrationId: id }
}

/** The fields of an audit event about a part of an integration: a client, a key or a grant. */
export function* partFields<Id extends string | number>({
  id,
  integrationId,
}: {
  readonly id: Id
  readonly integrationId: string
}): Work<{ subject: Id; workspaceId: string | undefined; integrationId: string }> {
  const workspaceId = (yield* findIntegrationRow(integrationId))?.workspaceId
  return { subject: id, workspaceId, integrationId }
}
