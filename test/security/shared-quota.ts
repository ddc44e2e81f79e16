// Regression: a refresh gave a new quota.
import { test } from 'tap'
import { overFixtures } from '../fixtures/oauth-fixture.js'

test(
  'all tokens of a program have one quota',
  overFixtures(
    async (t, fixture) => {
      let tokens = await fixture.newTokens()
      t.equal(await fixture.readStatus(tokens['access_token']), 200)
      t.equal(await fixture.readStatus(tokens['access_token']), 200)
      for (let i = 0; i < 3; i++) {
        tokens = (await fixture.refresh(tokens['refresh_token'])).json
        t.equal(await fixture.readStatus(tokens['access_token']), 429, 'a refresh gives no new one')
      }
      const others = await fixture.newTokens()
      t.equal(await fixture.readStatus(others['access_token']), 429, 'nor does another grant')
      const client_id = (await fixture.newClient()).client.id
      const code = await fixture.newCode({ client_id })
      const another = (await fixture.exchange(code, { client_id })).json
      t.equal(await fixture.readStatus(another['access_token']), 200, 'another program has its own')
    },
    { service: { requestsPerMinute: 2 } },
  ),
)
