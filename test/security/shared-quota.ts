// Finding 13: a refresh brought a new quota.
import { test } from 'tap'
import { overDesks } from '../fixtures/oauth-desk.js'

test(
  'all tokens of a program have one quota',
  overDesks(
    async (t, desk) => {
      let tokens = await desk.newTokens()
      t.equal(await desk.readStatus(tokens['access_token']), 200)
      t.equal(await desk.readStatus(tokens['access_token']), 200)
      for (let i = 0; i < 3; i++) {
        tokens = (await desk.refresh(tokens['refresh_token'])).json
        t.equal(await desk.readStatus(tokens['access_token']), 429, 'a refresh brings no other')
      }
      const others = await desk.newTokens()
      t.equal(await desk.readStatus(others['access_token']), 429, 'nor does another grant')
      const client_id = desk.newClient().client.id
      const code = await desk.newCode({ client_id })
      const another = (await desk.exchange(code, { client_id })).json
      t.equal(await desk.readStatus(another['access_token']), 200, 'another program has its own')
    },
    { service: { requestsPerMinute: 2 } },
  ),
)
