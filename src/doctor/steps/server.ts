import { CLOCK_DIFFERENCE_MS_MAX } from '../../credential-limits.js'
import { ask, type JsonObject } from '../ask.js'
import { type Finding, failed, ok, skipped } from '../finding.js'
import { unexpected } from '../unexpected.js'
import { urlDifference } from '../url-difference.js'
import type { Step, Walk } from '../walk.js'

/** Whether there is a kontor, and what it thinks of itself. */
export const SERVER_STEPS: readonly Step[] = [
  {
    id: 'server',
    title: 'kontor answers at the base URL',
    needs: ['integration'],
    look: lookAtServer,
  },
  {
    id: 'base-url',
    title: 'the server calls itself by the base URL that clients use',
    needs: ['server'],
    look: lookAtBaseUrl,
  },
  {
    id: 'clock',
    title: 'the clock of the server is right',
    needs: ['server'],
    look: lookAtClock,
  },
]

async function lookAtServer({ baseUrl, found }: Walk): Promise<Finding> {
  const reply = await ask(`${baseUrl}/openapi.json`)
  const { servers, info } = reply.json ?? {}
  const title = (info as { readonly title?: unknown } | undefined)?.title
  const isOpenApi =
    typeof title === 'string' && title.startsWith('kontor') && Array.isArray(servers)
  if (reply.status !== 200 || !isOpenApi) return unexpected(reply, 'its OpenAPI document')
  found.servedUrl = (servers[0] as JsonObject | undefined)?.['url']
  found.servedAtMs = Date.parse(reply.headers.get('date') ?? '')
  return ok('its OpenAPI document', reply.asked)
}

function lookAtBaseUrl({ baseUrl, found }: Walk): Finding {
  const { servedUrl } = found
  const difference = urlDifference(baseUrl, servedUrl)
  if (difference === undefined) return ok(baseUrl)
  const mend =
    `Start the server with --base-url ${baseUrl}, or give clients the addresses that kontor ` +
    'integrations list prints for the one it has. Behind a proxy it cannot know by itself how ' +
    'clients write its address; where nothing was set, look whether the proxy rewrites answers.'
  return failed(`it calls itself ${String(servedUrl)}: ${difference}`, mend)
}

function lookAtClock({ clock, found }: Walk): Finding {
  const { servedAtMs = Number.NaN } = found
  if (Number.isNaN(servedAtMs)) return skipped('its answers have no Date')
  const seconds = Math.round((servedAtMs - clock()) / 1000)
  if (Math.abs(seconds) * 1000 <= CLOCK_DIFFERENCE_MS_MAX)
    return ok(`within a minute of the one here`)
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  const mend =
    'Let both machines keep time by NTP: codes, tokens, keys and certificates are judged by the ' +
    'clock.'
  return failed(`it is ${Math.abs(seconds)} seconds ${direction} the one here`, mend)
}
