// The two scenarios of the MCP conformance suite for authorization servers, by its own command
// line: metadata, and the authorization code grant, with a user who allows.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { spawnNode } from '../fixtures/child-process.js'
import { type OAuthFixture, overFixtures } from '../fixtures/oauth-fixture.js'
import { PageVisitor } from '../fixtures/page-visitor.js'

const SUITE = import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js')
const GLOB = new URL('../fixtures/glob-on-node-20.js', import.meta.url).href

/** A free port; the suite listens on it a moment later. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('the server listened')
  return address.port
}

interface SuiteRun {
  readonly code: number | null
  readonly output: string
}

/** Runs the suite; an operator signs in and allows at the URL that it prints. */
async function runSuite(fixture: OAuthFixture, words: readonly string[]): Promise<SuiteRun> {
  const child = spawnNode(['--import', GLOB, fileURLToPath(SUITE), 'authorization', ...words])
  child.stdin.end()
  const lines: string[] = []
  const closed = once(child, 'close') as Promise<[number | null]>
  const decide = async (url: string): Promise<void> => {
    const visitor = await fixture.signedIn()
    const answer = await visitor.submit(await visitor.get(url), { action: 'allow' })
    await fetch(PageVisitor.target(answer))
  }
  let decision: Promise<unknown> = Promise.resolve()
  const take = (line: string): void => {
    lines.push(line)
    if (!line.startsWith(`${fixture.issuer}/authorize?`)) return
    decision = decide(line).catch((error: unknown) => {
      lines.push(String(error))
      // It would wait five minutes for a callback that does not come.
      child.kill()
    })
  }
  createInterface({ input: child.stdout }).on('line', take)
  createInterface({ input: child.stderr }).on('line', take)
  const [code] = await closed
  await decision
  return { code, output: lines.join('\n') }
}

for (const kind of ['oauth2', 'mcp'] as const) {
  test(
    `the MCP conformance suite finds nothing wrong with the issuer of an ${kind} integration`,
    overFixtures(
      async (t, fixture) => {
        const port = await freePort()
        const redirectUris = [`http://127.0.0.1:${port}/callback`]
        const { client } = await fixture.newClient({ redirectUris })
        const words = ['--url', fixture.issuer, '--client-id', client.id, '--port', `${port}`]
        const { code, output } = await runSuite(fixture, [...words, '--resource', fixture.resource])
        t.equal(code, 0, output)
        t.match(output, '✓ authorization-server-metadata-endpoint: 1 passed, 0 failed')
        t.match(output, '✓ authorization-code-grant: 1 passed, 0 failed')
        t.match(fixture.lastAuditEvent(), 'token.issue ok')
      },
      { integration: { kind } },
    ),
  )
}
