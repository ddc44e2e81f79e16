// Workload: identification of a caller by an API key, by a recently used token, by any of the live
// tokens and by an unknown one; and refreshes, each with its commit. In process, one after the
// other. auth-reads.ts measures how reads slow down while the token endpoint is busy.
// Data: control.db with 100,000 families of an access and a refresh token each, of one client.
// Read: microseconds per check and per refresh; there is no floor and no peer.
// Run: npm run bench -- auth
import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiKey } from '../src/admin/api-keys.js'
import { createClient } from '../src/admin/clients.js'
import { createIntegration } from '../src/admin/integrations.js'
import { Credentials } from '../src/auth/credentials.js'
import { createSecret, hashOfSecret } from '../src/auth/secret.js'
import { randomOf } from '../src/demo/random.js'
import { CLI_ACTOR } from '../src/domain/audit.js'
import { SCOPES } from '../src/domain/key-scope.js'
import { ACCESS_TOKEN_MS_MAX, REFRESH_TOKEN_MS_MAX } from '../src/limits.js'
import { insertGrantWithCode } from '../src/store/grant-rows.js'
import { CheckpointScheduler } from '../src/store/sqlite/checkpoint-scheduler.js'
import { ControlFile } from '../src/store/sqlite/control-file.js'
import { issueTokenPair, type NewTokenPair, rotateRefresh } from '../src/store/token-rows.js'
import { CheckpointPool } from '../src/threads/checkpoint-pool.js'
import { shown, table, targetTable } from './report.js'
import { type Quantiles, quantilesOf } from './statistics.js'

const WORKSPACE_ID = 'w'
const SCOPE = SCOPES.join(' ')
/** Redirect URI of the client. */
export const REDIRECT_URI = 'https://app.example.org/cb'

const CALLER = { remoteAddress: '127.0.0.1' }

/** Amounts of data and of checks. */
interface AuthOptions {
  readonly tokenCount: number
  /** Checks of each kind. */
  readonly checkCount: number
  readonly refreshCount: number
  readonly seed: number
}

/** Microseconds of each check and refresh. */
export interface AuthFigures {
  readonly tokenCount: number
  readonly apiKey: Quantiles
  readonly sameToken: Quantiles
  readonly anyToken: Quantiles
  readonly unknownToken: Quantiles
  readonly refresh: Quantiles
}

/** Tokens of one consent. */
export interface Family {
  readonly access: string
  readonly refresh: string
}

/** Measures over a new control.db and deletes it at the end. */
export async function measureAuth(options: AuthOptions): Promise<AuthFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-auth-'))
  const control = ControlFile.open(join(folder, 'control.db'), 'service')
  const pool = new CheckpointPool()
  const log = new CheckpointScheduler({
    control,
    checkpoint: (path, pagesLeftMax) => pool.checkpoint(path, pagesLeftMax),
    onFault: (error) => {
      throw error
    },
  })
  log.begin()
  try {
    return await measureOn(control, options)
  } finally {
    await log.end()
    await pool.close()
    control.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureOn(control: ControlFile, options: AuthOptions): Promise<AuthFigures> {
  const { tokenCount, checkCount, refreshCount, seed } = options
  const nowMs = Date.now()
  const { families } = await makeFamilies(control, WORKSPACE_ID, tokenCount)
  const input = { workspaceId: WORKSPACE_ID, name: 'n', scopes: SCOPES, accountIds: null }
  const { key } = await createApiKey(
    { control, nowMs, actor: CLI_ACTOR },
    { ...input, expiresAtMs: null },
  )
  const clocks = { clock: () => Date.now(), ticks: () => performance.now() }
  const credentials = new Credentials(control, clocks)
  const random = randomOf(seed)
  const check = (
    secretOf: (i: number) => string,
    expected: string | undefined,
  ): Promise<Quantiles> =>
    timed(checkCount, (i) => {
      const access = credentials.forRest(secretOf(i), CALLER)
      assert.ok(!(access instanceof Promise), 'SQLite answers at once')
      assert.equal(access?.workspaceId, expected)
    })
  const chosen = Array.from({ length: checkCount }, () => families[random.below(tokenCount)]!)
  const unknown = Array.from({ length: checkCount }, () => createSecret('at-'))
  return {
    tokenCount,
    apiKey: await check(() => key, WORKSPACE_ID),
    sameToken: await check(() => families[0]!.access, WORKSPACE_ID),
    anyToken: await check((i) => chosen[i]!.access, WORKSPACE_ID),
    unknownToken: await check((i) => unknown[i]!, undefined),
    refresh: await timed(refreshCount, async (i) => {
      const { row } = newPair(nowMs)
      const hash = hashOfSecret(families[i]!.refresh)
      assert.equal(await control.atomically(() => rotateRefresh(hash, row, nowMs)), 'rotated')
    }),
  }
}

/** Microseconds of each call; the first tenth warms up. Timers run from time to time. */
async function timed(count: number, call: (i: number) => void | Promise<void>): Promise<Quantiles> {
  const durations: number[] = []
  for (let i = 0; i < count; i++) {
    if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
    const startedMs = performance.now()
    const called = call(i)
    if (called instanceof Promise) await called
    durations.push((performance.now() - startedMs) * 1_000)
  }
  return quantilesOf(durations.slice(Math.floor(count / 10)))
}

/** An integration, its one client, and the tokens issued to it. */
export interface Families {
  readonly integrationId: string
  readonly clientId: string
  readonly families: readonly Family[]
}

/** Creates `count` consents, each with a pair of long-lived tokens. */
export async function makeFamilies(
  control: ControlFile,
  workspaceId: string,
  count: number,
): Promise<Families> {
  const nowMs = Date.now()
  const input = { workspaceId, name: 'bench', scopes: SCOPES } as const
  const limits = { kind: 'oauth2', accountIds: null, tools: null } as const
  const { id } = await createIntegration(
    { control, nowMs, actor: CLI_ACTOR },
    { ...input, ...limits },
  )
  const redirectUris = [REDIRECT_URI]
  const app = { integrationId: id, name: 'app', type: 'public', redirectUris } as const
  const parts = { ...app, scopes: SCOPES, registered: 'operator' } as const
  const { client } = await createClient({ control, nowMs, actor: CLI_ACTOR }, parts)
  const grant = {
    clientId: client.id,
    integrationId: id,
    operatorId: null,
    scope: SCOPE,
    resource: null,
    createdAt: nowMs,
    redirectUri: REDIRECT_URI,
    challenge: 'c'.repeat(43),
    codeExpiresAt: nowMs + 60_000,
  }
  const families = await control.atomically(function* () {
    const made: Family[] = []
    while (made.length < count) {
      const codeHash = hashOfSecret(createSecret('ac-'))
      const { row, ...family } = newPair(nowMs)
      yield* issueTokenPair(yield* insertGrantWithCode({ ...grant, codeHash }), row)
      made.push(family)
    }
    return made
  })
  return { integrationId: id, clientId: client.id, families }
}

function newPair(nowMs: number): Family & { readonly row: NewTokenPair } {
  const [access, refresh] = [createSecret('at-'), createSecret('rt-')]
  const row = {
    accessHash: hashOfSecret(access),
    refreshHash: hashOfSecret(refresh),
    accessScope: SCOPE,
    refreshScope: SCOPE,
    createdAt: nowMs,
    accessExpiresAt: nowMs + ACCESS_TOKEN_MS_MAX,
    refreshExpiresAt: nowMs + REFRESH_TOKEN_MS_MAX,
  }
  return { access, refresh, row }
}

/** The figures as Markdown. */
export function reportAuth(figures: AuthFigures): string {
  const rowOf = (name: string, { p50, p99 }: Quantiles): string[] => [name, shown(p50), shown(p99)]
  const live = `${figures.tokenCount} live`
  const rows = [
    rowOf('API key', figures.apiKey),
    rowOf('access token, used before', figures.sameToken),
    rowOf(`access token, any of ${live}`, figures.anyToken),
    rowOf('unknown access token', figures.unknownToken),
    rowOf('refresh', figures.refresh),
  ]
  const target = (what: string, { p50 }: Quantiles, bound: number) =>
    ({ what: `${what}, p50`, measured: p50, unit: 'µs', bound, direction: 'at most' }) as const
  const targets = [
    target('bearer check', figures.anyToken, 15),
    target('refresh', figures.refresh, 500),
  ]
  return `${table(['', 'p50 µs', 'p99 µs'], rows)}\n\n${targetTable(targets)}`
}
