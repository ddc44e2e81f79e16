import type { Random } from '../../src/demo/random.js'
import { type Grammar, type Ground, wholeRequest } from '../shot.js'
import { encoded, hostileText } from './texts.js'

const ENDPOINTS = ['authorize', 'token', 'revoke', 'register', 'register/x', '']
const NAMES = [
  ...['response_type', 'client_id', 'redirect_uri', 'scope', 'state', 'code_challenge', 'code'],
  ...['code_challenge_method', 'resource', 'grant_type', 'refresh_token', 'code_verifier', 'token'],
  ...['client_secret', 'token_type_hint', 'action', 'form_token', 'name', 'password'],
]
const VALUES = [
  ...['code', 'authorization_code', 'refresh_token', 'client_credentials', 'S256', 'plain'],
  ...['accounts:read transactions:read', 'http://127.0.0.1:8910/cb', 'allow', 'deny', 'sign-in'],
]
const WELL_KNOWN = [
  'oauth-authorization-server',
  'openid-configuration',
  'oauth-protected-resource',
]
const METADATA: readonly (readonly [name: string, value: unknown])[] = [
  ['redirect_uris', ['http://127.0.0.1:1/cb']],
  ['redirect_uris', 'x'],
  ['redirect_uris', Array.from({ length: 30 }, () => 'javascript:alert(1)')],
  ['client_name', 'x'.repeat(500)],
  ['grant_types', ['authorization_code', 7]],
  ['scope', 'accounts:read '.repeat(200)],
  ['token_endpoint_auth_method', null],
  ['__proto__', { x: 1 }],
]

/** All paths of an issuer: its metadata, its pages, its endpoints. */
export const oauth: Grammar = (random, ground) => {
  const { host, issuerPath, cookie } = ground
  const lines = [`Host: ${host}`]
  if (random.chance(300)) lines.push(`Cookie: ${cookie}`)
  if (random.chance(150)) {
    const known = `/.well-known/${random.pick(WELL_KNOWN)}`
    const target = random.chance(500) ? `${issuerPath}${known}` : `${known}${issuerPath}`
    return wholeRequest({ method: 'GET', target, fields: lines })
  }
  const endpoint = random.pick(ENDPOINTS)
  const form = formText(random, ground)
  if (random.chance(300)) {
    const query = form.replace(/[^!-~]/g, '%').slice(0, 6_000)
    const target = `${issuerPath}/${endpoint}?${query}`
    return wholeRequest({ method: 'GET', target, fields: lines })
  }
  const isJson = endpoint === 'register'
  lines.push(`Content-Type: ${isJson ? 'application/json' : 'application/x-www-form-urlencoded'}`)
  if (random.chance(200))
    lines.push(`Authorization: Basic ${Buffer.from(form).toString('base64').slice(0, 900)}`)
  const body = Buffer.from(isJson ? metadataText(random, ground) : form)
  return wholeRequest({ method: 'POST', target: `${issuerPath}/${endpoint}`, fields: lines, body })
}

function formText(random: Random, { words, clientId }: Ground): string {
  const pairs: string[] = []
  for (let i = random.between(0, 9); i >= 0; i--) {
    const name = random.pick(NAMES)
    const right = name === 'client_id' ? clientId : random.pick(VALUES)
    const value = random.chance(700) ? right : hostileText(random, words, 2_000)
    pairs.push(`${name}=${encoded(value)}`)
  }
  return pairs.join(random.chance(20) ? '&&' : '&')
}

function metadataText(random: Random, { words }: Ground): string {
  const members = Array.from({ length: random.between(0, 5) }, () => random.pick(METADATA))
  const text = JSON.stringify(Object.fromEntries(members))
  return random.chance(200) ? hostileText(random, [...words, text], 3_000) : text
}
