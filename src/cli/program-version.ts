import { readFileSync } from 'node:fs'

/** The version of the program, as its package names it. */
export function programVersion(): string {
  // The package's own file is three folders above dist/src/cli/program-version.js.
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return String((JSON.parse(text) as { version: unknown }).version)
}
