// Content of the package by `npm pack`: all files that the program reads, and no others.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { test } from 'tap'
import ts from 'typescript'
import { withDirectory } from '../fixtures/files.js'

const ROOT = resolve(import.meta.dirname, '../../..')

/** Folders that the package contains in full. */
const WHOLE_FOLDERS = ['bin', 'data/demo', 'data/example', 'data/match', 'deploy', 'docs']

/** Files that the build copies from Swagger UI. */
const SWAGGER_UI = [
  'LICENSE',
  'NOTICE',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
]

/** Files that the build copies from typia. */
const TYPIA = [
  'LICENSE',
  'TypeGuardError.mjs',
  'internal/_accessExpressionAsString.mjs',
  'internal/_assertGuard.mjs',
  'internal/_createStandardSchema.mjs',
  'internal/_isTypeInt64.mjs',
  'internal/_validateReport.mjs',
]

const DOCUMENTS = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md']

interface Manifest {
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}

/** Packs the built repository and removes the tarball. */
function pack(): Promise<Packed> {
  return withDirectory(async (directory) => {
    const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', directory]
    const json = execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })
    const [packed]: Packed[] = Object.values(JSON.parse(json))
    if (packed === undefined) throw new Error(`npm pack printed ${json}`)
    return { ...packed, filename: readdirSync(directory).join() }
  })
}

const packed = await pack()
const packedPaths = new Set(packed.files.map(({ path }) => path))

/** Paths of the files below a folder, from the root, with `/`. */
function filesUnder(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
}

/** Path of a source's output in the package; undefined for a source that is only compiled. */
function builtPathOf(source: string): string | undefined {
  if (source.includes('/assets/')) return `dist/${source}`
  if (source.endsWith('.wat')) return `dist/${source.replace(/wat$/, 'wasm')}`
  return source.endsWith('.d.ts') ? undefined : `dist/${source.replace(/\.tsx?$/, '.js')}`
}

/**
 * Texts in a compiled file that name files: static and dynamic imports, `new URL(…,
 * import.meta.url)`.
 */
function namesIn(path: string): { imports: string[]; urls: string[] } {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const names = { imports: [] as string[], urls: [] as string[] }
  const note = (into: string[], node: ts.Node | undefined): void => {
    if (node !== undefined && ts.isStringLiteralLike(node)) into.push(node.text)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      note(names.imports, node.moduleSpecifier)
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      note(names.imports, node.arguments[0])
    } else if (ts.isNewExpression(node) && node.arguments?.[1]?.getText() === 'import.meta.url') {
      note(names.urls, node.arguments[0])
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true))
  return names
}

/** The declarations of the entry, and those that they lead to. */
function declarationsFrom(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found
  found.add(path)
  for (const name of namesIn(path).imports) {
    const target = posix.join(posix.dirname(path), name.replace(/\.js$/, '.d.ts'))
    declarationsFrom(target, found)
  }
  return found
}

test('the package contains the build output, the documents, and nothing else', async (t) => {
  const built = filesUnder('src').map(builtPathOf)
  const expected = ['package.json', ...DOCUMENTS, ...WHOLE_FOLDERS.flatMap(filesUnder)]
  for (const name of SWAGGER_UI) {
    expected.push(`dist/src/dashboard/reference/assets/swagger-ui/${name}`)
  }
  for (const name of TYPIA) expected.push(`dist/src/typia/${name}`)
  for (const path of built) if (path !== undefined) expected.push(path)
  expected.push(...filesUnder('dist/program'))
  expected.push(...declarationsFrom('dist/src/embedded/kontor.d.ts'))
  t.same([...packedPaths].sort(), expected.sort())
})

test('every import in the package leads to a file of it, a dependency or Node.js', async (t) => {
  const dependencies = { ...manifest.dependencies, ...manifest.optionalDependencies }
  const scripts = [...packedPaths].filter(
    (path) => /\.m?js$/.test(path) && !/\/assets\//.test(path),
  )
  t.ok(scripts.includes('bin/kontor.mjs') && scripts.includes('dist/program/main.js'))
  for (const script of scripts) {
    const { imports, urls } = namesIn(script)
    const local = [...imports.filter((name) => name.startsWith('.')), ...urls]
    for (const name of local) {
      const target = posix.join(posix.dirname(script), name)
      if (!packedPaths.has(target)) t.fail(`${script}: ${target} is not in the package`)
    }
    for (const name of imports) {
      if (name.startsWith('.') || name.startsWith('node:')) continue
      const library = name.split('/', name.startsWith('@') ? 2 : 1).join('/')
      if (!Object.hasOwn(dependencies, library)) t.fail(`${script}: ${library} is no dependency`)
    }
  }
})

test("the package's program exists and is executable", async (t) => {
  for (const [name, path] of Object.entries(manifest.bin)) {
    const mode = packed.files.find((file) => file.path === path)?.mode ?? 0
    t.equal(mode & 0o111, 0o111, `${name}: ${path}`)
  }
  t.match(packed.filename, /^kontor-\d+\.\d+\.\d+\.tgz$/)
  t.notOk(existsSync(join(ROOT, packed.filename)), 'and the tarball is removed')
})
