import { existsSync, linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { HeldFolder } from '../../src/inbox/held-folder.js'
import { moveUnderFreeName, moveWithoutReplacing, shortName } from '../../src/inbox/move.js'

test('a move replaces no file', async (t) => {
  const folder = t.testdir({ a: 'A', b: 'B' })
  const [a, b, c] = ['a', 'b', 'c'].map((name) => join(folder, name)) as [string, string, string]
  t.notOk(await moveWithoutReplacing(a, b))
  t.equal(readFileSync(b, 'utf8'), 'B')
  t.ok(existsSync(a))
  t.ok(await moveWithoutReplacing(a, c))
  t.equal(readFileSync(c, 'utf8'), 'A')
  t.notOk(existsSync(a))
  linkSync(c, a)
  t.ok(await moveWithoutReplacing(a, c), 'a move that a kill had left half done')
  t.same(readdirSync(folder), ['b', 'c'])
  await t.rejects(moveWithoutReplacing(join(folder, 'none'), a), { code: 'ENOENT' })
})

test('a name that is taken gets a number in front of its extension', async (t) => {
  const path = t.testdir({ to: {} })
  const to = await HeldFolder.open(join(path, 'to'))
  const moved = async (name: string): Promise<string> => {
    writeFileSync(join(path, name), name)
    return moveUnderFreeName(join(path, name), to, name)
  }
  t.equal(await moved('a.b.csv'), 'a.b.csv')
  t.equal(await moved('a.b.csv'), 'a.b (2).csv')
  t.equal(await moved('a.b.csv'), 'a.b (3).csv')
  t.equal(await moved('plain'), 'plain')
  t.equal(await moved('plain'), 'plain (2)')
  await to.close()
})

test('a long name is shortened in front of its extension, between characters', async (t) => {
  t.equal(shortName('statement.csv'), 'statement.csv')
  const short = shortName(`${'ü'.repeat(125)}.csv`)
  t.match(short, /^ü{115}\.csv$/)
  t.ok(Buffer.byteLength(short) <= 235)
  const strange = shortName(`a.${'x'.repeat(253)}`)
  t.equal(strange, `a.${'x'.repeat(233)}`)
})
