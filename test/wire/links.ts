import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { linkValue } from '../../src/wire/links.js'
import { parseListQuery } from '../../src/wire/list-query.js'
import { ANY_CHARACTER } from '../fixtures/any-character.js'
import { assertProperty } from '../fixtures/assert-property.js'

const PATH = '/v1/demo/transactions'

/** Relation -> target, as a client that knows RFC 8288 reads it. */
function linksOf(value: string): Record<string, string> {
  const links: Record<string, string> = {}
  for (const link of value === '' ? [] : value.split(/, (?=<)/)) {
    const [, target, relation] = /^<([!-~]*)>; rel="([a-z]+)"$/.exec(link) ?? []
    assert.ok(target !== undefined && relation !== undefined && !target.includes('>'), link)
    assert.ok(!(relation in links), link)
    links[relation] = target
  }
  return links
}

function offsetOf(target: string | undefined): number | undefined {
  if (target === undefined) return undefined
  const url = new URL(target, 'https://kontor.example')
  assert.equal(url.pathname, PATH)
  return parseListQuery(url.search.slice(1)).offset
}

test('the other parameters keep their order and text', async (t) => {
  const value = linkValue(PATH, 'category=a+b%2B&offset=20&limit=10&order=asc', {
    offset: 20,
    limit: 10,
    total: 45,
  })
  const at = (offset: number): string =>
    `<${PATH}?category=a+b%2B&offset=${offset}&limit=10&order=asc>; rel=`
  t.equal(value, `${at(0)}"first", ${at(10)}"prev", ${at(30)}"next", ${at(40)}"last"`)
})

test('a missing offset is added', async (t) => {
  const place = { offset: 0, limit: 100, total: 150 }
  t.equal(linksOf(linkValue(PATH, '', place))['next'], `${PATH}?offset=100`)
  t.equal(linksOf(linkValue(PATH, 'order=1', place))['next'], `${PATH}?order=1&offset=100`)
  t.equal(linksOf(linkValue(PATH, 'order=1&', place))['next'], `${PATH}?order=1&offset=100`)
  t.equal(
    linksOf(linkValue(PATH, 'o%66fset=5&x=o', { ...place, offset: 5 }))['next'],
    `${PATH}?offset=105&x=o`,
  )
})

test('the first page has no prev, the last page no next', async (t) => {
  const relations = (offset: number, limit: number, total: number): Record<string, unknown> => {
    const links = linksOf(linkValue(PATH, '', { offset, limit, total }))
    return Object.fromEntries(Object.entries(links).map(([name, to]) => [name, offsetOf(to)]))
  }
  t.equal(linkValue(PATH, 'limit=0', { offset: 0, limit: 0, total: 9 }), '')
  t.same(relations(0, 10, 0), { first: 0, last: 0 })
  t.same(relations(0, 10, 10), { first: 0, last: 0 })
  t.same(relations(0, 10, 11), { first: 0, next: 10, last: 10 })
  t.same(relations(10, 10, 11), { first: 0, prev: 0, last: 10 })
  t.same(relations(5, 10, 30), { first: 0, prev: 0, next: 15, last: 25 })
  t.same(relations(1_000, 10, 25), { first: 0, prev: 20, last: 20 }, 'past the end')
  t.same(relations(1_000, 10, 0), { first: 0, prev: 0, last: 0 }, 'past the end of nothing')
})

test('following next ends, and visits every row once', async (t) => {
  const places = fc.record({
    offset: fc.nat(60),
    limit: fc.integer({ min: 1, max: 20 }),
    total: fc.nat(60),
  })
  assertProperty(
    fc.property(places, ({ offset, limit, total }) => {
      let at = offset
      let last: number | undefined
      for (let pages = 0; pages < 100; pages++) {
        const links = linksOf(linkValue(PATH, `limit=${limit}`, { offset: at, limit, total }))
        assert.equal(offsetOf(links['first']), 0)
        last = offsetOf(links['last'])
        const previous = offsetOf(links['prev'])
        assert.equal(previous !== undefined, at > 0)
        if (at < total && previous !== undefined) assert.equal(previous, Math.max(0, at - limit))
        const next = offsetOf(links['next'])
        if (next === undefined) break
        assert.equal(next, at + limit)
        assert.ok(next < total)
        at = next
      }
      if (offset < total) assert.equal(at, last)
      assert.ok(last === 0 || (last !== undefined && last < total && last + limit >= total))
    }),
    { numRuns: 500 },
  )
  t.pass('500 lists')
})

test('no query can end a link target or a header line', async (t) => {
  assertProperty(
    fc.property(
      fc.string({ unit: ANY_CHARACTER }),
      fc.string({ unit: ANY_CHARACTER }),
      (path, query) => {
        const value = linkValue(`/${path}`, query, { offset: 10, limit: 5, total: 99 })
        assert.deepEqual(Object.keys(linksOf(value)), ['first', 'prev', 'next', 'last'])
      },
    ),
  )
  t.match(
    linkValue('/a', 'x=">,<', { offset: 0, limit: 1, total: 1 }),
    '</a?x=%22%3E,%3C&offset=0>',
  )
})
