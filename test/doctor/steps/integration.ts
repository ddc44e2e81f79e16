import { writeFileSync } from 'node:fs'
import { test } from 'tap'
import { deactivateIntegration, type NewIntegration } from '../../../src/admin/integrations.js'
import { CLI_ACTOR } from '../../../src/domain/audit.js'
import { deleteWorkspaceFile } from '../../../src/store/data-directory.js'
import { DoctorFixture } from '../../fixtures/doctor-fixture.js'
import { SAMPLE } from '../../fixtures/sample-workspace.js'

const FAULTS: readonly (readonly [
  options: Partial<NewIntegration>,
  observed: RegExp,
  fix: RegExp,
])[] = [
  [{ accountIds: [] }, /none of its selected accounts exists/, /right --accounts/],
  [{ accountIds: [9_999] }, /none of its selected accounts exists/, /right --accounts/],
  [{ scopes: [] }, /without scopes/, /right .*--scopes/],
  [{ kind: 'mcp', tools: [] }, /without tools/, /--tools/],
  [{ workspaceId: 'gone' }, /which has no file/, /Restore the workspace file/],
  [
    { workspaceUid: 'other' },
    /created for a workspace file that/,
    /Restore the original file, or create a new/,
  ],
  [{ workspaceId: 'empty' }, /which has no accounts/, /kontor import --workspace empty/],
  [{ workspaceId: 'broken' }, /whose file cannot be read/, /kontor workspaces list/],
]

test('missing rows of the data directory are reported before any request', async (t) => {
  const doctor = await DoctorFixture.open(t)
  const { service } = doctor.fixture
  await service.write('empty', { ...SAMPLE, accounts: [], transactions: [] })
  await service.write('broken', SAMPLE)
  deleteWorkspaceFile(service.directory, 'broken')
  writeFileSync(service.pathOf('broken'), 'no database')
  for (const [options, observed, fix] of FAULTS) {
    const integration = await doctor.fixture.newIntegration(options)
    const [, first, ...others] = await doctor.run({ integration })
    t.match(first, { id: 'integration', outcome: 'failed', observed, fix })
    t.same(new Set(others.map(({ outcome }) => outcome)), new Set(['skipped']))
  }
})

test('an inactive integration is reported', async (t) => {
  const doctor = await DoctorFixture.open(t)
  const { integration, service } = doctor.fixture
  const { control, nowMs } = service
  await deactivateIntegration({ control, nowMs, actor: CLI_ACTOR }, integration.id)
  t.match(await doctor.findings(), {
    integration: {
      outcome: 'failed',
      observed: /inactive: all its addresses answer 404/,
      fix: `Activate it with kontor integrations activate ${integration.id}.`,
    },
  })
})

test('the permissions are reported', async (t) => {
  const doctor = await DoctorFixture.open(t)
  const { integration } = await doctor.findings()
  t.match(integration, {
    outcome: 'ok',
    observed: /^oauth2 .* workspace w, active: accounts all; transactions:read accounts:read$/,
  })
  const one = { kind: 'mcp', accountIds: [1], tools: ['get_accounts'] } as const
  const findings = await doctor.findings({ integration: await doctor.fixture.newIntegration(one) })
  t.match(findings['integration'], { observed: /accounts 1; .*; get_accounts$/ })
})
