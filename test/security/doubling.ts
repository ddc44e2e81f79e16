// A hostile text of twice the length takes at most 2.5 times as long: for each regular expression
// of src/ on runs of the characters it names, and for each function that was once quadratic.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import ts from 'typescript'
import { readBaseUrl } from '../../src/cli/base-url.js'
import { listMembers } from '../../src/match/lists.js'
import { masksOf } from '../../src/match/masks.js'
import { HiddenText } from '../../src/mcp/tools/hidden-text.js'
import { parseAmount } from '../../src/money.js'
import { parseColumns } from '../../src/statements/csv/csv-columns.js'
import { readDecimal, splitCurrency } from '../../src/statements/decimal-text.js'
import { numberChangedByParsing } from '../../src/statements/ndjson/json-numbers.js'
import { cleanText } from '../../src/statements/text-field.js'
import { normalForms } from '../../src/text/normal-forms.js'
import { matchesIfNoneMatch } from '../../src/wire/etag.js'
import { RATIO_MAX, ratioOf } from '../fixtures/doubling.js'

/** By name: a call with a hostile text of about `length` characters. */
const CALLS: Readonly<Record<string, (length: number) => unknown>> = {
  'If-None-Match': (n) => matchesIfNoneMatch(`,${' '.repeat(n)}x`, '"x"'),
  'an amount': (n) => parseAmount(`1${'0'.repeat(n)}1`),
  'an amount in JSON': (n) => numberChangedByParsing(`{"amount":1${'0'.repeat(n)}1e-7}`),
  'an amount as people write it': (n) => readDecimal(`1${' '.repeat(n)}1`, 'comma'),
  'a currency behind blanks': (n) => splitCurrency(`1${' '.repeat(n)}1`),
  'columns of blanks': (n) => quietly(() => parseColumns(`amount=${' '.repeat(n)}"`)),
  'columns of quotes': (n) => quietly(() => parseColumns(`amount="${'"" '.repeat(n / 3)}x`)),
  'a text of blanks': (n) => cleanText(`x${' '.repeat(n)}x`),
  'marks without letters': (n) => normalForms(`a${'\u0301'.repeat(n)}`),
  'a list of numbers': (n) => listMembers(`1000${'/10'.repeat(n / 3)}X`, []),
  'groups of a list': (n) => listMembers(`${'A1-'.repeat(n / 3)}1000/10`, []),
  'dates and amounts': (n) => masksOf('1.1.'.repeat(n / 4)),
  'a name hidden from words': (n) =>
    new HiddenText('aaaa b', '').removedFrom('aaaa '.repeat(n / 5)),
  'a long name': (n) => new HiddenText('ab '.repeat(n / 3), '').removedFrom('ab '.repeat(1_000)),
  'slashes of a URL': (n) => readBaseUrl(`http://x/${'/'.repeat(n)}x`),
}

function quietly(run: () => void): void {
  try {
    run()
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
}

test('a hostile text of twice the length takes at most 2.5 times as long', async (t) => {
  for (const [name, call] of Object.entries(CALLS)) {
    const ratio = ratioOf((length) => void call(length), 30_000)
    t.ok(ratio <= RATIO_MAX, `${name}: ${ratio}`)
  }
})

function expressionsOfSource(): Map<string, RegExp> {
  const found = new Map<string, RegExp>()
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name)) continue
    const text = readFileSync(join('src', name), 'utf8')
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
    const walk = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? []
        if (/[*+]|\{\d+,\d*\}/.test(source)) found.set(node.text, new RegExp(source, flags))
      }
      ts.forEachChild(node, walk)
    }
    walk(file)
  }
  return found
}

/** One character of each class that expressions here name. */
const CLASSES = [' ', '\t', '\n', '0', '1', 'a', 'A', '"', '/', '\u00e4', '\u0301']

/** Runs of one and of two characters that an expression names, with an unexpected end. */
function hostileUnits(source: string): string[] {
  const named = [...new Set([...source].filter((unit) => !/[\\[\](){}*+?|^$]/.test(unit)))]
  const units = [...new Set([...CLASSES, ...named])]
  const pairs = named.slice(0, 6).flatMap((one) => CLASSES.map((other) => one + other))
  return [...units, ...pairs]
}

/** Expressions whose texts are always short: see regular-expressions.ts. */
const BOUNDED = [
  String.raw`\B(?=(\d{3})+$)`,
  String.raw`"(?:[^"\\]|\\.)*"|null`,
  String.raw`\n?\/[/*][#@] sourceMappingURL=[^\n]*\s*$`,
]

test('each regular expression takes at most 2.5 times as long for twice the length', async (t) => {
  let count = 0
  for (const [text, expression] of expressionsOfSource()) {
    if (BOUNDED.includes(expression.source)) continue
    count += 1
    for (const unit of hostileUnits(expression.source)) {
      const ratio = ratioOf((length) => {
        const run = `${unit.repeat(length / unit.length)}\u0001`
        run.search(expression)
      }, 16_000)
      if (ratio > RATIO_MAX) t.fail(`${text} on runs of ${JSON.stringify(unit)}: ${ratio}`)
    }
  }
  t.ok(count > 120, `${count} expressions`)
})

test('the measurement detects quadratic time', async (t) => {
  const measure = (): number =>
    ratioOf((length) => void `1${'0'.repeat(length)}1`.search(/0+$/), 4_000)
  // A core that is shared with other work may be faster at the greater length.
  t.ok([1, 2, 3].some(() => measure() > RATIO_MAX))
})
