import { test } from 'tap'
import { execute, rowsOf } from '../../fixtures/control-sql.js'
import { overFixtures } from '../../fixtures/oauth-fixture.js'

test(
  'a refresh token used twice revokes its family',
  overFixtures(async (t, fixture) => {
    const first = await fixture.newTokens()
    const second = await fixture.refresh(first['refresh_token'])
    t.equal(second.status, 200)
    const again = await fixture.refresh(first['refresh_token'])
    t.match(again, { status: 400, json: { error: 'invalid_grant' } })
    t.match(fixture.audit(2)[1], { action: 'token.reuse', outcome: 'refused' })
    t.equal(await fixture.readStatus(second.json['access_token']), 401)
    t.equal((await fixture.refresh(second.json['refresh_token'])).json['error'], 'invalid_grant')
    t.same(rowsOf(fixture.service.control, 'SELECT * FROM tokens'), [])
  }),
)

test(
  'a used refresh token revokes its family, whatever the requested scope',
  overFixtures(async (t, fixture) => {
    const first = await fixture.newTokens()
    const second = await fixture.refresh(first['refresh_token'])
    const again = await fixture.refresh(first['refresh_token'], { scope: 'none' })
    t.equal(again.json['error'], 'invalid_grant')
    t.equal(await fixture.readStatus(second.json['access_token']), 401)
  }),
)

test(
  'of twenty concurrent refreshes with one token, one succeeds',
  overFixtures(async (t, fixture) => {
    const tokens = await fixture.newTokens()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => fixture.refresh(tokens['refresh_token'])),
    )
    t.equal(replies.filter(({ status }) => status === 200).length, 1)
    t.equal(replies.filter(({ json }) => json['error'] === 'invalid_grant').length, 19)
    t.same(rowsOf(fixture.service.control, 'SELECT * FROM tokens'), [], 'and the family is revoked')
  }),
)

test(
  'scopes may be narrowed temporarily, and are limited to the current permissions',
  overFixtures(async (t, fixture) => {
    const { control } = fixture.service
    const all = 'transactions:read accounts:read'
    const first = await fixture.newTokens()
    t.equal(first['scope'], all)
    const narrow = await fixture.refresh(first['refresh_token'], { scope: 'accounts:read' })
    t.equal(narrow.json['scope'], 'accounts:read')
    t.equal(await fixture.readStatus(narrow.json['access_token']), 200)
    t.equal(await fixture.readStatus(narrow.json['access_token'], '/v1/w/transactions'), 401)
    const wide = await fixture.refresh(narrow.json['refresh_token'])
    t.equal(wide.json['scope'], all, 'the refresh token keeps the consented scopes')
    execute(control, "UPDATE clients SET scopes = 'transactions:read'")
    t.equal(await fixture.readStatus(wide.json['access_token']), 401, 'at once')
    const refused = await fixture.refresh(wide.json['refresh_token'], { scope: 'accounts:read' })
    t.equal(refused.json['error'], 'invalid_scope')
    const cut = await fixture.refresh(wide.json['refresh_token'])
    t.equal(cut.json['scope'], 'transactions:read')
    execute(control, "UPDATE integrations SET scopes = 'accounts:read'")
    const nothing = await fixture.refresh(cut.json['refresh_token'])
    t.equal(nothing.json['error'], 'invalid_scope')
  }),
)

test(
  'each refresh extends the lifetime of its family',
  overFixtures(async (t, fixture) => {
    const { service, integration } = fixture
    let { refresh_token: token } = await fixture.newTokens()
    for (let i = 0; i < 3; i++) {
      service.nowMs += integration.refreshMs - integration.accessMs - 1
      const { status, json } = await fixture.refresh(token)
      t.equal(status, 200)
      token = json['refresh_token']
      t.equal(await fixture.readStatus(json['access_token']), 200)
      service.nowMs += integration.accessMs
      t.equal(
        await fixture.readStatus(json['access_token']),
        401,
        'an access token is not extended',
      )
    }
  }),
)
