import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ruleset, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { test } from 'tap'
import { OPERATIONS } from '../../src/http/operations/table.js'
import { openApiDocument } from '../../src/openapi/document.js'

const document = openApiDocument('https://kontor.example/')
const operations = Object.entries(document.paths).flatMap(([path, { get, post }]) =>
  [get, post].flatMap((operation) => (operation === undefined ? [] : [{ ...operation, path }])),
)
const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')

interface Problem {
  readonly severity: string
  readonly ruleId: string
  readonly message: string
}

/** Problems by redocly's recommended rules. */
async function problemsIn(folder: string, openapi: unknown): Promise<Problem[]> {
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(openapi))
  const environment = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    NODE_OPTIONS: '',
  }
  const printed = await new Promise<string>((resolve) => {
    // Exit code 1 means problems; the output lists them in either case.
    execFile(
      process.execPath,
      [redocly, 'lint', file, '--format=json'],
      { cwd: folder, env: environment, maxBuffer: 1 << 26 },
      (_error, stdout) => resolve(stdout),
    )
  })
  return JSON.parse(printed.slice(printed.indexOf('{'))).problems
}

/** Findings of Spectral's ruleset for OpenAPI, of any severity. */
async function findingsIn(openapi: object): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset(new Ruleset(oas))
  const findings = await spectral.run(JSON.stringify(openapi))
  return findings.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)
}

test('redocly finds no problem in the document', async (t) => {
  t.same(await problemsIn(t.testdir(), document), [])
})

test('redocly finds the errors of a broken document', async (t) => {
  const { Transaction, ...schemas } = document.components.schemas
  const broken = { ...document, components: { ...document.components, schemas } }
  const problems = await problemsIn(t.testdir(), broken)
  t.ok(problems.some(({ severity, ruleId }) => severity === 'error' && /ref/.test(ruleId)))
  t.ok(Transaction)
})

test('Spectral finds neither an error nor a warning in the document', async (t) => {
  t.same(await findingsIn(document), [])
})

test('Spectral finds a flow whose URLs are templates, and a missing contact', async (t) => {
  const { contact, ...info } = document.info
  const text = JSON.stringify({ ...document, info }).replaceAll('WORKSPACE_ID', '{workspaceId}')
  const findings = await findingsIn(JSON.parse(text))
  t.equal(findings.filter((finding) => /^oas3-schema .*Url/.test(finding)).length, 3)
  t.equal(findings.filter((finding) => finding.startsWith('info-contact')).length, 1)
  t.ok(contact)
})

test('every URL of a flow is absolute, on this service', async (t) => {
  const { flows } = document.components.securitySchemes['oauthAuthorizationCode'] ?? {}
  const urls = [...JSON.stringify(flows).matchAll(/"(\w+Url)":"([^"]*)"/g)]
  t.same(
    urls.map(([, name]) => name),
    ['authorizationUrl', 'tokenUrl', 'refreshUrl'],
  )
  for (const [, , url = ''] of urls) t.equal(new URL(url).href, url)
})

test('version, server and paths are those of the contract', async (t) => {
  t.equal(document.openapi, '3.0.3')
  t.equal(document.info['version'], '1.1.1')
  t.same(
    document.servers.map(({ url }) => url),
    ['https://kontor.example'],
  )
  t.same(
    operations.map(({ operationId, path }) => [operationId, path]),
    [
      ...OPERATIONS.filter(({ method }) => method === 'GET').flatMap(({ id, path }) => {
        const others = OPERATIONS.filter((other) => other.path === path && other.method === 'POST')
        return [[id, path], ...others.map((other) => [other.id, path])]
      }),
      ['getLiveness', '/livez'],
      ['getReadiness', '/readyz'],
    ],
  )
})

test('either credential is accepted, with the scope of the operation', async (t) => {
  for (const { id, scope } of OPERATIONS) {
    t.same(
      operations.find(({ operationId }) => operationId === id)?.security,
      [{ generalApiKey: [] }, { oauthAuthorizationCode: scope === undefined ? [] : [scope] }],
      id,
    )
  }
  const schemes = JSON.stringify(document.components.securitySchemes)
  t.notMatch(schemes, /yet|this release/i)
  t.match(schemes, /which starts with `at-`/)
  const issuer = 'https://kontor.example/v1/WORKSPACE_ID/oauth2/INTEGRATION_ID'
  t.match(schemes, `"authorizationUrl":"${issuer}/authorize","tokenUrl":"${issuer}/token"`)
})

test('attributes that can be renamed are marked', async (t) => {
  for (const { parameters, description, operationId } of operations) {
    const renames = parameters.some(({ $ref }) => $ref === '#/components/parameters/customSchema')
    t.equal(/without `customSchema`/.test(description), renames, operationId)
  }
})
