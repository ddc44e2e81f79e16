// The house rules about names: an exported type name is declared once, and its head noun is in the
// glossary.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'tap'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '../..')

/** Its tables have the defined terms, in their first column. */
const GLOSSARY = 'docs/glossary.md'

/** The section of the glossary with nouns that need no definition, separated by commas. */
const UNDEFINED = 'Words without a definition'

interface TypeName {
  readonly name: string
  readonly at: string
  readonly isExported: boolean
}

function typeNamesOf(file: string): TypeName[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.ES2023,
    true,
  )
  return source.statements.flatMap((node): TypeName[] => {
    const isType =
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isClassDeclaration(node)
    if (!isType || node.name === undefined) return []
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    const isExported =
      node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
    return [{ name: node.name.text, at: `${file}:${line + 1}`, isExported }]
  })
}

/** Declarations of foreign libraries name their own types and do not count. */
const typeNames = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
  .flatMap((file) => typeNamesOf(join('src', file)))

/** Singular and plural are one word: `entries` is `entry`, `statuses` is `status`. */
function singularOf(word: string): string {
  const lower = word.toLowerCase()
  if (lower.endsWith('ies')) return `${lower.slice(0, -3)}y`
  if (/(?:sses|xes|ches|shes|dexes)$/.test(lower)) return lower.slice(0, -2)
  return /[^su]s$/.test(lower) ? lower.slice(0, -1) : lower
}

/** The last word of a CamelCase name. */
function headNounOf(name: string): string {
  return singularOf(/(?:[A-Z][a-z0-9]*|[A-Z]+)$/.exec(name)?.[0] ?? name)
}

/**
 * The last words of all terms of the glossary; `sign-in` covers the two words SignIn of a name, and
 * `PayPal` the name itself.
 */
function glossaryNouns(): Set<string> {
  const text = readFileSync(join(root, GLOSSARY), 'utf8')
  const [tables = '', list = ''] = text.split(`\n## ${UNDEFINED}\n`)
  const defined = tables.split('\n').flatMap((row) => /^\| ([^|]+) \|/.exec(row)?.[1] ?? [])
  const [, words = ''] = list.split('\n\n')
  const terms = [...defined, ...words.replace(/\.\s*$/, '').split(',')]
  return new Set(terms.map((term) => singularOf(term.trim().split(/\s+/).at(-1) ?? '')))
}

test('an exported type name is declared once', async (t) => {
  const places = new Map<string, TypeName[]>()
  for (const type of typeNames) places.set(type.name, [...(places.get(type.name) ?? []), type])
  const twice = [...places.values()].filter(
    (types) => types.length > 1 && types.some(({ isExported }) => isExported),
  )
  t.same(
    twice.map((types) => `${types[0]?.name}: ${types.map(({ at }) => at).join(', ')}`),
    [],
  )
})

test('the head noun of each exported type is in the glossary', async (t) => {
  const nouns = glossaryNouns()
  t.ok(nouns.size > 100, 'the glossary was found')
  const missing = typeNames.filter(({ name, isExported }) => {
    const noun = headNounOf(name)
    const isListed = nouns.has(noun) || nouns.has(name.toLowerCase())
    const isCompound = [...nouns].some(
      (known) => known.includes('-') && name.toLowerCase().endsWith(known.replace('-', '')),
    )
    return isExported && !isListed && !isCompound
  })
  t.same(
    missing.map(({ name, at }) => `${headNounOf(name)} (${name}, ${at})`),
    [],
  )
})
