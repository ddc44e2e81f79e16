// The house rules for tests that a program can check.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'tap'
import ts from 'typescript'

const ROOT = resolve(import.meta.dirname, '../..')

/** Methods of a tap test that assert nothing, so that a predicate may call them. */
const ASSERTS_NOTHING = ['comment', 'teardown', 'testdir']

const testFiles = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join('test', name))
  .sort()

function parse(file: string, text = readFileSync(join(ROOT, file), 'utf8')): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true)
}

/** `file:line` of each property of fast-check, and whether tap asserts within its predicate. */
function propertiesOf(source: ts.SourceFile): { at: string; assertsThroughTap: boolean }[] {
  const found: { at: string; assertsThroughTap: boolean }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^fc\.(asyncP|p)roperty$/.test(node.expression.getText())) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      const predicate = node.arguments.at(-1)
      const assertsThroughTap = predicate !== undefined && hasTapAssertion(predicate)
      found.push({ at: `${source.fileName}:${line + 1}`, assertsThroughTap })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function hasTapAssertion(node: ts.Node): boolean {
  const called = ts.isCallExpression(node) ? node.expression : undefined
  if (
    called !== undefined &&
    ts.isPropertyAccessExpression(called) &&
    called.expression.getText() === 't' &&
    !ASSERTS_NOTHING.includes(called.name.text)
  ) {
    return true
  }
  return ts.forEachChild(node, hasTapAssertion) ?? false
}

test('a property throws where it does not hold', async (t) => {
  const refused = `fc.property(fc.nat(), (n) => { t.teardown(() => n); if (n > 3) t.equal(n, 3) })
    fc.asyncProperty(fc.nat(), async (n) => assert.equal(n, 3))`
  const made = propertiesOf(parse('made-up.ts', refused))
  t.strictSame(
    made.map(({ assertsThroughTap }) => assertsThroughTap),
    [true, false],
  )
  const all = testFiles.flatMap((file) => propertiesOf(parse(file)))
  t.ok(all.length > 200, `${all.length} properties are checked`)
  // An assertion of tap does not throw: fast-check would neither shrink nor print the seed.
  t.strictSame(
    all.filter(({ assertsThroughTap }) => assertsThroughTap).map(({ at }) => at),
    [],
  )
})
