import { createHash } from 'node:crypto'
import { test } from 'tap'
import { bearerTokenOf } from '../../src/auth/bearer.js'
import {
  createPublicId,
  createRandomText,
  createSecret,
  hashOfSecret,
  hasPrefix,
  isSecretOf,
  withoutSecrets,
} from '../../src/auth/secret.js'

const PREFIXES = ['sk-', 'mcp-', 'at-', 'rt-', 'ac-', 'cs-'] as const

test('a secret is its prefix and 256 random bits, valid in a Bearer field', async (t) => {
  for (const prefix of PREFIXES) {
    const secrets = Array.from({ length: 300 }, () => createSecret(prefix))
    // One assertion for all of them: it proves as much as 300 do.
    const wrong = secrets.filter((secret) => {
      const random = secret.slice(prefix.length)
      return !(
        secret.startsWith(prefix) &&
        /^[-_A-Za-z0-9]{43}$/.test(random) &&
        Buffer.from(random, 'base64url').length === 32 &&
        bearerTokenOf(`Bearer ${secret}`) === secret &&
        PREFIXES.every((other) => hasPrefix(secret, other) === (other === prefix))
      )
    })
    t.strictSame(wrong, [], prefix)
    t.equal(new Set(secrets).size, secrets.length)
  }
  for (const text of ['', 'sk-', `sk-${'x'.repeat(42)}`, `sk-${'x'.repeat(44)}`]) {
    t.notOk(hasPrefix(text, 'sk-'))
  }
})

test('ids and other random texts are unpredictable and URL-safe', async (t) => {
  const ids = Array.from({ length: 1_000 }, createPublicId)
  t.strictSame(
    ids.filter((id) => !/^[0-9a-f]{20}$/.test(id)),
    [],
  )
  t.equal(new Set(ids).size, 1_000)
  t.match(createRandomText(), /^[-\w]{43}$/)
  t.not(createRandomText(), createRandomText())
})

test('the stored form is the SHA-256 of the secret', async (t) => {
  const hash = hashOfSecret('sk-abc')
  t.same(hash, createHash('sha256').update('sk-abc', 'utf8').digest())
  t.equal(hash.length, 32)
  t.ok(isSecretOf('sk-abc', hash))
  t.notOk(isSecretOf('sk-abd', hash))
})

test('credentials are removed from a text, and nothing else', async (t) => {
  for (const prefix of PREFIXES) {
    const secret = createSecret(prefix)
    for (const text of [
      secret,
      `a ${secret} b`,
      `x=${secret}&y`,
      `"${secret}"`,
      `${secret}_more`,
    ]) {
      t.notMatch(withoutSecrets(text), secret.slice(prefix.length), text)
      t.match(withoutSecrets(text), `${prefix}…`)
    }
  }
  for (const text of ['sk-short', 'https://at-home.example/rt-1', '']) {
    t.equal(withoutSecrets(text), text)
  }
})
