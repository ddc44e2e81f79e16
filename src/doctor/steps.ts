import type { IntegrationKind } from '../domain/integration.js'
import type { DiagnosticStep } from './diagnostic-run.js'
import { AUTHORIZATION_STEPS } from './steps/authorization.js'
import { MCP_CHALLENGE_STEP, REST_CHALLENGE_STEP } from './steps/challenge.js'
import { CLIENT_STEPS } from './steps/clients.js'
import { INTEGRATION_STEP } from './steps/integration.js'
import { ISSUER_METADATA_STEPS } from './steps/issuer-metadata.js'
import { MCP_KEY_STEPS } from './steps/mcp-key.js'
import { PROGRAM_STEP } from './steps/program.js'
import { RESOURCE_METADATA_STEPS } from './steps/resource-metadata.js'
import { SERVER_STEPS } from './steps/server.js'
import { MCP_TOKEN_STEP, REST_TOKEN_STEP, REVOCATION_STEP, TOKEN_STEPS } from './steps/tokens.js'

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
