import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A bank file in one of the folders. */
export interface BankFilePath {
  /** `statements/mt940/NAME`, `more-statements/NAME`: the same on every machine. */
  readonly name: string
  readonly path: string
}

/** Environment variable of each folder of real bank files, and its name in results. */
export const FOLDERS: ReadonlyMap<string, string> = new Map([
  ['KONTOR_STATEMENTS', 'statements'],
  ['KONTOR_MORE_STATEMENTS', 'more-statements'],
])

/** The file in each folder with the sources of the others. */
const PROVENANCE = 'PROVENANCE.md'

/** The files of the folders that the environment names, ordered by name. */
export function bankFiles(environment: NodeJS.ProcessEnv): BankFilePath[] {
  return [...FOLDERS].flatMap(([variable, folder]) => {
    const root = environment[variable] ?? ''
    if (root === '' || !existsSync(root)) return []
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== PROVENANCE)
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => ({ name: `${folder}/${relative(root, path)}`, path }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  })
}
