import { formToken } from '../../src/browser/form-token.js'
import type { Random } from '../../src/demo/random.js'
import { type Grammar, type Ground, wholeRequest } from '../shot.js'
import { encoded, hostileText } from './texts.js'

const PAGES = [
  ...['', '/activity', '/activity/audit', '/activity/audit.csv', '/session', '/keys', '/operators'],
  ...['/integrations', '/workspaces', '/workspaces/demo', '/workspaces/demo/keys', '/x'],
  ...[
    '/workspaces/demo/transactions',
    '/workspaces/demo/transactions/17',
    '/workspaces/demo/match',
  ],
  ...[
    '/workspaces/demo/charts',
    '/workspaces/demo/transactions.csv',
    '/workspaces/demo/integrations',
  ],
]
/** None of these removes anything that other shots need. */
const ACTIONS = [
  'create',
  'create-key',
  'create-integration',
  'create-client',
  'save',
  'examine',
  'x',
]
const FIELDS = [
  ...[
    'query',
    'account',
    'category',
    'counterpart',
    'threshold',
    'order',
    'limit',
    'offset',
    'since',
  ],
  ...[
    'until',
    'actor',
    'action',
    'outcome',
    'workspace',
    'kind',
    'scope',
    'name',
    'expires',
    'type',
  ],
  ...[
    'ip_allow',
    'redirect_uris',
    'account_ids',
    'accounts',
    'key',
    'columns',
    'currency',
    'tools',
  ],
]

/** Pages of the dashboard with a hostile query, and their forms, signed in or not. */
export const forms: Grammar = (random, ground) => {
  const { host, cookie, session } = ground
  const path = `/dashboard${random.pick(PAGES)}`
  const lines = [`Host: ${host}`]
  if (random.chance(900)) lines.push(`Cookie: ${cookie}`)
  const text = fieldsText(random, ground)
  if (random.chance(700)) {
    const target = `${path}?${text.replace(/[^!-~]/g, '%').slice(0, 6_000)}`
    return wholeRequest({ method: 'GET', target, fields: lines })
  }
  lines.push('Content-Type: application/x-www-form-urlencoded', `Origin: http://${host}`)
  const token = random.chance(800) ? formToken(session, `dashboard ${path}`) : 'x'
  const action = random.pick(ACTIONS)
  const body = Buffer.from(`form_token=${encodeURIComponent(token)}&action=${action}&${text}`)
  return wholeRequest({ method: 'POST', target: path, fields: lines, body })
}

function fieldsText(random: Random, { words }: Ground): string {
  const pairs: string[] = []
  for (let i = random.between(0, 6); i > 0; i--) {
    const value = hostileText(random, words, random.chance(100) ? 4_000 : 80)
    pairs.push(`${random.pick(FIELDS)}=${encoded(value)}`)
  }
  return pairs.join('&')
}
