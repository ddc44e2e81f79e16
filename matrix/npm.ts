import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Path of npm's own script, which any Node.js can run.
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
