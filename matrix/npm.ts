import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The script of npm itself, so that it can be run by any Node.js.
 * @throws Error when there is no npm on the PATH
 */
export function npmCli(): string {
  const asked = process.env['npm_execpath']
  if (asked?.endsWith('npm-cli.js')) return asked
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const found = join(folder, 'npm')
    if (existsSync(found)) return realpathSync(found)
  }
  throw new Error('npm is not on the PATH')
}
