import { createApiKey, listApiKeys } from '../admin/api-keys.js'
import type { AuditContext } from '../admin/audited-change.js'
import { fillDemo, isUntouched } from '../demo/fill.js'
import { SCOPES } from '../domain/key-scope.js'
import { DEMO_TRANSACTIONS_DEFAULT, DEMO_TRANSACTIONS_MAX } from '../limits.js'
import { openWriter, readWorkspace } from '../store/open-workspace.js'
import type { Store } from '../store/store.js'
import { StoreError } from '../store/store-error.js'
import type { WorkspaceAddress, WorkspaceCatalog } from '../store/workspace.js'
import { defineCommand } from './command.js'
import { adminOf, withStore } from './control.js'
import { ProgressLine } from './progress.js'
import type { Output, Terminal } from './terminal.js'

const DEMO_WORKSPACE = 'demo'
const DEMO_SEED = 1

/** An existing demo workspace; the key is null when one was created by an earlier run. */
export interface Demo {
  readonly workspaceId: string
  readonly apiKey: string | null
  readonly transactions: number
}

export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'fill the workspace demo with generated data',
  description:
    'Generates a realistic company: accounts, categories, counterparts and transactions. The\n' +
    'same seed gives the same data. A workspace that already contains data is left unchanged.',
  flags: {
    transactions: {
      kind: 'count',
      placeholder: 'N',
      default: DEMO_TRANSACTIONS_DEFAULT,
      min: 1,
      max: DEMO_TRANSACTIONS_MAX,
      summary: 'number of transactions to generate',
    },
    seed: {
      kind: 'count',
      placeholder: 'S',
      default: DEMO_SEED,
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      summary: 'seed of the generator; another seed gives another company',
    },
  },
  examples: ['kontor demo', 'kontor demo --transactions 1000000 --seed 7 --json'],
  run: async (context) => {
    const { flags, stdout } = context
    const make = (store: Store): Promise<Demo> => makeDemo(store, context, flags)
    const demo = await withStore(context, make, { makesDirectory: true })
    if (flags.json) return stdout.write(`${JSON.stringify(demo)}\n`)
    await writeDemoHint(stdout, demo, 'http://127.0.0.1:8080')
  },
})

/**
 * Fills the demo workspace if it is empty, and creates its first key if it has none.
 * @throws StoreError
 */
export async function makeDemo(
  store: Store,
  terminal: Pick<Terminal, 'stderr' | 'clock'>,
  options: { readonly transactions?: number; readonly seed?: number },
): Promise<Demo> {
  const address = await fillWorkspace(store.catalog, terminal, options)
  const { uid, transactions } = await readWorkspace(address, async (state) => {
    const { uid } = await state.version()
    return { uid, transactions: await state.transactionCount() }
  })
  const admin = adminOf(store)
  const hasKey = await hasValidKey(admin, uid)
  const key = {
    ...{ workspaceId: DEMO_WORKSPACE, workspaceUid: uid },
    name: 'demo',
    scopes: SCOPES,
    accountIds: null,
    expiresAtMs: null,
  }
  const apiKey = hasKey ? null : (await createApiKey(admin, key)).key
  return { workspaceId: DEMO_WORKSPACE, apiKey, transactions }
}

/** The demo workspace of a store without other workspaces. */
export interface LoneDemo {
  readonly workspaceId: string
  /** Whether {@link makeDemo} must follow: rows or a key were missing, as in a first run. */
  readonly isIncomplete: boolean
}

/**
 * Fills the demo workspace of a store without other workspaces, unless an earlier run has.
 * @returns undefined = there are other workspaces
 * @throws StoreError
 */
export async function fillMissingDemo(
  store: Store,
  terminal: Pick<Terminal, 'stderr' | 'clock'>,
): Promise<LoneDemo | undefined> {
  const { catalog } = store
  const workspaceId = DEMO_WORKSPACE
  if ((await catalog.list()).some((id) => id !== workspaceId)) return undefined
  if (await isDemoFilled(catalog)) {
    const uid = (await catalog.uidOf(workspaceId)) ?? null
    return { workspaceId, isIncomplete: !(await hasValidKey(adminOf(store), uid)) }
  }
  await fillWorkspace(catalog, terminal, {})
  return { workspaceId, isIncomplete: true }
}

async function fillWorkspace(
  catalog: WorkspaceCatalog,
  terminal: Pick<Terminal, 'stderr' | 'clock'>,
  { transactions = DEMO_TRANSACTIONS_DEFAULT, seed = DEMO_SEED },
): Promise<WorkspaceAddress> {
  const address = (await catalog.find(DEMO_WORKSPACE)) ?? (await catalog.make(DEMO_WORKSPACE))
  const workspace = await openWriter(address)
  const progress = new ProgressLine(terminal.stderr, DEMO_WORKSPACE, terminal.clock)
  try {
    await fillDemo(workspace, { transactions, seed }, (rowCount) => progress.show(0, rowCount))
    return address
  } finally {
    progress.clear()
    workspace.close()
  }
}

/** Reads only: an existing demo must not wait for a program that is writing to it. */
async function isDemoFilled(catalog: WorkspaceCatalog): Promise<boolean> {
  const address = await catalog.find(DEMO_WORKSPACE)
  if (address === undefined) return false
  try {
    return !(await readWorkspace(address, isUntouched))
  } catch (error) {
    // An interrupted run may leave a file without tables; opening it for writing creates them.
    if (error instanceof StoreError) return false
    throw error
  }
}

/** @param uid of the workspace's file; null = it cannot be read now, and any uid is accepted */
async function hasValidKey(admin: AuditContext, uid: string | null): Promise<boolean> {
  return (await listApiKeys(admin, DEMO_WORKSPACE))
    .filter(({ workspaceUid }) => uid === null || workspaceUid === null || workspaceUid === uid)
    .some(({ state }) => state === 'active')
}

/** Prints the key and two lines to try. */
export async function writeDemoHint(stdout: Output, demo: Demo, url: string): Promise<void> {
  const { workspaceId, apiKey, transactions } = demo
  const lines = [`workspace ${workspaceId}: ${transactions} transactions`]
  if (apiKey === null) {
    lines.push(
      'its API key was shown when it was created; to create another one, run:',
      `  kontor keys create --workspace ${workspaceId}`,
    )
  }
  const key = apiKey ?? '<API_KEY>'
  const path = `${url}/v1/${workspaceId}`
  lines.push(
    ...(apiKey === null ? [] : [`API key, shown only once: ${apiKey}`]),
    'try:',
    `  curl -H 'Authorization: Bearer ${key}' '${path}/accounts'`,
    `  curl -H 'Authorization: Bearer ${key}' '${path}/transactions?limit=5&sortBy=amount'`,
  )
  await stdout.write(`${lines.join('\n')}\n`)
}
