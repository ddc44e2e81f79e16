import { CommandError } from '../errors.js'
import { chooseEngine } from '../http/engine/choose-engine.js'
import { loadUws } from '../http/engine/engine-uws.js'
import { programVersion } from './program-version.js'
import type { Output } from './terminal.js'

/**
 * Prints the version of kontor, that of Node.js, and the engine that `kontor serve` without flags
 * listens with, as one line or, after `--json`, as one object.
 * @param words the words after `kontor --version`
 * @throws CommandError `usage` for any word but `--json`
 */
export async function writeVersion(words: readonly string[], stdout: Output): Promise<void> {
  const unknown = words.find((word) => word !== '--json')
  if (unknown !== undefined) {
    const message = `kontor --version accepts only --json, not ${unknown}`
    throw new CommandError('usage', message)
  }
  const { engine, reason } = chooseEngine({
    requested: 'auto',
    uwsLoads: (await loadUws()) !== undefined,
    tls: false,
    host: '127.0.0.1',
    behindProxy: false,
  })
  const version = programVersion()
  const node = process.versions.node
  if (words.length > 0) {
    return stdout.write(`${JSON.stringify({ version, node, engine, engineReason: reason })}\n`)
  }
  const why = engine === 'uws' ? '' : ` (${reason})`
  return stdout.write(`kontor ${version}, Node.js ${node}, engine ${engine}${why}\n`)
}
