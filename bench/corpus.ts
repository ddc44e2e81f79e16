// The rows that every bench runs over, generated once per size and seed and stored under data/local
// (ignored by git): the demo's invented company, or a shop with many customers and words.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { createApiKey } from '../src/admin/api-keys.js'
import { fillDemo } from '../src/demo/fill.js'
import { CLI_ACTOR } from '../src/domain/audit.js'
import { SCOPES } from '../src/domain/key-scope.js'
import {
  type DataDirectory,
  makeDataDirectory,
  workspacePath,
} from '../src/store/data-directory.js'
import { ControlFile } from '../src/store/sqlite/control-file.js'
import { WorkspaceFile } from '../src/store/sqlite/workspace-file.js'
import { fillShop } from './shop-rows.js'
import { makeTwinFile } from './twin-file.js'

/** Workspace that holds the rows. */
export const WORKSPACE_ID = 'demo'

/**
 * A second workspace with the same rows, in its own directory, to be loaded while the first is
 * served.
 */
export const SECOND_ID = 'second'

/** Accounts that the restricted key may see: two of the four, with about a tenth of the rows. */
export const RESTRICTED_ACCOUNTS: readonly number[] = [2, 3]

/** Folder of the corpora. */
export const CORPORA_FOLDER = resolve(import.meta.dirname, '../../data/local/bench')

/** Rows on disk, with keys to read them. */
export interface Corpus {
  readonly path: string
  readonly rowCount: number
  readonly seed: number
  /** Contains one workspace, {@link WORKSPACE_ID}. */
  readonly directory: DataDirectory
  readonly workspacePath: string
  /** Contains the rows twice, as {@link WORKSPACE_ID} and {@link SECOND_ID}. */
  readonly pairDirectory: DataDirectory
  /** The same rows in the schema of {@link makeTwinFile}. */
  readonly twinPath: string
  /** Sees all accounts. */
  readonly apiKey: string
  /** Sees {@link RESTRICTED_ACCOUNTS}. */
  readonly restrictedKey: string
}

/** Whose bookings a corpus has. */
export type CorpusKind = 'demo' | 'shop'

/** Size and place of a corpus. */
export interface CorpusOptions {
  readonly corpus: CorpusKind
  readonly rowCount: number
  readonly seed: number
  readonly folder: string
  /** Receives a line before each step that takes long. */
  readonly say: (line: string) => void
}

/**
 * Opens the corpus; generates it when it is missing or when the code that generates it has changed.
 */
export async function openCorpus(options: CorpusOptions): Promise<Corpus> {
  const { corpus, rowCount, seed, folder } = options
  const name = `${corpus}-${rowCount}-seed-${seed}`
  const path = join(folder, `${name}-${builderDigest()}`)
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true })
    const stale = readdirSync(folder).filter((entry) => entry.startsWith(`${name}-`))
    for (const entry of stale) rmSync(join(folder, entry), { recursive: true, force: true })
    const part = `${path}.part`
    await makeCorpus(part, options)
    // Renamed when complete, so that an interrupted run does not leave half a corpus behind.
    renameSync(part, path)
  }
  const directory = makeDataDirectory(join(path, 'data'))
  const keys = JSON.parse(readFileSync(join(path, 'keys.json'), 'utf8')) as CorpusKeys
  return {
    path,
    rowCount,
    seed,
    directory,
    workspacePath: workspacePath(directory, WORKSPACE_ID),
    pairDirectory: makeDataDirectory(join(path, 'pair')),
    twinPath: join(path, 'twin.db'),
    ...keys,
  }
}

/**
 * Copies the served workspace and its keys into a data directory that may be written to.
 * @param scratch is deleted and created   @returns path of the copied workspace file
 */
export function copyCorpus(corpus: Corpus, scratch: string): string {
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch)
  const directory = makeDataDirectory(scratch)
  copyFileSync(corpus.directory.controlPath, directory.controlPath)
  const path = workspacePath(directory, WORKSPACE_ID)
  copyFileSync(corpus.workspacePath, path)
  return path
}

type CorpusKeys = Pick<Corpus, 'apiKey' | 'restrictedKey'>

async function makeCorpus(path: string, options: CorpusOptions): Promise<void> {
  const { corpus, rowCount, seed, say } = options
  say(`making ${rowCount} rows of the ${corpus}, seed ${seed}`)
  const directory = makeDataDirectory(join(path, 'data'))
  const source = workspacePath(directory, WORKSPACE_ID)
  const file = WorkspaceFile.open(source)
  const content = { transactions: rowCount, seed }
  if (corpus === 'shop') await fillShop(file, content)
  else await fillDemo(file, content)
  file.close()
  const keys = await makeKeys(directory)
  const pair = makeDataDirectory(join(path, 'pair'))
  for (const workspaceId of [WORKSPACE_ID, SECOND_ID]) {
    symlinkSync('../../data/workspaces/demo.db', workspacePath(pair, workspaceId))
  }
  symlinkSync('../data/control.db', pair.controlPath)
  say('making the file of the twin')
  makeTwinFile(source, join(path, 'twin.db'))
  writeFileSync(join(path, 'keys.json'), JSON.stringify(keys))
}

async function makeKeys(directory: DataDirectory): Promise<CorpusKeys> {
  const control = ControlFile.open(directory.controlPath)
  const make = async (name: string, accountIds: readonly number[] | null): Promise<string> => {
    const key = { workspaceId: WORKSPACE_ID, name, scopes: SCOPES, accountIds, expiresAtMs: null }
    return (await createApiKey({ control, nowMs: Date.now(), actor: CLI_ACTOR }, key)).key
  }
  const keys = {
    apiKey: await make('all', null),
    restrictedKey: await make('some', RESTRICTED_ACCOUNTS),
  }
  control.close()
  return keys
}

/** Changes with every program and word list that determines the rows. */
function builderDigest(): string {
  const hash = createHash('sha256')
  const root = resolve(import.meta.dirname, '../..')
  const compiled = resolve(import.meta.dirname, '..')
  const files = [
    ...readdirSync(join(compiled, 'src/demo')).map((name) => join(compiled, 'src/demo', name)),
    ...readdirSync(join(root, 'data/demo')).map((name) => join(root, 'data/demo', name)),
    join(compiled, 'src/store/sqlite/workspace-schema.js'),
    join(compiled, 'bench/twin-file.js'),
    join(compiled, 'bench/corpus.js'),
    join(compiled, 'bench/shop-rows.js'),
  ]
  for (const file of files.filter((name) => /\.(js|json)$/.test(name)).sort()) {
    hash.update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 8)
}
