import { test } from 'tap'
import { appendAudit } from '../../src/auth/audit.js'
import { AUDIT_ACTIONS } from '../../src/domain/audit.js'
import { ACTOR, NOW_MS } from '../fixtures/control.js'
import { assertRefused, controlCommands } from '../fixtures/control-commands.js'

test('commands are audited, newest first', async (t) => {
  const { run, json } = await controlCommands(t)
  const bounds = ['--ip-allow', '10.0.0.0/8,::1', '--expires', '2027-01-01']
  await json('keys', 'create', '--workspace', 'w', '--name', 'books', ...bounds)
  await json('keys', 'revoke', '1')
  t.strictSame(await json('audit'), [
    {
      sequence: 2,
      at: '2026-07-01T00:00:00.000Z',
      actor: 'cli',
      action: 'api_key.revoke',
      outcome: 'ok',
      subject: '1',
      workspaceId: 'w',
    },
    {
      sequence: 1,
      at: '2026-07-01T00:00:00.000Z',
      actor: 'cli',
      action: 'api_key.create',
      outcome: 'ok',
      subject: '1',
      workspaceId: 'w',
      detail: {
        name: 'books',
        scopes: ['transactions:read', 'accounts:read'],
        accounts: 'all',
        expiresAt: '2027-01-01T00:00:00.000Z',
        ipAllow: ['10.0.0.0/8', '::1'],
      },
    },
  ])
  const [headings, first] = (await run(['audit'])).stdout.split('\n')
  t.match(headings, /^AT +OUTCOME +ACTOR +ACTION +SUBJECT +WORKSPACE +DETAIL$/)
  t.match(first, /^2026-07-01T00:00:00\.000Z +ok +cli +api_key\.revoke +1 +w +-$/)
})

test('filters select the matching entries', async (t) => {
  const { run, json, control } = await controlCommands(t)
  const tell = (atMs: number, workspaceId: string, outcome: 'ok' | 'refused'): Promise<void> =>
    control.atomically(() =>
      appendAudit(ACTOR, atMs, { action: 'token.issue', workspaceId, outcome }),
    )
  await tell(NOW_MS, 'w', 'ok')
  await tell(NOW_MS + 86_400_000, 'v', 'refused')
  await control.atomically(() =>
    appendAudit(ACTOR, NOW_MS, { action: 'session.begin', detail: { name: 'a\u202eb' } }),
  )
  const found = async (...words: string[]): Promise<number[]> =>
    ((await json('audit', ...words)) as { sequence: number }[]).map(({ sequence }) => sequence)
  t.same(await found(), [3, 2, 1])
  t.same(await found('--workspace', 'v'), [2])
  t.same(await found('--action', 'token.issue'), [2, 1])
  t.same(await found('--since', '2026-07-02'), [2])
  t.same(await found('--since', '2026-07-01', '--limit', '1'), [3])
  const [, first, second] = (await run(['audit'])).stdout.split('\n')
  t.equal(
    first?.replace(/ {2,}/g, '  '),
    '2026-07-01T00:00:00.000Z  ok  operator:anna@192.0.2.1  session.begin  -  -  {"name":"a�b"}',
  )
  t.match(second, /^2026-07-02T00:00:00\.000Z {2}refused {2}operator:anna@192\.0\.2\.1 {2}token/)
})

test('invalid filters are refused', async (t) => {
  const { run } = await controlCommands(t)
  await assertRefused(t, run, [
    [
      ['audit', '--action', 'token.isue'],
      2,
      /unknown action "token\.isue"; did you mean token\.issue\?/,
    ],
    [['audit', '--action', 'everything at all'], 2, /kontor audit --help lists them/],
    [['audit', '--since', 'yesterday'], 2, /--since "yesterday"/],
    [['audit', '--limit', '0'], 2, /--limit must be a whole number from 1/],
  ])
  const { stdout } = await run(['audit', '--help'])
  for (const action of AUDIT_ACTIONS) t.match(stdout, action)
})
