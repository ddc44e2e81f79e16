// Each regular expression of src/ takes linear time: recheck proves it, or searches for a
// counterexample. The exceptions below each state the bound of their input.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { check } from 'recheck'
import { test } from 'tap'
import ts from 'typescript'
import { RATIO_MAX, ratioOf } from '../fixtures/doubling.js'

/** Expressions that are not linear, and why no long text reaches them. */
const BOUNDED: ReadonlyMap<string, string> = new Map([
  [String.raw`\B(?=(\d{3})+$)`, 'the digits of one count or amount'],
  [String.raw`"(?:[^"\\]|\\.)*"|null`, 'JSON.parse has read the text: each quote is closed'],
  [
    String.raw`\n?\/[/*][#@] sourceMappingURL=[^\n]*\s*$`,
    'a file of this package, read once at the start',
  ],
])

/** Calls of `new RegExp` within functions, by file, and why their sources are harmless. */
const MADE_LATE: ReadonlyMap<string, string> = new Map([
  ['dashboard/multipart.ts', 'of a name the code writes; one quoted text after it'],
  ['mcp/tools/hidden-text.ts', 'the letters of one name of at most 256, white space repeated'],
  ['statements/csv/csv-guess-names.ts', 'names of columns that the code lists, without repeats'],
  ['statements/mt940/mt940-details.ts', 'one separator and two digits'],
])

interface Expression {
  readonly source: string
  readonly flags: string
}

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .sort()

function visit(name: string, see: (node: ts.Node) => void): void {
  const text = readFileSync(join('src', name), 'utf8')
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
  const walk = (node: ts.Node): void => {
    see(node)
    ts.forEachChild(node, walk)
  }
  walk(file)
}

function writtenIn(name: string): Expression[] {
  const found: Expression[] = []
  visit(name, (node) => {
    if (!ts.isRegularExpressionLiteral(node)) return
    const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? []
    found.push({ source, flags })
  })
  return found
}

function madeIn(name: string): { atLoad: number; late: number } {
  const made = { atLoad: 0, late: 0 }
  visit(name, (node) => {
    if (!ts.isNewExpression(node) || node.expression.getText() !== 'RegExp') return
    let parent: ts.Node | undefined = node.parent
    while (parent !== undefined && !ts.isFunctionLike(parent)) parent = parent.parent
    made[parent === undefined ? 'atLoad' : 'late'] += 1
  })
  return made
}

/** Arguments of `new RegExp` while the module is loaded. */
async function madeAtLoad(name: string): Promise<Expression[]> {
  const found: Expression[] = []
  const original = globalThis.RegExp
  globalThis.RegExp = new Proxy(original, {
    construct(target, [pattern, flags = '']: [string | RegExp, string?]) {
      found.push({ source: typeof pattern === 'string' ? pattern : pattern.source, flags })
      return new target(pattern, flags)
    },
  })
  try {
    const path = join('dist/src', name.replace(/\.tsx?$/, '.js'))
    await import(`${pathToFileURL(path).href}?expressions`)
  } finally {
    globalThis.RegExp = original
  }
  return found
}

/** Without a repetition, no expression reads a character twice from one start. */
const REPETITION = /[*+]|\{\d+,\d*\}/

/** Faults of the expressions that were checked: modules compose the same ones of shared parts. */
const faults = new Map<string, Promise<string | undefined>>()

function faultOf(expression: Expression): Promise<string | undefined> {
  const key = `/${expression.source}/${expression.flags}`
  const fault = faults.get(key) ?? findFault(expression)
  faults.set(key, fault)
  return fault
}

async function findFault({ source, flags }: Expression): Promise<string | undefined> {
  if (!REPETITION.test(source) || BOUNDED.has(source)) return undefined
  const result = await check(source, flags.replace(/[dv]/g, ''), { timeout: 60_000 })
  if (result.status === 'safe') return undefined
  if (result.status === 'unknown') return `unknown: ${result.error.kind}`
  const { complexity, attack } = result
  // Results found by search, not by proof, are tried on V8 as well.
  const ratio = complexity.isFuzz ? ratioOfAttack(new RegExp(source, flags), attack) : undefined
  if (ratio !== undefined && ratio <= RATIO_MAX) return undefined
  return `${complexity.summary}: ${attack.pattern} ${ratio ?? ''}`
}

/** recheck's description of an attack: prefix, repeated part, suffix. */
interface Attack {
  readonly pumps: readonly { readonly prefix: string; readonly pump: string }[]
  readonly suffix: string
}

function ratioOfAttack(expression: RegExp, { pumps, suffix }: Attack): number {
  return ratioOf((length) => {
    const runs = pumps.map(({ prefix, pump }) => prefix + pump.repeat(length / pump.length))
    const text = runs.join('') + suffix
    text.search(expression)
  }, 16_000)
}

test('each regular expression written in src/ is linear', async (t) => {
  const seen = new Set<string>()
  for (const name of sources) {
    for (const expression of writtenIn(name)) {
      const text = `/${expression.source}/${expression.flags}`
      if (seen.has(text)) continue
      seen.add(text)
      t.equal(await faultOf(expression), undefined, `${name}: ${text}`)
    }
  }
  t.ok(seen.size > 150, `${seen.size} expressions`)
  const used = [...BOUNDED.keys()].filter((source) =>
    [...seen].some((text) => text.startsWith(`/${source}/`)),
  )
  t.same(used, [...BOUNDED.keys()], 'each exception is still needed')
})

test('each expression that src/ composes is linear too', async (t) => {
  let count = 0
  const late: string[] = []
  for (const name of sources) {
    const made = madeIn(name)
    if (made.late > 0) late.push(name)
    if (made.atLoad === 0) continue
    const expressions = await madeAtLoad(name)
    t.ok(expressions.length >= made.atLoad, `${name}: ${expressions.length} seen at its load`)
    for (const expression of expressions) {
      count += 1
      t.equal(await faultOf(expression), undefined, `${name}: ${expression.source}`)
    }
  }
  t.ok(count > 10, `${count} expressions`)
  t.same(
    late.sort(),
    [...MADE_LATE.keys()].sort(),
    'the expressions composed within functions are known',
  )
})

test('the check detects known attacks', async (t) => {
  const found = async (source: string): Promise<boolean> =>
    (await faultOf({ source, flags: 'u' })) !== undefined
  t.ok(
    await found(String.raw`[ \t]*(?:"[a-z]*")?[ \t]*(?:,|$)`),
    'the element of the If-None-Match expression',
  )
  t.ok(await found('0+$'), 'zeros at the end')
  t.ok(await found(String.raw`\s*\n\s*`), 'blanks around a line end')
  t.notOk(await found('^0+'), 'zeros at the beginning')
})
