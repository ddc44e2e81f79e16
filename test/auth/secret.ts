import { createHash } from 'node:crypto'
import { test } from 'tap'
import { bearerTokenOf } from '../../src/auth/bearer.js'
import { createSecret, hashOfSecret } from '../../src/auth/secret.js'

test('a secret is its prefix and 256 random bits, fit for a Bearer field', async (t) => {
  const secrets = Array.from({ length: 1_000 }, () => createSecret('sk-'))
  for (const secret of secrets) {
    t.match(secret, /^sk-[-_A-Za-z0-9]{43}$/)
    t.equal(Buffer.from(secret.slice(3), 'base64url').length, 32)
    t.equal(bearerTokenOf(`Bearer ${secret}`), secret)
  }
  t.equal(new Set(secrets).size, secrets.length)
})

test('what is stored is its SHA-256', async (t) => {
  const hash = hashOfSecret('sk-abc')
  t.same(hash, createHash('sha256').update('sk-abc', 'utf8').digest())
  t.equal(hash.length, 32)
})
