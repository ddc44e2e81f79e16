import { isNodeSupported, NODE_VERSIONS } from '../../node-version.js'
import { driverVersion } from '../../store/sqlite/sqlite-driver.js'
import type { DiagnosticStep } from '../diagnostic-run.js'
import { type Finding, failed, ok } from '../finding.js'

/** The program itself: invisible to callers, and the first question of an operator. */
export const PROGRAM_STEP: DiagnosticStep = {
  id: 'program',
  title: 'this Node.js version is supported',
  needs: [],
  check: checkProgram,
}

function checkProgram(): Finding {
  const { node } = process.versions
  const found = `Node.js ${node}, better-sqlite3 ${driverVersion()}`
  if (isNodeSupported(node)) return ok(found)
  return failed(found, `Install Node.js ${NODE_VERSIONS}.`)
}
