import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { NodeRelease } from './node-release.js'
import { npmCli } from './npm.js'

const run = promisify(execFile)

/** The compiled output of this checkout. */
const COMPILED = resolve(import.meta.dirname, '..')

/** kontor as a user installs it: a tarball, installed into an empty folder. */
export interface Installation {
  readonly node: NodeRelease
  /** The folder of the installation. */
  readonly folder: string
  /** Folder of the package within node_modules. */
  readonly packageFolder: string
  /** The command, as npm links it. */
  readonly command: string
  /** The whole environment of commands: the user's, with this Node.js on the PATH. */
  readonly environment: NodeJS.ProcessEnv
}

/**
 * npm's warnings about the machine's own settings and about install scripts that the user has not
 * approved: those of optional dependencies, without which kontor works.
 */
const USUAL_WARNING = /^npm warn (Unknown (user|env|global) config|install-scripts)/

/** Packs the built checkout. @returns path of the tarball */
export async function packKontor(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const { stdout } = await run(process.execPath, [npmCli(), ...words], { maxBuffer: 2 ** 24 })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  return join(folder, filename)
}

/**
 * Installs a tarball without development dependencies. From Node.js 22 on the PATH has node, sh and
 * env only: no compiler, no make, no Python.
 * @throws Error when npm fails or prints any other warning
 */
export async function installKontor(
  tarball: string,
  node: NodeRelease,
  folder: string,
): Promise<Installation> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"name":"user","private":true}\n')
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: pathWith(node, join(folder, '.bin')),
  }
  for (const name of Object.keys(environment)) {
    // Settings of the npm that runs this script, and the path of this machine's own headers.
    if (/^npm_(?!config_(registry|cafile|cache|userconfig))/i.test(name)) delete environment[name]
  }
  const words = ['install', '--omit=dev', '--no-audit', '--no-fund', tarball]
  const { stderr } = await run(node.program, [npmCli(), ...words], {
    cwd: folder,
    env: { ...environment, npm_config_nodedir: node.headers },
    maxBuffer: 2 ** 24,
  })
  const warnings = stderr.split('\n').filter((line) => line !== '' && !USUAL_WARNING.test(line))
  if (warnings.length > 0) throw new Error(`npm install warned:\n${warnings.join('\n')}`)
  const command = join(folder, 'node_modules', '.bin', 'kontor')
  const packageFolder = join(folder, 'node_modules', 'kontor')
  return { node, folder, packageFolder, command, environment }
}

/**
 * Copies the checkout's compiled tests next to the installed program, and the benches, some of
 * whose inputs they share. @returns the folder of the tests
 */
export function addTests({ packageFolder }: Installation): string {
  for (const name of ['test', 'bench']) {
    cpSync(join(COMPILED, name), join(packageFolder, 'dist', name), { recursive: true })
  }
  return join(packageFolder, 'dist', 'test')
}

/** The PATH of a shell: this Node.js, and on Node.js 20, which compiles, the user's whole PATH. */
function pathWith(node: NodeRelease, bin: string): string {
  mkdirSync(bin, { recursive: true })
  symlinkSync(node.program, join(bin, 'node'))
  if (node.version.startsWith('20.')) return `${bin}${delimiter}${process.env['PATH'] ?? ''}`
  symlinkSync('/bin/sh', join(bin, 'sh'))
  symlinkSync('/usr/bin/env', join(bin, 'env'))
  return bin
}
