import { test } from 'tap'
import { compileMoves } from '../../src/wire/custom-schema-plan.js'

test('sources and targets become trees whose nodes point at their entries', async (t) => {
  const plan = compileMoves([
    { source: ['a', 'b'], target: ['x', 'y'] },
    { source: ['a'], target: ['x'] },
    { source: ['c'], target: null },
  ])
  t.equal(plan.entryCount, 3)
  t.same(
    plan.sources.map(({ key }) => Buffer.from(key).toString()),
    ['"b"', '"a"', '"c"'],
  )
  t.same(
    plan.source.children.map(({ entry, children }) => [entry, children.length]),
    [
      [1, 1],
      [2, 0],
    ],
  )
  t.same(
    plan.targets.map(({ entry, place }) => [entry, place]),
    [
      [-1, 0],
      [1, 1],
      [0, 2],
    ],
  )
})

test('a parent precedes its children, names are written as in JSON', async (t) => {
  const { targets } = compileMoves([
    { source: ['a'], target: ['q"', 'ä', 'z'] },
    { source: ['b'], target: ['q"', 'b'] },
  ])
  t.same(
    targets.map(({ key }) => Buffer.from(key).toString()),
    ['""', '"q\\""', '"ä"', '"z"', '"b"'],
  )
  for (const { place, children } of targets) for (const child of children) t.ok(child.place > place)
})
