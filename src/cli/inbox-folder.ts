import { statSync } from 'node:fs'
import { CommandError } from '../errors.js'

/** Checks that an import folder exists. @throws CommandError `failed` with the remedy */
export function checkInboxFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) {
    const advice = `create it with a folder for each workspace, for example mkdir -p ${path}/acme`
    throw new CommandError('failed', `there is no folder ${path}; ${advice}`)
  }
  if (!found.isDirectory()) {
    throw new CommandError(
      'failed',
      `${path} is a file; specify the folder that contains the workspace folders`,
    )
  }
}
