import { test } from 'tap'
import { NAME_CODE_POINTS_MAX, nameFault } from '../../src/auth/name.js'

test('a name consists of printable characters', async (t) => {
  const right = [
    'a',
    'Buchhaltung & Söhne',
    '<script>',
    '🏦',
    '"x"',
    'x'.repeat(200),
    '日本',
    'क्‍ष',
    '👩‍💻',
    '❤️',
  ]
  for (const name of right) t.equal(nameFault(name), undefined, name)
  t.equal(nameFault('🏦'.repeat(NAME_CODE_POINTS_MAX)), undefined, 'length counts code points')
  const wrong: readonly (readonly [name: string, fault: string])[] = [
    ['', 'visible'],
    [' \u00a0', 'visible'],
    ['x'.repeat(201), 'at most 200'],
    ['a\nb', 'control'],
    ['a\u0000', 'control'],
    ['a\u001b[31m', 'control'],
    ['a\u202egnp.exe', 'control'],
    ['a\u2028', 'control'],
    ['a\u200b', 'invisible'],
    ['\ufeffa', 'invisible'],
    ['a\u061c', 'invisible'],
    ['\u3164', 'invisible'],
    ['\u2800', 'invisible'],
    ['a\u{e0041}', 'invisible'],
    ['\u200d', 'visible'],
    [' \ufe0f', 'visible'],
    ['\ud800', 'control'],
  ]
  // Named by index, because some of the texts break TAP.
  wrong.forEach(([name, fault], i) => {
    t.match(nameFault(name), fault, `${i}`)
  })
})
