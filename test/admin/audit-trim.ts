import { test } from 'tap'
import { isTrimGenuine, trimAudit } from '../../src/admin/audit-trim.js'
import { appendAudit } from '../../src/auth/audit.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { ACTOR, NOW_MS, newControl } from '../fixtures/control.js'

test('a trim entry is valid only as written and only in its own file', async (t) => {
  const control = await newControl(t)
  await control.atomically(() => appendAudit(ACTOR, NOW_MS, { action: 'token.issue' }))
  t.equal(
    await trimAudit({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, NOW_MS),
    undefined,
    'no entry is older',
  )
  t.match(await trimAudit({ control, nowMs: NOW_MS + 5, actor: CLI_ACTOR }, NOW_MS + 1), {
    rowCount: 1,
    last: 1,
  })
  const [row, another] = await control.look(() => listAuditRows({ limit: 9 }))
  t.equal(another, undefined)
  if (row === undefined) throw new Error('one row tells of the trim')
  t.match(JSON.parse(row.detail ?? ''), {
    ...{ rows: 1, last: 1, from: '2026-07-01T00:00:00.000Z', to: '2026-07-01T00:00:00.000Z' },
    actions: { 'token.issue': 1 },
  })
  t.ok(await isTrimGenuine({ control }, row))
  t.notOk(await isTrimGenuine({ control: await newControl(t) }, row))
  t.notOk(await isTrimGenuine({ control }, { ...row, actor: 'operator:mallory' }))
  t.notOk(await isTrimGenuine({ control }, { ...row, at: row.at + 1 }))
  for (const [part, other] of [
    ['"rows":1', '"rows":2'],
    ['"token.issue":1', '"token.issue":0'],
    ['"signature":"', '"signature":"x'],
    ['"signature":', '"sign":'],
  ] as const) {
    const detail = row.detail?.replace(part, other) ?? null
    t.not(detail, row.detail)
    t.notOk(await isTrimGenuine({ control }, { ...row, detail }), other)
  }
  t.notOk(await isTrimGenuine({ control }, { ...row, detail: null }))
})
