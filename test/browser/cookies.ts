import { test } from 'tap'
import { cookieValue, setCookieValue } from '../../src/browser/cookies.js'

test('a cookie is hidden from scripts, other sites and, on https, plain http', async (t) => {
  t.equal(
    setCookieValue({ name: 's', value: 'abc', maxAgeSeconds: 60 }, true),
    '__Host-s=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure',
  )
  t.equal(
    setCookieValue({ name: 's', value: 'abc' }, false),
    's=abc; Path=/; HttpOnly; SameSite=Lax',
  )
  t.equal(
    setCookieValue({ name: 's', value: '' }, false),
    's=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
  )
})

test('the value of a cookie is found; two of one name make it invalid', async (t) => {
  const rows: readonly (readonly [field: string, value: string | undefined])[] = [
    ['s=abc', 'abc'],
    ['a=1; s=abc-_9; b=2', 'abc-_9'],
    ['a=1;s=abc', 'abc'],
    ['as=1; s=abc', 'abc'],
    ['', undefined],
    ['s=', undefined],
    ['s', undefined],
    ['S=abc', undefined],
    ['a=s=abc', undefined],
    ['s="abc"', undefined],
    ['s=a,b', undefined],
    ['s=abc, s=def', undefined],
    ['s=abc; s=def', undefined],
    ['s=abc; s=abc', undefined],
    ['__Host-s=abc', undefined],
  ]
  for (const [field, value] of rows) t.equal(cookieValue(field, 's', false), value, field)
  t.equal(cookieValue('s=planted; __Host-s=abc', 's', true), 'abc')
  t.equal(cookieValue('s=planted', 's', true), undefined)
})
