import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { urlDifference } from '../../src/doctor/url-difference.js'
import { assertProperty } from '../fixtures/assert-property.js'

const WANTED = 'https://bank.example.org/x/v1/w'

const DIFFERENCES: readonly (readonly [found: unknown, expected: string | undefined])[] = [
  [WANTED, undefined],
  [undefined, 'it is missing'],
  [7, 'it is missing'],
  ['/v1/w', 'it is not an absolute URL'],
  [`${WANTED}/`, 'it has a trailing slash'],
  ['http://bank.example.org/x/v1/w', 'its scheme is http instead of https'],
  ['https://kontor:8080/x/v1/w', 'its host is kontor instead of bank.example.org'],
  ['https://bank.example.org:8080/x/v1/w', 'its port is 8080 instead of 443'],
  ['https://bank.example.org/v1/w', 'its path is /v1/w instead of /x/v1/w'],
  [`${WANTED}?a=1`, 'its query is ?a=1 instead of none'],
  [`${WANTED}#a`, 'its fragment is #a instead of none'],
  ['https://BANK.example.org/x/v1/w', 'it is spelled differently'],
  ['https://bank.example.org:443/x/v1/w', 'it is spelled differently'],
]

test('the first difference between two URLs is named', async (t) => {
  for (const [found, shown] of DIFFERENCES) t.equal(urlDifference(WANTED, found), shown, `${found}`)
})

test('a difference is reported exactly when the texts differ', async () => {
  const urls = fc.webUrl({ withQueryParameters: true, withFragments: true })
  assertProperty(
    fc.property(urls, urls, (a, b) => {
      assert.equal(urlDifference(a, a), undefined)
      assert.equal(urlDifference(a, b) === undefined, a === b, `${a} ${b}`)
    }),
  )
})
