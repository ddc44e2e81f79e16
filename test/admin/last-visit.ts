import { test } from 'tap'
import { lastVisitMs } from '../../src/admin/last-visit.js'
import { appendAudit } from '../../src/auth/audit.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { NOW_MS, newControl } from '../fixtures/control.js'

const ADA = { operatorId: 1, operatorName: 'ada', beganAtMs: NOW_MS }

test('the last visit is the sign-in before the one of the session', async (t) => {
  const control = await newControl(t)
  const context = { control, nowMs: NOW_MS, actor: CLI_ACTOR }
  const signIn = async (
    at: number,
    subject: number,
    name: string,
    outcome: 'ok' | 'refused' = 'ok',
  ) => {
    const actor = { ...CLI_ACTOR, who: `operator:${name}` }
    await control.atomically(() =>
      appendAudit(actor, at, { action: 'session.begin', subject, outcome }),
    )
  }
  t.equal(await lastVisitMs(context, ADA), undefined)
  await signIn(NOW_MS - 9_000, 1, 'ada')
  await signIn(NOW_MS - 5_000, 1, 'ada')
  await signIn(NOW_MS - 4_000, 2, 'adam')
  await signIn(NOW_MS - 3_000, 3, 'ada')
  await signIn(NOW_MS - 2_000, 1, 'ada', 'refused')
  await control.atomically(() =>
    appendAudit({ ...CLI_ACTOR, who: 'operator:ada' }, NOW_MS - 1_000, {
      action: 'session.end',
      subject: 1,
    }),
  )
  await signIn(NOW_MS, 1, 'ada')
  await signIn(NOW_MS + 7_000, 1, 'ada')
  t.equal(await lastVisitMs(context, ADA), NOW_MS - 5_000)
  t.equal(await lastVisitMs(context, { ...ADA, beganAtMs: NOW_MS + 7_000 }), NOW_MS)
  t.equal(
    await lastVisitMs(context, { ...ADA, beganAtMs: NOW_MS - 9_000 }),
    undefined,
    'the first one',
  )
})
