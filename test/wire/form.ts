import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { Form } from '../../src/wire/form.js'
import { assertProperty } from '../fixtures/assert-property.js'

test('a parameter sent once has its value, an empty one has none', async (t) => {
  const form = new Form('a=1&&b=x+y%20z&c=&d&%C3%A4=%E2%82%AC&e=a=b')
  t.equal(form.value('a'), '1')
  t.equal(form.value('b'), 'x y z')
  t.equal(form.value('c'), undefined)
  t.equal(form.value('d'), undefined)
  t.equal(form.value('ä'), '€')
  t.equal(form.value('e'), 'a=b')
  t.equal(form.value('f'), undefined)
  t.equal(form.fault(), undefined)
})

test('a repeated parameter has no value, whatever was sent', async (t) => {
  for (const text of ['a=1&a=2', 'a=1&a=1', 'a=1&a=', 'a&a=1', 'a=1&%61=2']) {
    const form = new Form(`${text}&b=3`)
    t.equal(form.value('a'), undefined, text)
    t.equal(form.value('b'), '3', text)
    t.same(form.faultOf('a'), { kind: 'repeated', name: 'a' }, text)
    t.same(form.fault(), { kind: 'repeated', name: 'a' }, text)
    t.equal(form.faultOf('b'), undefined, text)
  }
})

test('malformed percent-encoding, invalid UTF-8 and NUL give no value', async (t) => {
  const values = ['%', '%4', '%zz', '%ff', '%C3', '%ed%a0%80', '%c0%af', '%00', 'a%00b', 'ä', '\n']
  for (const value of values) {
    const form = new Form(`a=${value}`)
    t.equal(form.value('a'), undefined, value)
    t.same(form.fault(), { kind: 'malformed', name: 'a' }, value)
    const twice = new Form(`a=1&a=${value}`)
    t.equal(twice.value('a'), undefined, value)
    t.same(twice.values('a'), [], value)
    t.same(new Form(`a${value}=1`).fault(), { kind: 'malformed', name: undefined }, value)
  }
})

test('a named parameter may be repeated', async (t) => {
  const form = new Form('resource=a&resource=&resource=b')
  t.same(form.values('resource'), ['a', 'b'])
  t.equal(form.fault('resource'), undefined)
  t.same(form.fault(), { kind: 'repeated', name: 'resource' })
  t.same(new Form('resource=a&resource=%').fault('resource'), {
    kind: 'malformed',
    name: 'resource',
  })
})

test('a message quotes known names only, and no name is an object member', async (t) => {
  t.same(new Form('<b>=1&<b>=2').fault(), { kind: 'repeated', name: undefined })
  t.same(new Form(`${'a'.repeat(40)}=1&${'a'.repeat(40)}=2`).fault(), {
    kind: 'repeated',
    name: undefined,
  })
  const form = new Form('a=1')
  for (const name of ['__proto__', 'constructor', 'toString']) {
    t.equal(form.value(name), undefined)
    t.equal(form.faultOf(name), undefined)
  }
  t.equal(new Form('__proto__=1').value('__proto__'), '1')
})

test('output of URLSearchParams is read back unchanged', async (t) => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((it) => !it.includes('\0'))
  const pairs = fc.uniqueArray(fc.tuple(text, text.filter(Boolean)), { selector: ([name]) => name })
  assertProperty(
    fc.property(pairs, (given) => {
      const form = new Form(new URLSearchParams(given).toString())
      assert.equal(form.fault(), undefined)
      for (const [name, value] of given) assert.equal(form.value(name), value)
    }),
  )
  t.pass('equal')
})
