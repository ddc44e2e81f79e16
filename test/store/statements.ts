// Each SQL text of the row files is one that SQLite and PostgreSQL accept.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'tap'
import ts from 'typescript'

const SRC = resolve(import.meta.dirname, '../../../src')

/** What a text must not have, and one that has it. */
interface Rule {
  readonly name: string
  readonly broken: RegExp
  readonly example: string
}

const SQLITE_FUNCTIONS = [
  ...['unixepoch', 'strftime', 'julianday', 'json\\w*', 'hex', 'randomblob', 'last_insert_rowid'],
  ...['changes', 'ifnull', 'iif', 'group_concat', 'total', 'instr', 'printf', 'typeof'],
]

const RULES: readonly Rule[] = [
  {
    name: 'parameters are @names',
    broken: /\?|[:$]\w/,
    example: 'SELECT id FROM clients WHERE id = ?',
  },
  {
    name: 'a name with capitals is quoted',
    broken: /\bAS [a-z]+[A-Z]/,
    example: 'SELECT created_at AS createdAt FROM clients',
  },
  {
    name: 'only a name is in double quotes',
    broken: /(?<!\bAS )(?<!\bAS "\w+)"/,
    example: 'DELETE FROM grants WHERE scope = "all" ',
  },
  {
    name: 'a parameter that may be NULL has a type',
    broken: /@\w+ IS\b/,
    example: 'SELECT id FROM clients WHERE @only IS NULL OR id = @only',
  },
  {
    name: 'a comparison with NULL is IS NOT DISTINCT FROM',
    broken: /\bIS (?:NOT )?@/,
    example: 'SELECT id FROM grants WHERE resource IS @resource',
  },
  {
    name: 'max and min are aggregates',
    broken: /\b(?:max|min)\((?:[^(),]|\([^()]*\))*,/,
    example: 'UPDATE grants SET expires_at = max(coalesce(expires_at, 0), @at)',
  },
  {
    name: 'a conflict has a target',
    broken: /\bINSERT OR\b|\bREPLACE INTO\b|ON CONFLICT(?! \()/,
    example: 'INSERT INTO refusals (minute) VALUES (@minute) ON CONFLICT DO NOTHING',
  },
  {
    name: 'rowid only orders rows of one moment',
    broken: /(?<!ORDER BY created_at, )\b_?rowid\b/,
    example: 'SELECT rowid FROM clients',
  },
  {
    name: 'functions are those of both',
    broken: new RegExp(`\\b(?:${SQLITE_FUNCTIONS.join('|')})\\s*\\(|\\b(?:GLOB|MATCH|COLLATE)\\b`),
    example: 'INSERT INTO clients (id) VALUES (hex(randomblob(8)))',
  },
  {
    name: 'flags are 0 and 1',
    broken: /\b(?:TRUE|FALSE)\b/i,
    example: 'UPDATE clients SET active = TRUE',
  },
]

const SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|AS)\b/

function brokenRules(sql: string): string[] {
  return RULES.filter(({ broken }) => broken.test(sql)).map(({ name }) => name)
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2023, true)
}

/** SQL texts of a file in one line each; what a template inserts is left out, being SQL itself. */
function sqlTextsOf(source: ts.SourceFile): string[] {
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text)
    if (ts.isTemplateExpression(node)) {
      texts.push(
        [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('x'),
      )
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return texts.filter((text) => SQL.test(text)).map((text) => text.replace(/\s+/g, ' '))
}

/** The names that a file imports from `src/store/work.ts`, types apart. */
function verbsOf(source: ts.SourceFile): string[] {
  return source.statements.flatMap((node) => {
    if (!ts.isImportDeclaration(node) || node.importClause === undefined) return []
    if (!/\/work\.js'$/.test(node.moduleSpecifier.getText())) return []
    const { phaseModifier, namedBindings } = node.importClause
    if (phaseModifier !== undefined || namedBindings === undefined) return []
    if (!ts.isNamedImports(namedBindings)) return []
    return namedBindings.elements.filter((name) => !name.isTypeOnly).map((name) => name.name.text)
  })
}

const STATEMENT_VERBS = ['all', 'first', 'run', 'insert', 'hold']

const statementFiles = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .filter((file) => verbsOf(parse(join(SRC, file))).some((verb) => STATEMENT_VERBS.includes(verb)))
  .sort()

test('each rule refuses its example', async (t) => {
  for (const { name, example } of RULES) t.same(brokenRules(example), [name], example)
})

test('only row files yield statements, except for a table of one engine', async (t) => {
  t.ok(statementFiles.length > 10)
  t.same(
    statementFiles.filter((file) => !/^store\/[-\w]+\.ts$/.test(file)),
    ['store/postgres/postgres-catalog.ts'],
  )
})

test('every SQL text of the row files is one for both engines', async (t) => {
  let count = 0
  for (const file of statementFiles) {
    for (const text of sqlTextsOf(parse(join(SRC, file)))) {
      count += 1
      t.same(brokenRules(text), [], `${file}: ${text}`)
    }
  }
  t.ok(count > 60, `${count} texts`)
})
