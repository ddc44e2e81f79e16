import { test } from 'tap'
import { deactivateIntegration } from '../../../../src/admin/integrations.js'
import { DiagnosticReports } from '../../../../src/dashboard/diagnostic-reports.js'
import { CLI_ACTOR } from '../../../../src/domain/audit.js'
import { someIntegration } from '../../../fixtures/control.js'
import { rowsOf } from '../../../fixtures/control-sql.js'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { ECHO_TOOL } from '../../../fixtures/mcp-fixture.js'
import { wordsOf } from '../../../fixtures/page-visitor.js'

test(
  'the doctor runs, and each step is shown with its remedy',
  overOneDashboard(
    async (t, fixture) => {
      const { control } = fixture.service
      const { id } = await someIntegration(control, { kind: 'mcp', name: 'Agent' })
      const visitor = await fixture.signedIn()
      const url = `${fixture.url}/dashboard/integrations/${id}/test`
      const examined = async (): Promise<string> => {
        await visitor.press(await visitor.get(url), 'examine')
        await fixture.service.until(
          async () => !(await visitor.get(url)).text.includes('data-refresh'),
        )
        return wordsOf(await visitor.get(url))
      }
      const first = await examined()
      t.match(first, 'Run the test again')
      t.match(first, 'GET http://127.0.0.1')
      // The test's clock differs from the machine's: the only fault that the doctor may find.
      const faults = first.match(/failed/g) ?? []
      t.ok(faults.length <= 4, first)
      await deactivateIntegration({ control, nowMs: fixture.service.nowMs, actor: CLI_ACTOR }, id)
      const second = await examined()
      t.match(second, /\d+ steps? failed\. A client would stop at the first/)
      t.match(second, 'kontor integrations activate')
      t.same(rowsOf(control, 'SELECT * FROM clients'), [], 'its temporary credentials are deleted')
    },
    { service: { tools: [ECHO_TOOL] } },
  ),
)

test('one run at a time, and its end is shown', async (t) => {
  const diagnosticReports = new DiagnosticReports()
  const control = {
    look(): never {
      throw new Error('the file is gone')
    },
  }
  const integration = { id: 'i' }
  const options = { control, integration, baseUrl: 'http://127.0.0.1:1', clock: () => 5 } as never
  t.equal(diagnosticReports.of('i'), undefined)
  const first = diagnosticReports.begin(options)
  const begun = diagnosticReports.of('i')
  t.match(begun, { beganMs: 5, isOver: false })
  const second = diagnosticReports.begin(options)
  t.equal(diagnosticReports.of('i'), begun, 'not restarted')
  await Promise.all([first, second])
  t.match(diagnosticReports.of('i'), { isOver: true, fault: 'the file is gone' })
})
