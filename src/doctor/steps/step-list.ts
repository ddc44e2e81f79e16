import type { IntegrationKind } from '../../domain/integration.js'
import type { DiagnosticStep } from '../diagnostic-run.js'
import { AUTHORIZATION_STEPS } from './authorization.js'
import { MCP_CHALLENGE_STEP, REST_CHALLENGE_STEP } from './challenge.js'
import { CLIENT_STEPS } from './clients.js'
import { INTEGRATION_STEP } from './integration.js'
import { ISSUER_METADATA_STEPS } from './issuer-metadata.js'
import { MCP_KEY_STEPS } from './mcp-key.js'
import { PROGRAM_STEP } from './program.js'
import { RESOURCE_METADATA_STEPS } from './resource-metadata.js'
import { SERVER_STEPS } from './server.js'
import { MCP_TOKEN_STEP, REST_TOKEN_STEP, REVOCATION_STEP, TOKEN_STEPS } from './tokens.js'

/** The steps of a diagnostic run, in the order in which clients take them. */
export function stepsOf(kind: IntegrationKind): readonly DiagnosticStep[] {
  const isMcp = kind === 'mcp'
  return [
    PROGRAM_STEP,
    INTEGRATION_STEP,
    ...SERVER_STEPS,
    ...(isMcp ? [MCP_CHALLENGE_STEP, ...RESOURCE_METADATA_STEPS] : [REST_CHALLENGE_STEP]),
    ...ISSUER_METADATA_STEPS,
    ...CLIENT_STEPS,
    ...AUTHORIZATION_STEPS,
    ...TOKEN_STEPS,
    isMcp ? MCP_TOKEN_STEP : REST_TOKEN_STEP,
    REVOCATION_STEP,
    ...(isMcp ? MCP_KEY_STEPS : []),
  ]
}
