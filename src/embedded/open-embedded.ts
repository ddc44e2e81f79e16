import { ApiError } from '../errors.js'
import { openReadService } from '../http/read-service.js'
import { memoryBudgetDefault } from '../snapshot/memory-budget.js'
import type { SnapshotEvent } from '../snapshot/workspace-cache.js'
import { openDataDirectory } from '../store/data-directory.js'
import { readStoreOf } from '../store/read-store.js'
import { quote } from '../wire/fault.js'
import { EmbeddedWorkspace } from './embedded-workspace.js'
import type { Kontor, KontorOptions } from './handles.js'
import { closedError, errorFor, KontorError } from './kontor-error.js'

/**
 * Opens a data directory.
 * @throws StoreError when it does not exist or cannot be used, KontorError for an invalid option
 */
export function openEmbedded(options: KontorOptions): Kontor {
  assertOptions(options)
  const { dataDir, memoryBudgetBytes = memoryBudgetDefault(), onEvent } = options
  const store = readStoreOf(openDataDirectory(dataDir))
  const { catalog } = store
  const missing = (workspaceId: string): ApiError =>
    new ApiError('not_found', `There is no workspace ${quote(workspaceId)} in ${dataDir}.`)
  const reads = openReadService(store, {
    ...{ memoryBudgetBytes, missing, onEvent: toProgram(onEvent) },
    ...{ matchThreads: options.matchThreads, matchBudgetMs: options.matchBudgetMs },
    // The cache makes starts faster and is not needed.
    onCacheUnavailable: () => undefined,
  })
  const opened = new Set<EmbeddedWorkspace>()
  let openedCount = 0
  let closing: Promise<void> | undefined
  const assertOpen = (): void => {
    if (closing !== undefined) throw closedError(dataDir)
  }
  return {
    workspace: async (id, { accounts } = {}) => {
      assertOpen()
      if (accounts !== undefined) assertAccounts(accounts)
      if ((await catalog.find(id)) === undefined) throw errorFor(missing(id))
      assertOpen()
      openedCount += 1
      const opening = { id, accountIds: accounts ?? null, credentialId: `embedded:${openedCount}` }
      try {
        const workspace = await EmbeddedWorkspace.open(reads, opening, () =>
          opened.delete(workspace),
        )
        assertOpen()
        opened.add(workspace)
        return workspace
      } catch (error) {
        assertOpen()
        throw error
      }
    },
    close: () => {
      for (const workspace of [...opened]) workspace.close()
      closing ??= reads.close()
      return closing
    },
  }
}

/** @throws KontorError `invalid_parameter` */
function assertOptions(options: KontorOptions): void {
  const { dataDir, memoryBudgetBytes, matchThreads, matchBudgetMs } = options
  if (typeof dataDir !== 'string' || dataDir === '') {
    throw fault('dataDir', 'the path of a data directory', "'./data/local'", dataDir)
  }
  const counts = { memoryBudgetBytes, matchThreads, matchBudgetMs }
  for (const [name, count] of Object.entries(counts)) {
    if (count === undefined || (Number.isSafeInteger(count) && count > 0)) continue
    throw fault(name, 'a whole number from 1', EXAMPLES[name as keyof typeof counts], count)
  }
}

const EXAMPLES = { memoryBudgetBytes: '2_000_000_000', matchThreads: '2', matchBudgetMs: '1_000' }

/** @throws KontorError `invalid_parameter`, for a program without types */
function assertAccounts(accounts: unknown): void {
  if (Array.isArray(accounts) && accounts.every((id) => Number.isSafeInteger(id))) return
  throw fault('accounts', 'a list of ids of accounts', '[1, 2]', accounts)
}

function fault(name: string, what: string, example: string, given: unknown): KontorError {
  const message = `${name} must be ${what}, not ${quote(String(given))}; for example ${example}.`
  return new KontorError('invalid_parameter', message)
}

/**
 * Has the program receive an event in a task of its own: what the program throws there is an
 * uncaught exception like any other, and stops no work of the service.
 */
function toProgram(onEvent: KontorOptions['onEvent']): (event: SnapshotEvent) => void {
  if (onEvent === undefined) return () => undefined
  return (event) => queueMicrotask(() => onEvent(event))
}
