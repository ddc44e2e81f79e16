import { test } from 'tap'
import { nameFault } from '../../src/auth/name.js'
import { NAME_CODE_POINTS_MAX } from '../../src/credential-limits.js'

test('a name is what people can read', async (t) => {
  const right = ['a', 'Buchhaltung & Söhne', '<script>', '🏦', '"x"', 'x'.repeat(200), '日本']
  for (const name of right) t.equal(nameFault(name), undefined, name)
  t.equal(nameFault('🏦'.repeat(NAME_CODE_POINTS_MAX)), undefined, 'code points count')
  const wrong: readonly (readonly [name: string, fault: string])[] = [
    ['', 'visible'],
    [' \u00a0', 'visible'],
    ['x'.repeat(201), 'at most 200'],
    ['a\nb', 'control'],
    ['a\u0000', 'control'],
    ['a\u001b[31m', 'control'],
    ['a\u202egnp.exe', 'control'],
    ['a\u2028', 'control'],
    ['\ud800', 'control'],
  ]
  // By their place: TAP stumbles over some of them.
  wrong.forEach(([name, fault], i) => {
    t.match(nameFault(name), fault, `${i}`)
  })
})
