import { strict as assert } from 'node:assert'
import { CODE_MS_DEFAULT } from '../../limits.js'
import type { DiagnosticRun, DiagnosticStep } from '../diagnostic-run.js'
import { type Finding, failed, ok, skipped } from '../finding.js'
import { type ParsedObject, request } from '../request.js'
import { unexpected } from '../unexpected.js'
import { urlDifference } from '../url-difference.js'

/** The largest accepted difference of two clocks: a code lives no longer. */
const CLOCK_DIFFERENCE_MS_MAX = 60_000

assert(CLOCK_DIFFERENCE_MS_MAX <= CODE_MS_DEFAULT)

/** Whether the server is kontor, the URL that it reports as its own, and its clock. */
export const SERVER_STEPS: readonly DiagnosticStep[] = [
  {
    id: 'server',
    title: 'kontor answers at the base URL',
    needs: ['integration'],
    check: checkServer,
  },
  {
    id: 'base-url',
    title: 'the server is configured with the base URL that clients use',
    needs: ['server'],
    check: checkBaseUrl,
  },
  {
    id: 'clock',
    title: 'the clock of the server is correct',
    needs: ['server'],
    check: checkClock,
  },
]

async function checkServer({ baseUrl, facts }: DiagnosticRun): Promise<Finding> {
  const reply = await request(`${baseUrl}/openapi.json`)
  const { servers, info } = reply.json ?? {}
  const title = (info as { readonly title?: unknown } | undefined)?.title
  const isOpenApi =
    typeof title === 'string' && title.startsWith('kontor') && Array.isArray(servers)
  if (reply.status !== 200 || !isOpenApi) return unexpected(reply, 'its OpenAPI document')
  facts.servedUrl = (servers[0] as ParsedObject | undefined)?.['url']
  facts.servedAtMs = Date.parse(reply.headers.get('date') ?? '')
  return ok('its OpenAPI document', reply.request)
}

function checkBaseUrl({ baseUrl, facts }: DiagnosticRun): Finding {
  const { servedUrl } = facts
  const difference = urlDifference(baseUrl, servedUrl)
  if (difference === undefined) return ok(baseUrl)
  const fix =
    `Start the server with --base-url ${baseUrl}, or give clients the addresses that kontor ` +
    'integrations list prints for its current base URL. Behind a proxy the server cannot ' +
    'detect its public address; if --base-url is set, check whether the proxy rewrites ' +
    'responses.'
  return failed(`its base URL is ${String(servedUrl)}: ${difference}`, fix)
}

function checkClock({ clock, facts }: DiagnosticRun): Finding {
  const { servedAtMs = Number.NaN } = facts
  if (Number.isNaN(servedAtMs)) return skipped('its responses have no Date header')
  const seconds = Math.round((servedAtMs - clock()) / 1000)
  if (Math.abs(seconds) * 1000 <= CLOCK_DIFFERENCE_MS_MAX)
    return ok(`within a minute of the local clock`)
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  const fix =
    'Synchronize both machines by NTP: the validity of codes, tokens, keys and certificates ' +
    'depends on the clock.'
  return failed(`it is ${Math.abs(seconds)} seconds ${direction} the local clock`, fix)
}
