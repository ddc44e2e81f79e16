// One client of an authorization server, without a pause, until SIGTERM; then prints {"callCount"}.
//   node token-caller.js refresh|sign-in FILE ROUND
// FILE is JSON: the issuer, the client, refresh tokens to begin each round with, name and password.
import { readFileSync } from 'node:fs'
import { REDIRECT_URI } from './auth.js'

/** Facts that the client needs. */
export interface CallerFacts {
  readonly issuer: string
  readonly clientId: string
  readonly refreshTokens: readonly (readonly string[])[]
  readonly name: string
  readonly password: string
}

const [what = '', path = '', round = ''] = process.argv.slice(2)
const facts = JSON.parse(readFileSync(path, 'utf8')) as CallerFacts
const tokens = [...(facts.refreshTokens[Number(round)] ?? [])]
let callCount = 0
let isStopped = false
process.once('SIGTERM', () => {
  isStopped = true
})
process.stdout.write(`${JSON.stringify({ url: 'http://127.0.0.1:0' })}\n`)
while (!isStopped) {
  await (what === 'refresh' ? refresh() : signIn())
  callCount += 1
}
process.stdout.write(`${JSON.stringify({ callCount })}\n`)

async function refresh(): Promise<void> {
  const [token = ''] = tokens.splice(0, 1)
  const form = { grant_type: 'refresh_token', refresh_token: token, client_id: facts.clientId }
  const body = new URLSearchParams(form)
  const reply = await fetch(`${facts.issuer}/token`, { method: 'POST', body })
  const { refresh_token } = (await reply.json()) as { refresh_token?: string }
  if (refresh_token === undefined) throw new Error(`a refresh is answered with ${reply.status}`)
  tokens.push(refresh_token)
}

async function signIn(): Promise<void> {
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: facts.clientId, redirect_uri: REDIRECT_URI },
    ...{ code_challenge: `${'c'.repeat(42)}A`, code_challenge_method: 'S256' },
  })
  const url = `${facts.issuer}/authorize?${query}`
  const page = await fetch(url)
  const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const token = /name="form_token" value="([^"]*)"/.exec(await page.text())?.[1] ?? ''
  const { name, password } = facts
  const body = new URLSearchParams({ form_token: token, name, password, action: 'sign-in' })
  const headers = { Cookie: cookie }
  const reply = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })
  if (reply.status !== 303) throw new Error(`a sign-in is answered with ${reply.status}`)
}
