import { ApiError } from '../errors.js'
import { openReadService, type ReadService } from '../http/read-service.js'
import { memoryBudgetDefault } from '../snapshot/memory-budget.js'
import { isWorkspaceId, openDataDirectory, workspaceExists } from '../store/data-directory.js'
import { quote } from '../wire/fault.js'
import { EmbeddedWorkspace } from './embedded-workspace.js'
import type { Kontor, KontorOptions } from './handles.js'
import { errorFor } from './kontor-error.js'

/** Opens a data directory. @throws StoreError when it does not exist or cannot be used */
export function openEmbedded(options: KontorOptions): Kontor {
  const { dataDir, memoryBudgetBytes = memoryBudgetDefault(), onEvent = () => undefined } = options
  const directory = openDataDirectory(dataDir)
  const missing = (workspaceId: string): ApiError =>
    new ApiError('not_found', `There is no workspace ${quote(workspaceId)} in ${dataDir}.`)
  const reads: ReadService = openReadService(directory, {
    ...{ memoryBudgetBytes, missing, onEvent },
    ...{ matchThreads: options.matchThreads, matchBudgetMs: options.matchBudgetMs },
    // The cache makes starts faster and is not needed.
    onCacheUnavailable: () => undefined,
  })
  return {
    workspace: async (id, { accounts } = {}) => {
      try {
        if (!isWorkspaceId(id) || !workspaceExists(directory, id)) throw missing(id)
        return await EmbeddedWorkspace.open(reads, id, accounts ?? null)
      } catch (error) {
        throw errorFor(error)
      }
    },
    close: () => reads.close(),
  }
}
