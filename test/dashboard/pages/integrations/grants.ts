import { test } from 'tap'
import { someClient, someIntegration, someTokens } from '../../../fixtures/control.js'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { wordsOf } from '../../../fixtures/page-visitor.js'
import { outcomeOf, START_MS } from '../../../fixtures/service.js'

test(
  'grants are listed and revoked',
  overOneDashboard(async (t, fixture) => {
    const { control } = fixture.service
    fixture.service.nowMs = START_MS
    const integration = await someIntegration(control)
    const created = await someClient(control, integration.id, { name: 'Tax adviser' })
    const { access, grantId } = await someTokens(control, created.client)
    const visitor = await fixture.signedIn()
    const url = `${fixture.url}/dashboard/integrations/${integration.id}/grants`
    const asked = async (): Promise<string> =>
      outcomeOf(await fixture.service.ask('/v1/w/accounts', { key: access }))
    t.equal(await asked(), '200')
    const page = await visitor.get(url)
    t.match(wordsOf(page), 'Tax adviser Active deleted operator')
    const none = await visitor.press(page, 'revoke', { grant: '99' })
    t.equal(none.status, 404)
    await visitor.press(page, 'revoke', { grant: String(grantId) })
    t.match(fixture.lastAuditEvent(), `grant.revoke ok ${grantId}`)
    t.equal(await asked(), '401 unauthorized')
    t.match(wordsOf(await visitor.get(url)), 'Tax adviser Revoked')
  }),
)
