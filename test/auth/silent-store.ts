// Credentials while the store is unreachable: known ones are accepted for a while, and those that
// cannot be looked up are not refused as unknown.
import { type Test, test } from 'tap'
import { createApiKey, revokeApiKey } from '../../src/admin/api-keys.js'
import { Credentials } from '../../src/auth/credentials.js'
import { createSecret, hashOfSecret } from '../../src/auth/secret.js'
import { StoreTrust } from '../../src/auth/store-trust.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { endGrant } from '../../src/store/grant-rows.js'
import type { ControlFile } from '../../src/store/sqlite/control-file.js'
import { StoreUnavailableError } from '../../src/store/store-error.js'
import { findAccessToken } from '../../src/store/token-rows.js'
import { AwaitingControl } from '../fixtures/awaiting-control.js'
import {
  NOW_MS,
  newControlFile,
  openControlFile,
  someClient,
  someIntegration,
  someTokens,
  WIDE_KEY,
} from '../fixtures/control.js'

const HERE = { remoteAddress: '127.0.0.1' }

/** A service over an asynchronous store, and another process that writes to it. */
class Service {
  readonly other: ControlFile
  readonly control: AwaitingControl
  readonly credentials: Credentials
  nowMs = NOW_MS
  ticks = 0

  constructor(t: Test) {
    this.other = newControlFile(t)
    this.control = new AwaitingControl(openControlFile(t))
    this.credentials = new Credentials(this.control, {
      clock: () => this.nowMs,
      ticks: () => this.ticks,
      trust: new StoreTrust(this.control, 10_000),
    })
  }

  /** `ok`, or the reason for refusing the credential. */
  async outcome(secret: string): Promise<'ok' | 'unknown' | 'unavailable'> {
    try {
      const access = await this.credentials.forRest(secret, HERE)
      return access === undefined ? 'unknown' : 'ok'
    } catch (error) {
      if (error instanceof StoreUnavailableError) return 'unavailable'
      throw error
    }
  }

  /** Lets time pass, without contact if the store is unreachable. */
  pass(ms: number): void {
    this.nowMs += ms
    this.ticks += ms
    if (this.control.isUnavailable) this.control.silenceMs += ms
  }

  endSilence(): void {
    this.control.isUnavailable = false
    this.control.silenceMs = 0
  }

  async newKey(): Promise<{ key: string; id: number }> {
    const context = { control: this.other, nowMs: NOW_MS, actor: CLI_ACTOR }
    const { key, id } = await createApiKey(context, WIDE_KEY)
    return { key, id }
  }

  async newToken(): Promise<string> {
    const { client } = await someClient(this.other, (await someIntegration(this.other)).id)
    return (await someTokens(this.other, client)).access
  }

  async endGrantOf(token: string): Promise<void> {
    const row = this.other.look(() => findAccessToken(hashOfSecret(token)))
    await this.other.atomically(() => endGrant(row?.grantId ?? 0, NOW_MS))
  }
}

test('known keys are accepted without contact, until that lasts too long', async (t) => {
  const service = new Service(t)
  const { key, id } = await service.newKey()
  const unknown = createSecret('sk-')
  t.equal(await service.outcome(key), 'ok')
  t.equal(await service.outcome(unknown), 'unknown')
  service.control.isUnavailable = true
  t.equal(await service.outcome(key), 'ok')
  service.pass(3_000)
  t.equal(await service.outcome(key), 'ok')
  t.equal(await service.outcome(unknown), 'unavailable', 'it may have been created meanwhile')
  const looks = service.control.lookCount
  t.equal(await service.outcome(key), 'ok')
  t.equal(service.control.lookCount, looks, 'no request waits for a silent store')
  service.pass(7_001)
  t.equal(await service.outcome(key), 'unavailable')
  await revokeApiKey({ control: service.other, nowMs: NOW_MS, actor: CLI_ACTOR }, id)
  service.endSilence()
  service.pass(1)
  t.equal(await service.outcome(key), 'unknown', 'what was missed is noticed')
  t.equal(await service.outcome(unknown), 'unknown')
})

test('an unknown key may be valid while the keys cannot be read', async (t) => {
  const service = new Service(t)
  const { key: known } = await service.newKey()
  t.equal(await service.outcome(known), 'ok')
  const { key: late } = await service.newKey()
  service.control.isUnavailable = true
  service.pass(1)
  t.equal(await service.outcome(late), 'unavailable')
  t.equal(await service.outcome(known), 'ok')
  service.endSilence()
  t.equal(await service.outcome(late), 'ok')
})

test('keys are reread when that is asked for, right after a check for changes too', async (t) => {
  const service = new Service(t)
  const { key, id } = await service.newKey()
  t.equal(await service.outcome(key), 'ok')
  await revokeApiKey({ control: service.other, nowMs: NOW_MS, actor: CLI_ACTOR }, id)
  await service.credentials.readKeys()
  // From here on the node may confirm the revocation.
  service.control.isUnavailable = true
  service.pass(3_000)
  t.equal(await service.outcome(key), 'unavailable', 'its revocation is known')
})

test('one read of the keys serves all waiting requests', async (t) => {
  const service = new Service(t)
  const { key } = await service.newKey()
  t.equal(await service.outcome(key), 'ok')
  const { key: late } = await service.newKey()
  service.pass(1)
  const looks = service.control.lookCount
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => service.outcome(late)))
  t.same(new Set(outcomes), new Set(['ok']))
  t.equal(service.control.lookCount - looks, 1)
})

test('without contact, only tokens that were looked up before are accepted', async (t) => {
  const service = new Service(t)
  const [used, unused] = [await service.newToken(), await service.newToken()]
  t.equal(await service.outcome(used), 'ok')
  service.control.isUnavailable = true
  service.pass(1_500)
  t.equal(await service.outcome(used), 'ok', 'its look-up fails')
  t.equal(await service.outcome(unused), 'unavailable')
  service.pass(5_000)
  t.equal(await service.outcome(used), 'ok')
  t.equal(await service.outcome(unused), 'unavailable')
  service.pass(3_501)
  t.equal(await service.outcome(used), 'unavailable')
  service.endSilence()
  t.equal(await service.outcome(used), 'ok')
  t.equal(await service.outcome(unused), 'ok')
})

test('a token is looked up again after a renewal, and known through a silence', async (t) => {
  const service = new Service(t)
  const token = await service.newToken()
  t.equal(await service.outcome(token), 'ok')
  const looks = service.control.lookCount
  service.control.renewalCount += 1
  t.equal(await service.outcome(token), 'ok')
  t.equal(await service.outcome(token), 'ok')
  t.equal(service.control.lookCount, looks + 1)
  service.control.renewalCount += 1
  service.control.isUnavailable = true
  service.pass(3_000)
  t.equal(await service.outcome(token), 'ok')
})

test('without contact, no token is accepted after a change that was noticed', async (t) => {
  const service = new Service(t)
  const token = await service.newToken()
  t.equal(await service.outcome(token), 'ok')
  await service.endGrantOf(token)
  service.control.isUnavailable = true
  service.pass(1)
  t.equal(await service.outcome(token), 'unavailable')
  service.endSilence()
  t.equal(await service.outcome(token), 'unknown')
})

test('tokens in use are looked up again before a second has passed', async (t) => {
  const service = new Service(t)
  const token = await service.newToken()
  t.equal(await service.outcome(token), 'ok')
  const looks = service.control.lookCount
  service.pass(499)
  t.equal(await service.outcome(token), 'ok')
  t.equal(service.control.lookCount, looks)
  service.pass(1)
  for (let i = 0; i < 5; i += 1) t.equal(await service.outcome(token), 'ok')
  await new Promise((resolve) => setTimeout(resolve, 20))
  t.equal(service.control.lookCount, looks + 1, 'once, while requests are answered')
  service.pass(1_000)
  t.equal(await service.outcome(token), 'ok')
  t.equal(service.control.lookCount, looks + 2)
})

test('an unknown token is looked up once a second', async (t) => {
  const service = new Service(t)
  const unknown = createSecret('at-')
  t.equal(await service.outcome(unknown), 'unknown')
  const looks = service.control.lookCount
  t.equal(await service.outcome(unknown), 'unknown')
  t.equal(service.control.lookCount, looks)
  service.pass(1_000)
  t.equal(await service.outcome(unknown), 'unknown')
  t.equal(service.control.lookCount, looks + 1)
})
