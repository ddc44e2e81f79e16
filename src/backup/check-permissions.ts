import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DataDirectory } from '../store/data-directory.js'
import type { CheckFinding } from './finding.js'

const OTHERS = 0o077

/**
 * Warns of access by users other than the owner of a data directory, and of files of other owners.
 * The content of a folder of its owner alone is out of reach, whatever its own permissions are.
 */
export function* checkPermissions(directory: DataDirectory): Generator<CheckFinding> {
  const { path } = directory
  const root = statSync(path)
  if ((root.mode & OTHERS) !== 0) {
    yield {
      level: 'warn',
      subject: 'permissions',
      what: `other users have access to the data directory (mode ${modeText(root.mode)})`,
      advice: `chmod -R go= '${path}'`,
    }
  }
  const foreign = namesBelow(path).filter((name) => statSync(join(path, name)).uid !== root.uid)
  if (foreign.length > 0) {
    yield {
      level: 'warn',
      subject: 'permissions',
      what: `${foreign.join(', ')}: not owned by the owner of the data directory`,
      advice: `chown -R ${root.uid}:${root.gid} '${path}'; otherwise the service cannot write them`,
    }
  }
}

function namesBelow(path: string): string[] {
  const top = ['control.db', 'control.db-wal', 'workspaces', 'cache', 'uploads']
  const workspaces = join(path, 'workspaces')
  const files = readdirSync(workspaces).map((name) => join('workspaces', name))
  return [...top, ...files].filter((name) => existsSync(join(path, name)))
}

function modeText(mode: number): string {
  return (mode & 0o777).toString(8)
}
