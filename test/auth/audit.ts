import { test } from 'tap'
import { AUDIT_TEXT_CHARS_MAX, appendAudit } from '../../src/auth/audit.js'
import { createSecret } from '../../src/auth/secret.js'
import { AUDIT_ACTIONS, CLI_ACTOR } from '../../src/domain/audit.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { ACTOR, NOW_MS, newControl } from '../fixtures/control.js'

test('an audit event is stored with actor, time, action and address', async (t) => {
  const control = await newControl(t)
  await control.atomically(() =>
    appendAudit(ACTOR, NOW_MS, {
      action: 'consent.decide',
      subject: 7,
      workspaceId: 'w',
      integrationId: 'i',
      outcome: 'refused',
      detail: { clientId: 'c', scopes: ['accounts:read'], isNew: true, resource: null },
    }),
  )
  await control.atomically(() => appendAudit(CLI_ACTOR, NOW_MS + 1, { action: 'session.end' }))
  t.strictSame(await control.look(() => listAuditRows({ limit: 9 })), [
    {
      sequence: 2,
      at: NOW_MS + 1,
      actor: 'cli',
      action: 'session.end',
      subject: null,
      workspaceId: null,
      integrationId: null,
      fromAddress: null,
      requestId: null,
      outcome: 'ok',
      detail: null,
    },
    {
      sequence: 1,
      at: NOW_MS,
      actor: 'operator:anna',
      action: 'consent.decide',
      subject: '7',
      workspaceId: 'w',
      integrationId: 'i',
      fromAddress: '192.0.2.1',
      requestId: 'request-1',
      outcome: 'refused',
      detail: '{"clientId":"c","scopes":["accounts:read"],"isNew":true,"resource":null}',
    },
  ])
})

test('an audit event is stored without credentials, and its long texts are cut', async (t) => {
  const control = await newControl(t)
  const secrets = (['sk-', 'mcp-', 'at-', 'rt-', 'ac-', 'cs-'] as const).map(createSecret)
  for (const secret of secrets) {
    await control.atomically(() =>
      appendAudit({ who: secret, address: null, requestId: `x ${secret}` }, NOW_MS, {
        action: 'client.create',
        subject: secret,
        detail: { name: `my ${secret}!`, redirectUris: [`https://a.example/?${secret}`] },
      }),
    )
  }
  const long = 'x'.repeat(AUDIT_TEXT_CHARS_MAX + 1)
  await control.atomically(() =>
    appendAudit(CLI_ACTOR, NOW_MS, { action: 'client.create', detail: { name: long } }),
  )
  const text = JSON.stringify(await control.look(() => listAuditRows({ limit: 99 })))
  for (const secret of secrets) t.notMatch(text, secret.slice(4), 'no part of it remains')
  t.match(text, 'my sk-…!')
  t.notMatch(text, long)
})

test('the names of actions are distinct', async (t) => {
  t.equal(new Set(AUDIT_ACTIONS).size, AUDIT_ACTIONS.length)
  for (const action of AUDIT_ACTIONS) t.match(action, /^[a-z]+(_[a-z]+)?\.[a-z]+$/)
})
