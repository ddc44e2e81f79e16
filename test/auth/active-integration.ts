import { test } from 'tap'
import { activateIntegration, deactivateIntegration } from '../../src/admin/integrations.js'
import { findActiveIntegration } from '../../src/auth/active-integration.js'
import { done } from '../../src/store/work.js'
import { ACTOR, NOW_MS, newControl, someIntegration } from '../fixtures/control.js'

test('an integration is found only under its own id, and only while it is active', async (t) => {
  const control = await newControl(t)
  const integration = await someIntegration(control)
  const source = { workspaceExists: () => done(true) }
  const place = { workspaceId: 'w', kind: 'oauth2', integrationId: integration.id } as const
  t.same(await control.look(() => findActiveIntegration(source, place)), integration)
  t.equal(
    await control.look(() => findActiveIntegration(source, { ...place, workspaceId: 'v' })),
    undefined,
  )
  t.equal(
    await control.look(() => findActiveIntegration(source, { ...place, kind: 'mcp' })),
    undefined,
  )
  t.equal(
    await control.look(() => findActiveIntegration(source, { ...place, integrationId: 'x' })),
    undefined,
  )
  t.equal(
    await control.look(() => findActiveIntegration({ workspaceExists: () => done(false) }, place)),
    undefined,
  )
  await deactivateIntegration({ control, nowMs: NOW_MS, actor: ACTOR }, integration.id)
  t.equal(await control.look(() => findActiveIntegration(source, place)), undefined)
  await activateIntegration({ control, nowMs: NOW_MS, actor: ACTOR }, integration.id)
  t.equal((await control.look(() => findActiveIntegration(source, place)))?.id, integration.id)
})
