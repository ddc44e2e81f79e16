import { scryptSync } from 'node:crypto'
import { test } from 'tap'
import {
  hashPassword,
  isPassword,
  PASSWORD_BYTES_MAX,
  passwordFault,
} from '../../src/auth/password.js'

test('only the right password verifies', async (t) => {
  const stored = await hashPassword('correct horse')
  t.match(stored, /^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
  t.equal(await isPassword('correct horse', stored), true)
  t.equal(await isPassword('correct hors', stored), false)
  t.equal(await isPassword('', stored), false)
  t.equal(await isPassword('correct horse', undefined), false)
  t.equal(await isPassword('', undefined), false)
  t.not(await hashPassword('correct horse'), stored, 'each hash has its own salt')
})

test('a stored hash contains its cost parameters, so that they may change', async (t) => {
  const salt = Buffer.alloc(16, 9)
  const derived = scryptSync('pass word', salt, 32, { N: 1024, r: 8, p: 1 })
  const [saltText, hashText] = [salt, derived].map((part) =>
    part.toString('base64').replace(/=+$/, ''),
  )
  const stored = `$scrypt$ln=10,r=8,p=1$${saltText}$${hashText}`
  t.equal(await isPassword('pass word', stored), true)
  t.equal(await isPassword('pass  word', stored), false)
})

test('passwords compare equal in every Unicode normalization form', async (t) => {
  const stored = await hashPassword('Gr\u00fc\u00dfe 2026')
  t.equal(await isPassword('Gru\u0308\u00dfe 2026', stored), true)
  t.equal(await isPassword('Gruße 2026', stored), false)
})

test('a password has a minimum length and a single line', async (t) => {
  const right = ['12345678', 'ää ö ü ß', '🏦'.repeat(8), 'x'.repeat(PASSWORD_BYTES_MAX)]
  for (const password of right) t.equal(passwordFault(password), undefined)
  t.match(passwordFault('1234567'), 'at least 8')
  t.match(passwordFault('🏦'.repeat(7)), 'at least 8')
  t.match(passwordFault('x'.repeat(PASSWORD_BYTES_MAX + 1)), 'at most 1024 bytes')
  t.match(passwordFault('two\nlines of it'), 'one line')
})
