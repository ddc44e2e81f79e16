import { issuerUrl, resourceUrl } from '../auth/issuer-url.js'
import { NoAnswer } from './ask.js'
import { type Finding, failed, type StepResult, skipped } from './finding.js'
import { stepsOf } from './steps.js'
import type { DoctorOptions, Step, Walk } from './walk.js'

/**
 * Walks the way of a client that has never been here, against a running server, over HTTP: from the
 * integration's address through discovery, registration and signing in to an answer. What it makes
 * for that, a client, a grant, a key, is removed when the walk ends, also before its end.
 * @throws StoreError
 */
export async function* runDoctor(options: DoctorOptions): AsyncGenerator<StepResult, void> {
  const { baseUrl, integration } = options
  const { kind, workspaceId, id: integrationId } = integration
  const place = { kind, workspaceId, integrationId }
  const walk: Walk = {
    ...options,
    issuer: issuerUrl(baseUrl, place),
    resource: resourceUrl(baseUrl, place),
    found: {},
    undoings: [],
  }
  const results = new Map<string, StepResult>()
  try {
    for (const step of stepsOf(kind)) {
      const { id, title } = step
      const result = { id, title, ...(await findingOf(step, walk, results)) }
      results.set(id, result)
      yield result
    }
  } finally {
    for (const undo of walk.undoings.reverse()) undo()
  }
}

async function findingOf(
  step: Step,
  walk: Walk,
  results: ReadonlyMap<string, StepResult>,
): Promise<Finding> {
  const missing = step.needs.map((id) => results.get(id)).find((result) => result?.outcome !== 'ok')
  if (missing !== undefined) return skipped(`needs what was looked for before: ${missing.title}`)
  try {
    return await step.look(walk)
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return failed(error.came, error.mend, error.asked)
  }
}
