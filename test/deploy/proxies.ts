// How the proxies of deploy/proxies/ route requests, and handle failed nodes.
import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'tap'
import {
  CADDY,
  HAPROXY,
  HOST,
  NGINX,
  type ProxiedNodes,
  startProxied,
  whyNoProxy,
} from '../fixtures/proxied-nodes.js'

const PROXIES = [NGINX, HAPROXY, CADDY]

/** Enough for each node to get some. */
const WORKSPACES = Array.from({ length: 24 }, (_, i) => `workspace-${i}`)

/** Pause between two requests until a proxy has probed its nodes. */
const PAUSE_MS = 50

/** The nodes that have received a request, in the order of nodes; repeated for each receipt. */
function receiversOf({ nodes }: ProxiedNodes, path: string): string[] {
  return nodes.flatMap(({ name, received }) =>
    received.filter(({ url }) => url === path).map(() => name),
  )
}

/** Paths of a workspace, which belong to one node. */
function pathsOf(workspaceId: string): string[] {
  return [
    `/v1/${workspaceId}/transactions?limit=1`,
    `/v1/${workspaceId}/oauth2/i/token`,
    `/v1/${workspaceId}/mcp/i`,
    `/.well-known/oauth-authorization-server/v1/${workspaceId}/oauth2/i`,
    `/.well-known/oauth-protected-resource/v1/${workspaceId}/mcp/i`,
  ]
}

for (const proxy of PROXIES) {
  const skip = whyNoProxy(proxy)

  test(`${proxy.name}: a workspace is answered by one node`, { skip }, async (t) => {
    const proxied = await startProxied(t, proxy)
    const used = new Set<string>()
    for (const workspaceId of WORKSPACES) {
      const { name } = await proxied.nodeOf(workspaceId)
      used.add(name)
      for (const path of pathsOf(workspaceId)) {
        const method = path.endsWith('token') ? 'POST' : 'GET'
        t.strictSame(await proxied.ask(method, path), { status: 200, node: name }, path)
      }
    }
    t.equal(used.size, 3, 'workspaces are spread over all nodes')
  })

  test(`${proxy.name}: the pages of a session are answered by one node`, { skip }, async (t) => {
    const proxied = await startProxied(t, proxy)
    const used = new Set<string | undefined>()
    for (const session of WORKSPACES) {
      const fields = { Cookie: `a=b; __Host-kontor-session=${session}; c=d` }
      const { node } = await proxied.ask('GET', '/dashboard', fields)
      used.add(node)
      for (const path of ['/dashboard/workspaces/a', '/dashboard/keys']) {
        t.strictSame(await proxied.ask('POST', path, fields), { status: 200, node })
      }
    }
    t.equal(used.size, 3, 'sessions are spread over all nodes')
    const visits = await Promise.all([1, 2, 3].map(() => proxied.ask('GET', '/sign-in')))
    t.equal(new Set(visits.map(({ node }) => node)).size, 1, 'before the sign-in, by address')
  })

  test(`${proxy.name}: a node receives the host and the address of a caller`, {
    skip,
  }, async (t) => {
    const proxied = await startProxied(t, proxy)
    const fields = { 'X-Forwarded-For': '192.0.2.7', 'X-Route': 'x' }
    await proxied.ask('GET', '/v1/acme/accounts', fields)
    const [received] = proxied.nodes.flatMap((node) => node.received)
    t.equal(received?.host, HOST)
    t.equal(received?.forwardedFor, '127.0.0.1', 'that the caller has sent is not passed on')
    t.equal((await proxied.ask('PROPFIND', '/v1/acme/accounts')).status, 405)
  })

  test(`${proxy.name}: other nodes answer for a failed one`, { skip }, async (t) => {
    const proxied = await startProxied(t, proxy)
    const before = new Map<string, string>()
    for (const id of WORKSPACES) before.set(id, (await proxied.nodeOf(id)).name)
    const gone = await proxied.nodeOf('acme')
    gone.kill()
    const path = '/v1/acme/accounts'
    if (proxy.passesPostsOn) {
      t.equal((await proxied.ask('POST', path)).status, 200, 'nothing of it was sent')
    }
    const other = await proxied.ask('GET', path)
    t.equal(other.status, 200)
    t.not(other.node, gone.name)
    for (const method of ['HEAD', 'POST']) t.strictSame(await proxied.ask(method, path), other)
    for (const [workspaceId, name] of before) {
      const now = await proxied.nodeOf(workspaceId)
      if (name === gone.name) t.not(now, gone, `${workspaceId} has moved`)
      else t.equal(now.name, name, `${workspaceId} has stayed`)
    }
  })

  for (const method of ['GET', 'HEAD', 'POST']) {
    const isRead = method !== 'POST'
    const what = isRead ? 'is sent to another node' : 'is not repeated'
    test(`${proxy.name}: ${method} without an answer ${what}`, { skip }, async (t) => {
      const proxied = await startProxied(t, proxy)
      const node = await proxied.nodeOf('acme')
      node.state = 'breaks'
      const path = '/v1/acme/transactions'
      const reply = await proxied.ask(method, path)
      t.equal(reply.status === 200, isRead, `${reply.status}`)
      t.not(reply.node, node.name)
      const receivers = receiversOf(proxied, path)
      if (isRead) t.equal(new Set(receivers).size, 2)
      else t.strictSame(receivers, [node.name])
    })
  }

  test(`${proxy.name}: at most two nodes receive a request`, { skip }, async (t) => {
    const proxied = await startProxied(t, proxy)
    for (const node of proxied.nodes) node.state = 'breaks'
    const path = '/v1/acme/transactions'
    t.equal((await proxied.ask('GET', path)).status, 502)
    t.equal(new Set(receiversOf(proxied, path)).size, 2)
  })

  test(`${proxy.name}: a 503 is not retried`, { skip }, async (t) => {
    const proxied = await startProxied(t, proxy)
    const node = await proxied.nodeOf('acme')
    node.state = 'busy'
    const path = '/v1/acme/transactions'
    t.strictSame(await proxied.ask('GET', path), { status: 503, node: node.name })
    t.strictSame(receiversOf(proxied, path), [node.name])
  })

  if (!proxy.probes) continue
  test(`${proxy.name}: a node that is not ready receives nothing`, { skip }, async (t) => {
    const proxied = await startProxied(t, proxy)
    const node = await proxied.nodeOf('acme')
    node.isReady = false
    while ((await proxied.nodeOf('acme')) === node) await wait(PAUSE_MS)
    const count = node.received.length
    for (const workspaceId of WORKSPACES) await proxied.nodeOf(workspaceId)
    t.equal(node.received.length, count)
    node.isReady = true
    while ((await proxied.nodeOf('acme')) !== node) await wait(PAUSE_MS)
    t.ok(node.received.length > count, 'it receives requests again')
  })
}
