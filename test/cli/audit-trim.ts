import { test } from 'tap'
import { appendAudit } from '../../src/auth/audit.js'
import { ACTOR, NOW_MS } from '../fixtures/control.js'
import { assertRefused, controlCommands } from '../fixtures/control-commands.js'
import { execute } from '../fixtures/control-sql.js'

const DAY_MS = 86_400_000

test('the oldest entries are removed, and the trim is logged', async (t) => {
  const { run, json, control } = await controlCommands(t)
  for (let day = 3; day > 0; day--) {
    await control.atomically(() =>
      appendAudit(ACTOR, NOW_MS - day * DAY_MS, { action: 'token.issue' }),
    )
  }
  const words = ['audit', 'trim', '--before', '2026-06-30']
  t.strictSame(await json(...words), { rows: 2, actions: { 'token.issue': 2 } })
  t.match(await json('audit'), [
    {
      ...{ sequence: 4, at: '2026-07-01T00:00:00.000Z', actor: 'cli', action: 'audit.trim' },
      detail: { before: '2026-06-30T00:00:00.000Z', rows: 2, last: 2, signature: /^\w{64}$/ },
    },
    { sequence: 3, action: 'token.issue' },
  ])
  t.strictSame(await json(...words), { rows: 0 })
  const { stdout } = await run(['audit', 'trim', '--before', '2026-07-01'])
  t.equal(stdout, 'removed 1 entry from before 2026-07-01T00:00:00.000Z\n')
})

test('a forged trim entry gives a warning', async (t) => {
  const { run, control } = await controlCommands(t)
  const detail = '{"rows":1,"last":0,"signature":"00"}'
  const columns =
    "(at, actor, action, outcome, detail) VALUES (0, 'cli', 'audit.trim', 'ok', @detail)"
  await execute(control, `INSERT INTO audit ${columns}`, { detail })
  const { stderr } = await run(['audit'])
  t.equal(stderr, 'warning: entry 1 was not written by kontor: its signature is invalid\n')
})

test('a trim requires a day in the past', async (t) => {
  const { run } = await controlCommands(t)
  await assertRefused(t, run, [
    [['audit', 'trim'], 2, /--before/],
    [['audit', 'trim', '--before', 'yesterday'], 2, /--before "yesterday": a day such as/],
    [['audit', 'trim', '--before', '2026-07-02'], 2, /--before 2026-07-02 is in the future/],
    [['audit', 'cut'], 2, /./],
  ])
  t.match((await run(['audit', 'trim', '--help'])).stdout, /kontor audit trim --before 2026-01-01/)
  t.match((await run(['audit', '--help'])).stdout, /kontor audit trim --before D removes/)
})
