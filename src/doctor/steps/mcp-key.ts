import { hashOfSecret, hasPrefix } from '../../auth/secret.js'
import { scopesOfAll, toolsOf } from '../../auth/selection.js'
import { TOOL_NAMES } from '../../domain/integration.js'
import { listMcpKeys } from '../../store/mcp-key-rows.js'
import { makeKey } from '../diagnostic-client.js'
import type { DiagnosticRun, DiagnosticStep } from '../diagnostic-run.js'
import { type Finding, failed, ok, skipped } from '../finding.js'
import { calling, discovery, initialization, listing, postMcp, resultOf } from '../mcp-message.js'
import { fixOfRefusal } from '../refused-credential.js'
import { type DoctorReply, printableText, shortly } from '../request.js'
import { unexpected } from '../unexpected.js'

/** The requests of an agent with a key. */
export const MCP_KEY_STEPS: readonly DiagnosticStep[] = [
  {
    id: 'key',
    title: 'the key is valid for this integration',
    needs: ['server'],
    check: checkKey,
  },
  {
    id: 'initialize',
    title: 'the endpoint accepts the key and completes initialize',
    needs: ['key'],
    check: checkInitialize,
  },
  {
    id: 'discover',
    title: 'the endpoint answers server/discover',
    needs: ['key'],
    check: checkDiscover,
  },
  {
    id: 'tools',
    title: 'the endpoint lists the tools of the integration',
    needs: ['initialize'],
    check: checkTools,
  },
  {
    id: 'get-accounts',
    title: 'a call of get_accounts succeeds',
    needs: ['tools'],
    check: checkAccounts,
  },
]

async function checkKey(run: DiagnosticRun): Promise<Finding> {
  const { key, control, integration, clock, facts } = run
  if (key === undefined) {
    facts.key = await makeKey(run)
    return ok('created for this run, revoked at its end')
  }
  const create = `Create one with kontor integrations keys create --integration ${integration.id}.`
  if (!hasPrefix(key, 'mcp-')) {
    return failed('not an MCP key: MCP keys begin with mcp- and have 47 characters', create)
  }
  const hash = hashOfSecret(key)
  const row = (await control.look(listMcpKeys)).find((known) => known.hash.equals(hash))
  if (row === undefined) return failed('this data directory does not contain the key', create)
  const subject = `key ${row.id} (${printableText(row.name)})`
  if (row.integrationId !== integration.id) {
    return failed(`${subject} belongs to integration ${row.integrationId}`, create)
  }
  if (row.revokedAt !== null) return failed(`${subject} was revoked`, create)
  if (row.expiresAt !== null && row.expiresAt <= clock())
    return failed(`${subject} has expired`, create)
  if (scopesOfAll(row.scopes, integration.scopes).length === 0) {
    return failed(`${subject} has no scope that the integration permits`, create)
  }
  facts.key = key
  const places = row.ipAllow === null ? '' : `, only from ${row.ipAllow}`
  return ok(`${subject}${places}`)
}

async function checkInitialize(run: DiagnosticRun): Promise<Finding> {
  const reply = await post(run, initialization(), 'initialize with the key')
  const version = resultOf(reply)?.['protocolVersion']
  if (typeof version === 'string') return ok(`revision ${printableText(version)}`, reply.request)
  return refused(reply, '200 with a protocolVersion')
}

async function checkDiscover(run: DiagnosticRun): Promise<Finding> {
  const reply = await post(run, discovery(), 'server/discover with the key')
  const versions = resultOf(reply)?.['supportedVersions']
  if (Array.isArray(versions)) return ok(printableText(versions.join(', ')), reply.request)
  return refused(reply, '200 with supportedVersions')
}

async function checkTools(run: DiagnosticRun): Promise<Finding> {
  const reply = await post(run, listing(), 'tools/list with the key')
  const listed = resultOf(reply)?.['tools']
  if (!Array.isArray(listed)) return refused(reply, '200 with tools')
  const names = listed.map((tool: { readonly name?: unknown }) => String(tool.name))
  const wanted = toolsOf(run.integration.tools) ?? TOOL_NAMES
  const missing = wanted.filter((name) => !names.includes(name))
  if (names.length > 0 && missing.length === 0)
    return ok(printableText(names.join(', ')), reply.request)
  const fix =
    'Give the integration and the key the scopes that the tools need: get_accounts needs ' +
    'accounts:read, get_transactions transactions:read.'
  return failed(`${missing.join(', ') || 'every tool'} is missing`, fix, reply.request)
}

async function checkAccounts(run: DiagnosticRun): Promise<Finding> {
  const tools = toolsOf(run.integration.tools)
  if (tools !== null && !tools.includes('get_accounts')) {
    return skipped('the integration does not have this tool')
  }
  const reply = await post(run, calling('get_accounts', {}), 'tools/call with the key')
  const result = resultOf(reply)
  const { totalCount } = (result?.['structuredContent'] ?? {}) as { readonly totalCount?: unknown }
  if (result?.['isError'] !== true && typeof totalCount === 'number') {
    return ok(`${totalCount} accounts`, reply.request)
  }
  return refused(reply, 'a list of accounts')
}

function post(
  { resource, facts }: DiagnosticRun,
  message: ReturnType<typeof listing>,
  note: string,
): Promise<DoctorReply> {
  return postMcp(resource, message, { credential: facts.key, note })
}

function refused(reply: DoctorReply, wanted: string): Finding {
  const fix = fixOfRefusal(reply)
  if (fix === undefined) return unexpected(reply, wanted)
  return failed(`${shortly(reply)}; ${wanted} was expected`, fix, reply.request)
}
