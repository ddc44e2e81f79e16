// The server scenarios of the MCP conformance suite, by its own command line, against the endpoint
// with three tools that the suite names. conformance-baseline.yml lists the scenarios that a server
// with tools only cannot pass, each with the reason.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import type { ToolName } from '../../src/domain/integration.js'
import type { ObjectSchema, Tool } from '../../src/mcp/tools/tool.js'
import { openKeyAddingProxy } from '../fixtures/key-adding-proxy.js'
import { ECHO_TOOL, newMcpKey, overMcpFixtures } from '../fixtures/mcp-fixture.js'

const SUITE = import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js')
const GLOB = new URL('../fixtures/glob-on-node-20.js', import.meta.url).href
const BASELINE = new URL('../../../test/mcp/conformance-baseline.yml', import.meta.url)

function suiteTool(name: string, options: Partial<Tool>): Tool {
  // Names of the suite: no integration can choose them, and one with all tools has them.
  return { ...ECHO_TOOL, name: name as ToolName, ...options }
}

const SUITE_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  // The member `then` of a schema is no promise; the formatter would move it.
  ...Object.fromEntries([
    ['if', { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] }],
    ['then', { required: ['phone'] }],
    ['else', { required: ['email'] }],
  ]),
  additionalProperties: false,
} as const satisfies ObjectSchema

const TOOLS = [
  suiteTool('test_simple_text', {
    call: async () => ({ text: 'This is a simple text response for testing.', isError: false }),
  }),
  suiteTool('test_error_handling', {
    call: async () => ({ text: 'This tool intentionally returns an error.', isError: true }),
  }),
  suiteTool('json_schema_2020_12_tool', {
    describe: () => ({ description: 'A schema with all keywords.', inputSchema: SUITE_SCHEMA }),
  }),
]

/** The suite's results of the scenarios that apply to this server. */
const PASSED: Readonly<Record<string, readonly string[]>> = {
  '2025-11-25': [
    '✓ server-initialize: 2 passed, 0 failed',
    '✓ ping: 2 passed, 0 failed',
    '✓ tools-list: 3 passed, 0 failed',
    '✓ tools-call-simple-text: 2 passed, 0 failed',
    '✓ tools-call-error: 2 passed, 0 failed',
    '✓ json-schema-2020-12: 8 passed, 0 failed',
    '✓ dns-rebinding-protection: 2 passed, 0 failed',
  ],
  '2026-07-28': [
    '✓ tools-list: 4 passed, 0 failed',
    '✓ tools-call-simple-text: 2 passed, 0 failed',
    '✓ tools-call-error: 2 passed, 0 failed',
    '✓ json-schema-2020-12: 8 passed, 0 failed',
    '✓ server-sse-multiple-streams: 1 passed, 0 failed',
    '✓ sep-2164-resource-not-found: 2 passed, 0 failed',
    '✓ dns-rebinding-protection: 2 passed, 0 failed',
    '✓ http-header-validation: 14 passed, 0 failed',
    '✗ server-stateless: 24 passed, 4 failed',
    '✗ caching: 4 passed, 3 failed',
  ],
}

for (const [version, passed] of Object.entries(PASSED)) {
  test(
    `the MCP conformance suite finds nothing unexpected in revision ${version}`,
    overMcpFixtures(
      async (t, fixture) => {
        const port = await openKeyAddingProxy(
          t,
          fixture.service.client.port,
          await newMcpKey(fixture),
        )
        const url = `http://localhost:${port}${new URL(fixture.resource).pathname}`
        const words = ['--url', url, '--suite', 'all', '--spec-version', version]
        const baseline = ['--expected-failures', fileURLToPath(BASELINE)]
        const suite = ['--import', GLOB, fileURLToPath(SUITE), 'server', ...words, ...baseline]
        const child = spawn(process.execPath, suite, { stdio: ['ignore', 'pipe', 'pipe'] })
        const lines: string[] = []
        createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
        createInterface({ input: child.stderr }).on('line', (line) => lines.push(line))
        const [code] = (await once(child, 'close')) as [number | null]
        const output = lines.join('\n')
        t.equal(code, 0, output.slice(output.indexOf('=== SUMMARY')))
        for (const line of passed) t.match(output, line)
        t.same(fixture.service.log, [])
      },
      { service: { answersLoopback: true, tools: TOOLS } },
    ),
  )
}
