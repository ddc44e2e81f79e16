import { test } from 'tap'
import { overDesks } from '../../fixtures/oauth-desk.js'

test(
  'a refresh token that is used twice ends its family',
  overDesks(async (t, desk) => {
    const first = await desk.newTokens()
    const second = await desk.refresh(first['refresh_token'])
    t.equal(second.status, 200)
    const again = await desk.refresh(first['refresh_token'])
    t.match(again, { status: 400, json: { error: 'invalid_grant' } })
    t.match(desk.audit(2)[1], { action: 'token.reuse', outcome: 'refused' })
    t.equal(await desk.readStatus(second.json['access_token']), 401)
    t.equal((await desk.refresh(second.json['refresh_token'])).json['error'], 'invalid_grant')
    t.same(desk.service.control.all('SELECT * FROM tokens'), [])
  }),
)

test(
  'a used refresh token ends its family, whatever scope is asked for with it',
  overDesks(async (t, desk) => {
    const first = await desk.newTokens()
    const second = await desk.refresh(first['refresh_token'])
    const again = await desk.refresh(first['refresh_token'], { scope: 'none' })
    t.equal(again.json['error'], 'invalid_grant')
    t.equal(await desk.readStatus(second.json['access_token']), 401)
  }),
)

test(
  'of twenty who refresh with one token at once, one wins',
  overDesks(async (t, desk) => {
    const tokens = await desk.newTokens()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => desk.refresh(tokens['refresh_token'])),
    )
    t.equal(replies.filter(({ status }) => status === 200).length, 1)
    t.equal(replies.filter(({ json }) => json['error'] === 'invalid_grant').length, 19)
    t.same(desk.service.control.all('SELECT * FROM tokens'), [], 'and the family has ended')
  }),
)

test(
  'scopes may be narrowed for a while, and are cut to what is permitted now',
  overDesks(async (t, desk) => {
    const { control } = desk.service
    const all = 'transactions:read accounts:read'
    const first = await desk.newTokens()
    t.equal(first['scope'], all)
    const narrow = await desk.refresh(first['refresh_token'], { scope: 'accounts:read' })
    t.equal(narrow.json['scope'], 'accounts:read')
    t.equal(await desk.readStatus(narrow.json['access_token']), 200)
    t.equal(await desk.readStatus(narrow.json['access_token'], '/v1/w/transactions'), 401)
    const wide = await desk.refresh(narrow.json['refresh_token'])
    t.equal(wide.json['scope'], all, 'the refresh token has kept what was consented to')
    control.run("UPDATE clients SET scopes = 'transactions:read'")
    t.equal(await desk.readStatus(wide.json['access_token']), 401, 'at once')
    const refused = await desk.refresh(wide.json['refresh_token'], { scope: 'accounts:read' })
    t.equal(refused.json['error'], 'invalid_scope')
    const cut = await desk.refresh(wide.json['refresh_token'])
    t.equal(cut.json['scope'], 'transactions:read')
    control.run("UPDATE integrations SET scopes = 'accounts:read'")
    const nothing = await desk.refresh(cut.json['refresh_token'])
    t.equal(nothing.json['error'], 'invalid_scope')
  }),
)

test(
  'the life of a family slides with its refreshes',
  overDesks(async (t, desk) => {
    const { service, integration } = desk
    let { refresh_token: token } = await desk.newTokens()
    for (let i = 0; i < 3; i++) {
      service.nowMs += integration.refreshMs - integration.accessMs - 1
      const { status, json } = await desk.refresh(token)
      t.equal(status, 200)
      token = json['refresh_token']
      t.equal(await desk.readStatus(json['access_token']), 200)
      service.nowMs += integration.accessMs
      t.equal(await desk.readStatus(json['access_token']), 401, 'an access token does not last')
    }
  }),
)
