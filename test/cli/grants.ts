import { test } from 'tap'
import { findGrant } from '../../src/store/grant-rows.js'
import { insertOperator } from '../../src/store/operator-rows.js'
import { NOW_MS, someClient, someIntegration, someTokens } from '../fixtures/control.js'
import { assertRefused, controlCommands } from '../fixtures/control-commands.js'
import { execute } from '../fixtures/control-sql.js'
import { overFixtures } from '../fixtures/oauth-fixture.js'
import { runHere } from '../fixtures/terminal.js'

test('grants are listed and revoked', async (t) => {
  const { run, json, control } = await controlCommands(t)
  const here = await someIntegration(control)
  const { client } = await someClient(control, here.id)
  const { grantId } = await someTokens(control, client)
  const operatorId = await control.atomically(() =>
    insertOperator({ name: 'anna', password: '$scrypt$x', createdAt: 0 }),
  )
  await execute(control, 'UPDATE grants SET operator_id = @operatorId', { operatorId })
  const listed = {
    ...{ id: grantId, workspaceId: 'w', integrationId: here.id, clientId: client.id },
    ...{ clientName: 'app', operator: 'anna', scopes: ['transactions:read', 'accounts:read'] },
    ...{ state: 'active', createdAt: '2026-07-01T00:00:00.000Z' },
    expiresAt: '2026-07-01T01:00:00.000Z',
  }
  t.strictSame(await json('grants', 'list'), [listed])
  t.strictSame(await json('grants', 'list', '--workspace', 'w', '--integration', here.id), [listed])
  t.strictSame(await json('grants', 'list', '--workspace', 'v'), [])
  const [headings, line] = (await run(['grants', 'list'])).stdout.split('\n')
  t.match(
    headings,
    /^ID +WORKSPACE +STATE +GRANTED +OPERATOR +SCOPES +LAST CHANGE +CLIENT_ID +CLIENT$/,
  )
  const words = [grantId, 'w', 'active', listed.createdAt, 'anna', listed.scopes.join(',')]
  const cells = [...words, 'never refreshed', client.id, 'app']
  t.equal(line?.replace(/ {2,}/g, '  '), cells.join('  '))
  const later = await run(['grants', 'list', '--json'], { clock: () => NOW_MS + 3_600_000 })
  t.match(JSON.parse(later.stdout), [{ state: 'expired' }])
  t.strictSame(await json('grants', 'revoke', `${grantId}`), { id: grantId })
  t.equal((await control.look(() => findGrant(grantId)))?.revokedAt, NOW_MS)
  const again = await run(['grants', 'revoke', `${grantId}`])
  t.strictSame(again, { code: 0, stdout: `grant ${grantId} is revoked\n`, stderr: '' })
  const revokedAt = '2026-07-01T00:00:00.000Z'
  t.strictSame(await json('grants', 'list'), [{ ...listed, state: 'revoked', revokedAt }])
  await assertRefused(t, run, [
    [['grants', 'revoke', '99'], 1, /there is no grant 99; kontor grants list shows all/],
    [['grants', 'revoke', 'x'], 2, /x is not a valid grant id; kontor grants list shows/],
    [['grants', 'revoke'], 2, /ID is missing/],
  ])
})

test(
  'a grant revoked by a command is invalid from the next request on',
  overFixtures(async (t, fixture) => {
    const tokens = await fixture.newTokens()
    t.equal(await fixture.readStatus(tokens['access_token']), 200)
    const dataDir = ['--data-dir', fixture.service.directory.path]
    const listed = await runHere(['grants', 'list', '--json', ...dataDir])
    const [grant] = JSON.parse(listed.stdout) as { id: number; operator: string }[]
    t.equal(grant?.operator, 'ada')
    t.match(await runHere(['grants', 'revoke', `${grant?.id}`, ...dataDir]), { code: 0 })
    t.equal(await fixture.readStatus(tokens['access_token']), 401)
    const refused = await fixture.refresh(tokens['refresh_token'])
    t.match(refused, { status: 400, json: { error: 'invalid_grant' } })
  }),
)
