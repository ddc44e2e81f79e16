import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { entityTag, IF_NONE_MATCH_UNITS_MAX, matchesIfNoneMatch } from '../../src/wire/etag.js'
import { assertProperty } from '../fixtures/assert-property.js'

const base = { version: '17', accessTag: 'k3', path: '/v1/demo/accounts', rawQuery: 'limit=1' }

test('a tag is strong, and the same for the same representation', async (t) => {
  t.match(entityTag(base), /^"[0-9a-f]{16}"$/)
  t.equal(entityTag({ ...base }), entityTag(base))
})

test('each part changes the tag, and parts are separated', async (t) => {
  const variants = [
    base,
    { ...base, version: '18' },
    { ...base, accessTag: 'k4' },
    { ...base, path: '/v1/demo/account' },
    { ...base, rawQuery: 'limit=2' },
    { ...base, version: '17k', accessTag: '3' },
    { ...base, path: '/v1/demo/accountslimit=1', rawQuery: '' },
    { version: '', accessTag: '', path: '', rawQuery: '' },
  ]
  t.equal(new Set(variants.map(entityTag)).size, variants.length)
})

test('a hundred thousand neighbouring versions and offsets have as many tags', async (t) => {
  const tags = new Set<string>()
  const halves = [new Set<string>(), new Set<string>()]
  for (let i = 0; i < 50_000; i++) {
    for (const tag of [
      entityTag({ ...base, version: String(i) }),
      entityTag({ ...base, rawQuery: `offset=${i}&limit=100` }),
    ]) {
      tags.add(tag)
      halves[0]?.add(tag.slice(1, 9))
      halves[1]?.add(tag.slice(9, 17))
    }
  }
  t.equal(tags.size, 100_000)
  // Of 100,000 random values of 2^32, 1.2 collide on average; more than 20 would be no chance.
  for (const half of halves) t.ok(half.size > 100_000 - 20, `${half.size} of each half`)
})

test('If-None-Match is compared by RFC 9110', async (t) => {
  const tag = '"0123456789abcdef"'
  for (const field of [
    tag,
    `W/${tag}`,
    '*',
    ' * ',
    `"x", ${tag}`,
    `${tag},"y"`,
    `"a,b" ,W/"c",\t${tag} , "d"`,
    `, ,${tag}`,
    `${tag},`,
  ]) {
    t.ok(matchesIfNoneMatch(field, tag), field)
  }
  for (const field of [
    '',
    '"x"',
    '""',
    'W/"x"',
    '0123456789abcdef',
    `w/${tag}`,
    `x${tag}`,
    `${tag}x`,
    `"${tag}"`,
    `"x ${tag}"`,
    `*, ${tag}`,
    '"0123456789ABCDEF"',
    ',',
    '"',
  ]) {
    t.notOk(matchesIfNoneMatch(field, tag), field)
  }
})

test('any list of tags finds its members and no others', async (t) => {
  const opaque = fc.string({ unit: fc.constantFrom('a', 'b', ',', '/', 'W', '*'), maxLength: 3 })
  const element = fc.record({
    tag: opaque.map((text) => `"${text}"`),
    weak: fc.constantFrom('', 'W/'),
    space: fc.constantFrom('', ' ', '\t '),
  })
  assertProperty(
    fc.property(fc.array(element, { maxLength: 4 }), opaque, (elements, text) => {
      const field = elements.map((e) => `${e.space}${e.weak}${e.tag}${e.space}`).join(',')
      const found = elements.some((e) => e.tag === `"${text}"`)
      assert.equal(matchesIfNoneMatch(field, `"${text}"`), found)
    }),
    { numRuns: 1_000 },
  )
  t.pass('1,000 lists')
})

test('an overlong value matches nothing', async (t) => {
  const tag = '"0123456789abcdef"'
  const filled = (units: number): string => `${tag},${' '.repeat(units - tag.length - 1)}`
  t.ok(matchesIfNoneMatch(filled(IF_NONE_MATCH_UNITS_MAX), tag))
  t.notOk(matchesIfNoneMatch(filled(IF_NONE_MATCH_UNITS_MAX + 1), tag))
})

test('the comparison equals the former expression with quadratic time', async () => {
  const former = /[ \t]*(?:(?:W\/)?("[!#-~\u0080-\u{10ffff}]*"))?[ \t]*(?:,|$)/uy
  const matchesFormerly = (fieldValue: string, tag: string): boolean => {
    const trimmed = fieldValue.trim()
    if (trimmed === '') return false
    if (trimmed === '*') return true
    let found = false
    for (let at = 0; at < trimmed.length; at = former.lastIndex) {
      former.lastIndex = at
      const element = former.exec(trimmed)
      if (element === null) return false
      if (element[1] === tag) found = true
    }
    return found
  }
  const piece = fc.constantFrom('"a"', '"b"', 'W/', '"', ' ', '\t', ',', '*', 'x', '"a,b"')
  assertProperty(
    fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const field = pieces.join('')
      assert.equal(matchesIfNoneMatch(field, '"a"'), matchesFormerly(field, '"a"'), field)
    }),
    { numRuns: 2_000 },
  )
})
