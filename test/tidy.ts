// The house rules that a program can check: import directions, one folder per library, line and
// function lengths, refused words. tidy-tests.ts has those for tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'tap'
import ts from 'typescript'

const LINE_COLUMNS_MAX = 100
const FUNCTION_LINES_MAX = 70
const FILE_LINES_MAX = 500

/**
 * Each file may import rows above its own, or its own folder (docs/internals/ARCHITECTURE.md,
 * "Imports point one way"). A folder within a folder has the rank of that, or its own.
 */
const RANKS: readonly (readonly string[])[] = [
  [
    ...['limits', 'errors', 'money', 'instant', 'iban', 'node-version'],
    ...['time-histogram', 'domain', 'lower-bound', 'when-known', 'count-text'],
  ],
  ['text', 'store', 'ordinals'],
  ['free-text', 'match', 'charts'],
  ['snapshot', 'statements', 'demo'],
  ['suggestions'],
  ['query', 'backup', 'threads'],
  ['wire', 'auth'],
  ['admin', 'http/engine'],
  ['http'],
  ['openapi'],
  ['browser', 'doctor', 'inbox'],
  ['oauth', 'mcp', 'dashboard', 'metrics', 'embedded'],
  ['cli'],
  ['main'],
]

/** Library -> the one folder (or file) under src/ that may import it. */
const DOORS: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/server': 'src/mcp',
  'better-sqlite3': 'src/store/sqlite',
  'csv-parse': 'src/statements',
  'damerau-levenshtein': 'src/suggestions',
  flexsearch: 'src/suggestions',
  ibantools: 'src/iban.ts',
  'lru-cache': 'src/query',
  // Without its native accelerator: docs/internals/packages.md.
  'msgpackr/pack': 'src/snapshot',
  pg: 'src/store/postgres',
  pino: 'src/cli',
  piscina: 'src/threads',
  'prom-client': 'src/metrics',
  preact: 'src/browser',
  'preact-render-to-string': 'src/browser',
  saxes: 'src/statements',
  'uWebSockets.js': 'src/http/engine',
}

const root = resolve(import.meta.dirname, '../..')

function sourcesUnder(folder: string): string[] {
  const path = join(root, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
    .sort()
}

const programFiles = sourcesUnder('src')
const allFiles = [...programFiles, ...['test', 'bench', 'matrix', 'fuzz'].flatMap(sourcesUnder)]

/** The source of the compiled file that an import names. */
function sourceOf(folder: string, from: string): string {
  const compiled = relative(root, resolve(root, folder, from))
  const plain = compiled.replace(/\.js$/, '.ts')
  return existsSync(join(root, plain)) ? plain : `${plain}x`
}

/** The faults that a test collects for one assertion: one for each check took half of its time. */
class Faults {
  readonly found: string[] = []

  addIf(isFault: boolean, text: string): void {
    if (isFault) this.found.push(text)
  }
}

const parsed = new Map<string, ts.SourceFile>()

function parse(file: string): ts.SourceFile {
  const known = parsed.get(file)
  if (known !== undefined) return known
  const text = readFileSync(join(root, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true)
  parsed.set(file, source)
  return source
}

function importsOf(file: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const names = ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
    const isLater =
      ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
    const from = names ? node.moduleSpecifier : isLater ? node.arguments[0] : undefined
    if (from !== undefined && ts.isStringLiteral(from)) found.push(from.text)
    ts.forEachChild(node, visit)
  }
  visit(parse(file))
  return found
}

/** The files that an import of this one loads, itself included. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  for (const statement of parse(file).statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue
    const isErased = ts.isImportDeclaration(statement)
      ? statement.importClause?.isTypeOnly === true
      : statement.isTypeOnly
    const from = statement.moduleSpecifier
    if (isErased || from === undefined || !ts.isStringLiteral(from)) continue
    if (from.text.startsWith('.')) {
      loadedWith(sourceOf(dirname(file), from.text), loaded)
    }
  }
  return loaded
}

/** The circles of imports among these files, each as the path that leads back to its begin. */
function circlesIn(files: readonly string[]): string[] {
  const circles: string[] = []
  const visited = new Set<string>()
  const path: string[] = []
  const visit = (file: string): void => {
    const begin = path.indexOf(file)
    if (begin !== -1) circles.push([...path.slice(begin), file].join(' > '))
    if (visited.has(file)) return
    visited.add(file)
    path.push(file)
    for (const from of importsOf(file)) {
      if (from.startsWith('.')) visit(sourceOf(dirname(file), from))
    }
    path.pop()
  }
  for (const file of files) visit(file)
  return circles
}

/** The folder or file of `RANKS` that the file belongs to. */
function roomOf(file: string): string {
  const [folder = '', subfolder] = relative('src', file)
    .replace(/\.tsx?$/, '')
    .split('/')
  const nested = `${folder}/${subfolder}`
  return RANKS.some((row) => row.includes(nested)) ? nested : folder
}

function rankOf(file: string): number {
  return RANKS.findIndex((row) => row.includes(roomOf(file)))
}

test('a service loads no reader, no demo, no OpenAPI and no MCP before it has to', async (t) => {
  const loaded = [...loadedWith('src/main.ts'), ...loadedWith('src/cli/serve.ts')]
  t.ok(loaded.includes('src/http/server.ts'))
  // The import report prints the refused files; import.json and a form name encodings.
  const known = ['src/statements/statement.ts', 'src/statements/encoding-names.ts']
  t.same(
    loaded.filter(
      (file) =>
        /^src\/(statements|demo|openapi|mcp\/protocol\.ts)/.test(file) && !known.includes(file),
    ),
    [],
  )
})

test('no PostgreSQL module is loaded without a URL', async (t) => {
  const embedded = [...loadedWith('src/embedded/kontor.ts')]
  // Loaded by kontor serve with a URL.
  const node = 'src/cli/served-database.ts'
  const commands = programFiles.filter((file) => file.startsWith('src/cli/') && file !== node)
  const workers = programFiles.filter((file) => file.startsWith('src/threads/'))
  const loaded = new Set(embedded)
  for (const file of [...commands, ...workers, 'src/main.ts']) loadedWith(file, loaded)
  t.ok(loaded.has('src/store/open-store.ts') && loaded.has('src/store/open-workspace.ts'))
  t.same(
    [...loaded].filter((file) => file.startsWith('src/store/postgres/')),
    [],
  )
})

test('kontor health loads nothing of the store, a service nothing of prom-client', async (t) => {
  const files = ['main', 'cli/run', 'cli/commands', 'cli/terminal', 'cli/health']
  const loaded = new Set<string>()
  for (const file of files) loadedWith(`src/${file}.ts`, loaded)
  const heavy = [...loaded].filter((file) => /^src\/(store|snapshot|query|wire|match)\//.test(file))
  t.same(heavy, ['src/store/store-error.ts'], 'except the error that any command may throw')
  const served = [...loadedWith('src/cli/serve.ts')]
  t.same(
    served.filter((file) => file.startsWith('src/metrics/')),
    [],
  )
})

test('imports point one way', async (t) => {
  const faults = new Faults()
  for (const file of programFiles) {
    faults.addIf(rankOf(file) === -1, `${file}: its folder has no rank`)
    for (const from of importsOf(file)) {
      if (!from.startsWith('.')) continue
      const target = sourceOf(dirname(file), from)
      const isSameRoom = dirname(target) === dirname(file) || roomOf(target) === roomOf(file)
      const isAllowed = isSameRoom || rankOf(target) < rankOf(file)
      faults.addIf(!existsSync(join(root, target)), `${file}: ${target} does not exist`)
      faults.addIf(/^(test|bench)\//.test(target), `${file} imports ${target}`)
      faults.addIf(/\/workers\//.test(target), `${file} imports a worker: ${target}`)
      faults.addIf(!isAllowed, `${file} may not import ${target}`)
    }
  }
  t.same(faults.found, [])
})

/** Folder -> the files of store/ that it may not import, because src/admin/ is its door to them. */
const BEHIND_ADMIN: readonly (readonly [folder: string, refused: RegExp])[] = [
  ['src/dashboard/', /^src\/store\//],
  ['src/cli/', /^src\/store\/(.*-rows|audit-search)\.ts$/],
]

test('pages and commands reach control.db through admin/', async (t) => {
  const faults = new Faults()
  for (const [folder, refused] of BEHIND_ADMIN) {
    for (const file of programFiles.filter((each) => each.startsWith(folder))) {
      for (const from of importsOf(file).filter((each) => each.startsWith('.'))) {
        const target = sourceOf(dirname(file), from)
        faults.addIf(refused.test(target), `${file} imports ${target}`)
      }
    }
  }
  t.same(faults.found, [])
})

/** What a workspace file is read, written and watched by; other files use store/workspace*.ts. */
const WORKSPACE_FILES = new RegExp(
  '^src/store/sqlite/' +
    '(workspace|sqlite-[rc]|change|prepared|sequence|file-stamp|inspected).*\\.ts$',
)

/** Files outside store/ that may import them. */
const KNOW_WORKSPACE_FILES: readonly (readonly [start: string, why: string])[] = [
  ['src/backup/', 'copies and checks SQLite files'],
]

test('workspaces are read and written through the interfaces of the store', async (t) => {
  const known = new Set<string>()
  for (const file of programFiles.filter((each) => !each.startsWith('src/store/'))) {
    const targets = importsOf(file)
      .filter((from) => from.startsWith('.'))
      .map((from) => sourceOf(dirname(file), from))
    const target = targets.find((each) => WORKSPACE_FILES.test(each))
    if (target === undefined) continue
    const [start] = KNOW_WORKSPACE_FILES.find(([each]) => file.startsWith(each)) ?? []
    t.ok(start !== undefined, `${file} does not import ${target}`)
    if (start !== undefined) known.add(start)
  }
  t.same([...known].sort(), KNOW_WORKSPACE_FILES.map(([start]) => start).sort(), 'all are needed')
})

test('imports form no circle, those of types included', async (t) => {
  t.same(circlesIn(programFiles), [])
})

test('limits.ts holds what a caller or an operator can meet', async (t) => {
  const others = programFiles.filter((file) => /limits\.tsx?$/.test(file))
  t.same(others, ['src/limits.ts'], 'other constants stand in the code that explains them')
  for (const statement of parse('src/limits.ts').statements.filter(ts.isVariableStatement)) {
    // test/documents.ts asks that the cited section is there.
    t.match(statement.getFullText(), /docs\/[\w/-]+\.md|`--[a-z]/, 'a comment says where it is met')
  }
})

test('each foreign library is imported by one folder', async (t) => {
  const faults = new Faults()
  for (const file of programFiles) {
    for (const from of importsOf(file)) {
      if (from.startsWith('.') || from.startsWith('node:')) continue
      const library = from.startsWith('@')
        ? from.split('/').slice(0, 2).join('/')
        : from.split('/')[0]
      if (library === 'typia') continue
      const door = DOORS[from] ?? DOORS[library ?? '']
      const isAllowed = door !== undefined && file.startsWith(door)
      faults.addIf(!isAllowed, `${file} may not import ${from}`)
    }
  }
  t.same(faults.found, [])
})

test('lines, functions and files are short enough to read', async (t) => {
  const faults = new Faults()
  for (const file of allFiles) {
    const source = parse(file)
    const lines = source.text.split('\n')
    faults.addIf(lines.length > FILE_LINES_MAX, `${file}: ${lines.length} lines`)
    lines.forEach(({ length }, i) => {
      faults.addIf(length > LINE_COLUMNS_MAX, `${file}:${i + 1}: ${length} columns`)
    })
    if (file.startsWith('test/')) continue
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
        const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line
        const last = source.getLineAndCharacterOfPosition(node.end).line
        const length = last - first + 1
        const fault = `${file}:${first + 1}: function of ${length} lines`
        faults.addIf(length > FUNCTION_LINES_MAX, fault)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  t.same(faults.found, [])
})

test('the code has nothing that the house rules refuse', async (t) => {
  const faults = new Faults()
  const names = /(^|\/)(utils?|helpers?|common|shared|misc|index)(\.tsx?|\/)/
  const words = new RegExp(
    ['@ts-(ignore|nocheck)', 'biome-ignore', 'TO' + 'DO', 'FIX' + 'ME'].join('|'),
  )
  for (const file of allFiles) {
    const source = parse(file)
    faults.addIf(names.test(file), `${file}: its name`)
    const visit = (node: ts.Node): void => {
      const fault = refusedAs(node)
      if (fault !== undefined) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
        faults.found.push(`${file}:${line + 1}: ${fault}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    const isSilenced = file !== 'test/tidy.ts' && words.test(source.text)
    faults.addIf(isSilenced, `${file}: a silenced check, or something left to do`)
  }
  t.same(faults.found, [])
})

/** What the house rules refuse a node as; undefined = nothing. */
function refusedAs(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return 'any'
  if (ts.isExportDeclaration(node) && node.exportClause === undefined) return 'export *'
  if (ts.isExportAssignment(node)) return 'default export'
  const isBareCatch = ts.isCatchClause(node) && node.variableDeclaration === undefined
  return isBareCatch ? 'a catch that ignores its error' : undefined
}

test('money and time are parsed and printed in one place each', async (t) => {
  for (const [place, pattern] of [
    ['src/money.ts', /parseFloat|toFixed/],
    ['src/instant.ts', /new Date\(/],
  ] as const) {
    const others = programFiles.filter((file) => file !== place && pattern.test(parse(file).text))
    t.same(others, [], `only in ${place}`)
  }
})
