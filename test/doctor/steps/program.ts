import { test } from 'tap'
import type { DiagnosticRun } from '../../../src/doctor/diagnostic-run.js'
import { PROGRAM_STEP } from '../../../src/doctor/steps/program.js'

test('the first step names Node.js and the SQLite binding', async (t) => {
  const finding = await PROGRAM_STEP.check({} as DiagnosticRun)
  t.equal(finding.outcome, 'ok')
  t.match(finding.observed, `Node.js ${process.versions.node}, better-sqlite3 1`)
})
