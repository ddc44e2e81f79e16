import { hashOfSecret, hasPrefix } from '../../auth/secret.js'
import { scopesOfAll, toolsOf } from '../../auth/selection.js'
import { TOOL_NAMES } from '../../domain/integration.js'
import { listMcpKeys } from '../../store/mcp-key-rows.js'
import { makeKey } from '../diagnostic-client.js'
import type { DiagnosticRun, DiagnosticStep } from '../diagnostic-run.js'
import { type Finding, failed, ok, skipped } from '../finding.js'
import { calling, discovery, initialization, listing, postMcp, resultOf } from '../mcp-message.js'
import { fixOfRefusal } from '../refused-credential.js'
import { type DoctorReply, shortly, shownText } from '../request.js'
import { unexpected } from '../unexpected.js'

/** The requests of an agent with a key. */
export const MCP_KEY_STEPS: readonly DiagnosticStep[] = [
  {
    id: 'key',
    title: 'the key is one of this integration',
    needs: ['server'],
    look: lookAtKey,
  },
  {
    id: 'initialize',
    title: 'the endpoint takes the key and shakes hands',
    needs: ['key'],
    look: lookAtInitialize,
  },
  {
    id: 'discover',
    title: 'it answers clients that shake no hands',
    needs: ['key'],
    look: lookAtDiscover,
  },
  {
    id: 'tools',
    title: 'it lists the tools of the integration',
    needs: ['initialize'],
    look: lookAtTools,
  },
  {
    id: 'get-accounts',
    title: 'a call of get_accounts is answered',
    needs: ['tools'],
    look: lookAtAccounts,
  },
]

function lookAtKey(run: DiagnosticRun): Finding {
  const { key, control, integration, clock, found } = run
  if (key === undefined) {
    found.key = makeKey(run)
    return ok('made for this walk, revoked when it is over')
  }
  const create = `kontor integrations keys create --integration ${integration.id} makes one.`
  if (!hasPrefix(key, 'mcp-')) {
    return failed('it is no MCP key: they begin with mcp- and have 47 characters', create)
  }
  const hash = hashOfSecret(key)
  const row = listMcpKeys(control).find((known) => known.hash.equals(hash))
  if (row === undefined) return failed('this data directory has no such key', create)
  const said = `key ${row.id} (${shownText(row.name)})`
  if (row.integrationId !== integration.id) {
    return failed(`${said} is of the integration ${row.integrationId}`, create)
  }
  if (row.revokedAt !== null) return failed(`${said} was revoked`, create)
  if (row.expiresAt !== null && row.expiresAt <= clock())
    return failed(`${said} is expired`, create)
  if (scopesOfAll(row.scopes, integration.scopes).length === 0) {
    return failed(`${said} has no scope that the integration permits`, create)
  }
  found.key = key
  const places = row.ipAllow === null ? '' : `, from ${row.ipAllow} alone`
  return ok(`${said}${places}`)
}

async function lookAtInitialize(run: DiagnosticRun): Promise<Finding> {
  const reply = await post(run, initialization(), 'initialize with the key')
  const version = resultOf(reply)?.['protocolVersion']
  if (typeof version === 'string') return ok(`revision ${shownText(version)}`, reply.request)
  return refused(reply, '200 with a protocolVersion')
}

async function lookAtDiscover(run: DiagnosticRun): Promise<Finding> {
  const reply = await post(run, discovery(), 'server/discover with the key')
  const versions = resultOf(reply)?.['supportedVersions']
  if (Array.isArray(versions)) return ok(shownText(versions.join(', ')), reply.request)
  return refused(reply, '200 with supportedVersions')
}

async function lookAtTools(run: DiagnosticRun): Promise<Finding> {
  const reply = await post(run, listing(), 'tools/list with the key')
  const listed = resultOf(reply)?.['tools']
  if (!Array.isArray(listed)) return refused(reply, '200 with tools')
  const names = listed.map((tool: { readonly name?: unknown }) => String(tool.name))
  const wanted = toolsOf(run.integration.tools) ?? TOOL_NAMES
  const missing = wanted.filter((name) => !names.includes(name))
  if (names.length > 0 && missing.length === 0)
    return ok(shownText(names.join(', ')), reply.request)
  const fix =
    'Give the integration or the key the scopes that the tools need: get_accounts needs ' +
    'accounts:read, get_transactions transactions:read.'
  return failed(`${missing.join(', ') || 'every tool'} is missing`, fix, reply.request)
}

async function lookAtAccounts(run: DiagnosticRun): Promise<Finding> {
  const tools = toolsOf(run.integration.tools)
  if (tools !== null && !tools.includes('get_accounts')) {
    return skipped('the integration has not this tool')
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
  { resource, found }: DiagnosticRun,
  message: ReturnType<typeof listing>,
  note: string,
): Promise<DoctorReply> {
  return postMcp(resource, message, { credential: found.key, note })
}

function refused(reply: DoctorReply, wanted: string): Finding {
  const fix = fixOfRefusal(reply)
  if (fix === undefined) return unexpected(reply, wanted)
  return failed(`${shortly(reply)}; ${wanted} was expected`, fix, reply.request)
}
