import { test } from 'tap'
import { PROGRAM_STEP } from '../../../src/doctor/steps/program.js'
import type { Walk } from '../../../src/doctor/walk.js'

test('the first step names Node.js and the SQLite binding', async (t) => {
  const finding = await PROGRAM_STEP.look({} as Walk)
  t.equal(finding.outcome, 'ok')
  t.match(finding.came, `Node.js ${process.versions.node}, better-sqlite3 1`)
})
