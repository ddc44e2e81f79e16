// Steps of a build besides the compiler: copies assets next to the code that reads them, compiles
// WebAssembly, writes the types of the package, and bundles the program.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import ts from 'typescript'
import loadWabt from 'wabt'

// Compiled files of deleted sources are removed: a package would contain them.
for (const folder of ['src', 'test', 'bench', 'matrix', 'fuzz']) {
  for (const path of readdirSync(join('dist', folder), { recursive: true })) {
    if (!/\.js(\.map)?$/.test(path) || /(^|\/)(assets|typia)\//.test(path)) continue
    const source = join(folder, path.replace(/\.js(\.map)?$/, '.ts'))
    if (!existsSync(source) && !existsSync(`${source}x`)) rmSync(join('dist', folder, path))
  }
}
for (const room of ['browser', 'dashboard', 'dashboard/reference']) {
  // Files that are gone from the source would stay.
  rmSync(`dist/src/${room}/assets`, { recursive: true, force: true })
  cpSync(`src/${room}/assets`, `dist/src/${room}/assets`, { recursive: true })
}
// Copied, not a dependency: its package brings 12 MB, and one that reports each installation.
const require = createRequire(import.meta.url)
const swaggerUi = dirname(require.resolve('swagger-ui-dist/package.json'))
const licences = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', ...licences]) {
  cpSync(join(swaggerUi, name), `dist/src/dashboard/reference/assets/swagger-ui/${name}`)
}
const features = { threads: true, bulk_memory: true }
const wabt = await loadWabt()
const wat = readFileSync('src/wire/gather.wat', 'utf8')
writeFileSync(
  'dist/src/wire/gather.wasm',
  wabt.parseWat('gather.wat', wat, features).toBinary({}).buffer,
)

// Generated code of typia calls a few small functions of its package. They are copied beside the
// calling code, because the package itself brings its generator, TypeScript and 60 packages more.
const TYPIA = dirname(require.resolve('typia/package.json'))
const TYPIA_COPY = 'dist/src/typia'

/** Copies a module of typia and those it imports by a relative path. @param path below lib/ */
function copyTypia(path) {
  const text = readFileSync(join(TYPIA, 'lib', path), 'utf8').replace(/^\/\/# source.*\n?/m, '')
  mkdirSync(dirname(join(TYPIA_COPY, path)), { recursive: true })
  writeFileSync(join(TYPIA_COPY, path), text)
  for (const [, imported] of text.matchAll(/^import .* from '(\.[^']+)';$/gm)) {
    copyTypia(posix.join(posix.dirname(path), imported))
  }
}

/** @param path of a compiled file, which may have been through here before */
function withoutTypia(path) {
  const text = readFileSync(path, 'utf8')
  const local = relative(dirname(path), TYPIA_COPY).split(sep).join('/')
  const start = local.startsWith('.') ? local : `./${local}`
  // The line stays, so that source maps are right.
  const rewritten = text
    .replace(/^import typia(, \{\s*\})? from 'typia';$/m, '')
    .replace(/from "typia\/lib\/(internal\/\w+)"/g, (_, name) => {
      copyTypia(`${name}.mjs`)
      return `from "${start}/${name}.mjs"`
    })
  if (/from ['"]typia/.test(rewritten)) throw new Error(`${path} imports typia in another way`)
  if (rewritten !== text) writeFileSync(path, rewritten)
}

for (const path of readdirSync('dist/src', { recursive: true })) {
  if (path.endsWith('.js') && !path.includes('assets')) withoutTypia(join('dist/src', path))
}
cpSync(join(TYPIA, 'LICENSE'), join(TYPIA_COPY, 'LICENSE'))

// Types of the package: declarations of its entry and of what that names. Tags of typia are left
// out of them, which are types of a package that users do not have.
const declared = new Set()

/** @param path of a source, without its extension */
function declare(path) {
  if (declared.has(path)) return
  declared.add(path)
  const fileName = `${path}.ts`
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
    ts.sys,
    '.',
  )
  const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(fileName, 'utf8'), {
    compilerOptions: { ...options, declaration: true, isolatedDeclarations: true },
    fileName,
  })
  const [fault] = diagnostics ?? []
  if (fault !== undefined) {
    throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`)
  }
  const text = outputText
    .replace(/^import type \{ tags \} from 'typia';\n/m, '')
    .replace(/ & tags\.\w+<(?:'(?:[^'\\]|\\.)*'|[^<>']*)>/g, '')
  if (/\btags\b|typia/.test(text)) throw new Error(`${fileName} uses typia in another way`)
  writeFileSync(join('dist', `${path}.d.ts`), text)
  for (const [, imported] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)\.js'/g)) {
    declare(posix.join(posix.dirname(path), imported))
  }
}

declare('src/embedded/kontor')

// The program and its threads are bundled: Node.js takes about a millisecond to find, read and link
// a module, of which `kontor serve` has some 600. Bundled modules find their assets in dist/src, and
// the files of threads in dist/program.
const PROGRAM = resolve('dist/program')

/** The file of a thread, which is bundled into the same folder as its caller. */
const THREAD_URL = /(new URL\(['`]\.\/workers\/[^'`]+['`], import\.meta\.url\))/

/** The text of a module, whose `import.meta` stays that of its own file. @param path absolute */
function withOwnImportMeta(path) {
  const text = readFileSync(path, 'utf8')
  const local = relative(PROGRAM, path).split(sep).join('/')
  const bundled = text.split(THREAD_URL).map((part, at) => {
    if (at % 2 === 1) return part.replace('./workers/', './')
    if (/\bimport\.meta\b(?!\.(url|dirname)\b)|\.\/workers\//.test(part)) {
      throw new Error(`${path} uses import.meta, or names the file of a thread, in another way`)
    }
    return part
      .replace(/\bimport\.meta\.url\b/g, `new URL('${local}', import.meta.url).href`)
      .replace(/\bimport\.meta\.dirname\b/g, `(import.meta.dirname + '/${dirname(local)}')`)
  })
  return bundled.join('')
}

const { codeDigest } = await import(pathToFileURL(resolve('dist/src/snapshot/layout-version.js')))
const workers = readdirSync('dist/src', { recursive: true })
  .filter((path) => /(^|[/\\])workers[/\\][^/\\]+\.js$/.test(path))
  .map((path) => join('dist/src', path))
rmSync(PROGRAM, { recursive: true, force: true })
await build({
  entryPoints: ['dist/src/main.js', ...workers],
  // All files in one folder, to which `import.meta` is relative.
  entryNames: '[name]',
  outdir: PROGRAM,
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  define: { BUNDLED_CODE_DIGEST: JSON.stringify(codeDigest()) },
  plugins: [
    {
      name: 'import.meta',
      setup({ onLoad }) {
        onLoad({ filter: /\.m?js$/ }, ({ path }) => ({ contents: withOwnImportMeta(path) }))
      },
    },
  ],
})
