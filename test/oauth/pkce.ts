import { test } from 'tap'
import { isChallenge, isVerifierOf } from '../../src/oauth/pkce.js'

// RFC 7636, appendix B.
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

test('a challenge is the base64url of 32 bytes', async (t) => {
  t.ok(isChallenge(CHALLENGE))
  const others = ['', VERIFIER.slice(1), `${CHALLENGE}=`, `${CHALLENGE}A`, `${CHALLENGE.slice(1)}+`]
  for (const text of others) t.notOk(isChallenge(text), text)
  t.notOk(isChallenge(`${CHALLENGE.slice(0, -1)}N`), 'a last character with spare bits set')
})

test('a verifier is 43 to 128 unreserved characters, and its hash is the challenge', async (t) => {
  t.ok(isVerifierOf(VERIFIER, CHALLENGE))
  t.notOk(isVerifierOf(VERIFIER, `F${CHALLENGE.slice(1)}`))
  t.notOk(isVerifierOf(VERIFIER.toUpperCase(), CHALLENGE))
  t.notOk(isVerifierOf(CHALLENGE, CHALLENGE), 'plain is no method')
  t.notOk(isVerifierOf('', CHALLENGE))
  const { createHash } = await import('node:crypto')
  const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url')
  const rows: readonly (readonly [verifier: string, taken: boolean])[] = [
    ['a'.repeat(42), false],
    ['a'.repeat(43), true],
    ['~._-'.repeat(32), true],
    ['a'.repeat(129), false],
    [`${'a'.repeat(43)} `, false],
    [`${'a'.repeat(43)}\n`, false],
    [`${'a'.repeat(43)}ä`, false],
    [`${'a'.repeat(43)}+`, false],
  ]
  for (const [verifier, taken] of rows) {
    t.equal(isVerifierOf(verifier, challengeOf(verifier)), taken, verifier)
  }
})
