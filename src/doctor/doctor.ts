import { issuerUrl, resourceUrl } from '../auth/issuer-url.js'
import { findIntegration } from '../store/integration-rows.js'
import { StoreError } from '../store/store-error.js'
import type { DiagnosticRun, DiagnosticStep, DoctorOptions } from './diagnostic-run.js'
import { type Finding, failed, type StepResult, skipped } from './finding.js'
import { NoAnswer } from './request.js'
import { stepsOf } from './steps/step-list.js'

/**
 * Acts as a new client against a running server, over HTTP: from the integration's address through
 * discovery, registration and sign-in to an answer. The client, grant and key that it creates are
 * removed when the diagnostic run ends, also when it ends early.
 * @throws StoreError
 */
export async function* runDoctor(options: DoctorOptions): AsyncGenerator<StepResult, void> {
  const { baseUrl, control } = options
  const integration = await control.look(() => findIntegration(options.integration.id))
  if (integration === undefined) throw new StoreError('the integration was deleted')
  const { kind, workspaceId, id: integrationId } = integration
  const place = { kind, workspaceId, integrationId }
  const run: DiagnosticRun = {
    ...{ ...options, integration },
    issuer: issuerUrl(baseUrl, place),
    resource: resourceUrl(baseUrl, place),
    facts: {},
    undoings: [],
  }
  const results = new Map<string, StepResult>()
  try {
    for (const step of stepsOf(kind)) {
      const { id, title } = step
      const result = { id, title, ...(await findingOf(step, run, results)) }
      results.set(id, result)
      yield result
    }
  } finally {
    for (const undo of run.undoings.reverse()) await undo()
  }
}

async function findingOf(
  step: DiagnosticStep,
  run: DiagnosticRun,
  results: ReadonlyMap<string, StepResult>,
): Promise<Finding> {
  const missing = step.needs.map((id) => results.get(id)).find((result) => result?.outcome !== 'ok')
  if (missing !== undefined)
    return skipped(`needs an earlier step that did not succeed: ${missing.title}`)
  try {
    return await step.check(run)
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return failed(error.observed, error.fix, error.request)
  }
}
