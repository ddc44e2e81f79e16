// The house rules that a reader should never have to check by eye: import directions, one door per
// library, line and function lengths, words that are refused, and a test for every file.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'tap'
import ts from 'typescript'

const LINE_COLUMNS_MAX = 100
const FUNCTION_LINES_MAX = 70
const FILE_LINES_MAX = 500

/**
 * Each file may import rows above its own, or its own folder (docs/internals/ARCHITECTURE.md,
 * "Imports point one way").
 */
const RANKS: readonly (readonly string[])[] = [
  [
    ...['limits', 'credential-limits', 'errors', 'money', 'instant', 'iban', 'node-version'],
    ...['time-histogram', 'domain'],
  ],
  ['text', 'store', 'ordinals'],
  ['free-text', 'match', 'charts'],
  ['snapshot', 'statements', 'demo'],
  ['query', 'backup'],
  ['wire', 'auth'],
  ['openapi'],
  ['http'],
  ['browser', 'doctor'],
  ['oauth', 'mcp', 'dashboard', 'metrics'],
  ['cli'],
  ['main'],
]

/** Library -> the one folder (or file) under src/ and workers/ that may import it. */
const DOORS: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/server': 'src/mcp',
  'better-sqlite3': 'src/store',
  'csv-parse': 'src/statements',
  ibantools: 'src/iban.ts',
  msgpackr: 'src/snapshot',
  pino: 'src/cli',
  piscina: 'src/snapshot',
  'prom-client': 'src/metrics',
  preact: 'src/dashboard',
  'preact-render-to-string': 'src/dashboard',
  saxes: 'src/statements',
  'uWebSockets.js': 'src/http',
}

/** Files with no test file of their own path, and the test that covers them. */
const TESTED_BY: Readonly<Record<string, string>> = {
  'src/backup/check-file.ts': 'test/backup/check-directory.ts',
  'src/backup/check-permissions.ts': 'test/backup/check-directory.ts',
  'src/backup/durable.ts': 'test/backup/manifest.ts',
  'src/backup/verify-copy.ts': 'test/backup/restore-backup.ts',
  'src/auth/access.ts': 'test/auth/api-keys.ts',
  'src/browser/known-browsers.ts': 'test/security/known-browsers.ts',
  'src/cli/command.ts': 'test/cli/arguments.ts',
  'src/cli/issuers.ts': 'test/oauth/consent.ts',
  'src/cli/program-version.ts': 'test/cli/version.ts',
  'src/cli/import-source.ts': 'test/cli/import.ts',
  'src/cli/pages.ts': 'test/dashboard/first-run.ts',
  'src/cli/showing-files.ts': 'test/cli/backup.ts',
  'src/cli/terminal.ts': 'test/main.ts',
  'src/cli/usage.ts': 'test/cli/run.ts',
  'src/doctor/finding.ts': 'test/doctor/doctor.ts',
  'src/doctor/steps.ts': 'test/doctor/doctor.ts',
  'src/statements/import/categories.ts': 'test/statements/ndjson/ndjson.ts',
  'src/statements/peek-text.ts': 'test/cli/import.ts',
  'src/statements/formats.ts': 'test/cli/import.ts',
  'src/statements/import/import-report.ts': 'test/statements/import/import.ts',
  'src/statements/ndjson/ndjson-resource.ts': 'test/statements/ndjson/ndjson.ts',
  'src/statements/ndjson/ndjson-row.ts': 'test/statements/ndjson/ndjson.ts',
  'src/statements/readers.ts': 'test/cli/import.ts',
  'src/statements/import/statement-row.ts': 'test/statements/import/import.ts',
  'src/statements/csv/csv-layout.ts': 'test/statements/csv/csv.ts',
  'src/statements/csv/csv-notation.ts': 'test/statements/csv/csv.ts',
  'src/statements/csv/csv-plan.ts': 'test/statements/csv/csv.ts',
  'src/statements/csv/csv-profile.ts': 'test/statements/csv/csv-profiles.ts',
  'src/statements/csv/csv-records.ts': 'test/statements/csv/csv.ts',
  'src/statements/csv/csv-transaction.ts': 'test/statements/csv/csv-profiles.ts',
  'src/statements/ofx/ofx-elements.ts': 'test/statements/ofx/ofx.ts',
  'src/statements/ofx/ofx-statement.ts': 'test/statements/ofx/ofx.ts',
  'src/free-text/draft.ts': 'test/free-text/text-index-builder.ts',
  'src/free-text/growing.ts': 'test/free-text/word-table.ts',
  'src/free-text/latin-forms.ts': 'test/free-text/text-index-builder.ts',
  'src/free-text/lay-out.ts': 'test/free-text/text-index-builder.ts',
  'src/free-text/rows-of-words.ts': 'test/free-text/rows-with-terms.ts',
  'src/free-text/text-index.ts': 'test/free-text/text-index-builder.ts',
  'src/free-text/words-with-term.ts': 'test/free-text/rows-with-terms.ts',
  'src/dashboard/elements/badge.tsx': 'test/dashboard/elements/plain-elements.tsx',
  'src/dashboard/elements/code-block.tsx': 'test/dashboard/elements/plain-elements.tsx',
  'src/dashboard/elements/copy-button.tsx': 'test/dashboard/elements/plain-elements.tsx',
  'src/dashboard/elements/empty-state.tsx': 'test/dashboard/elements/plain-elements.tsx',
  'src/dashboard/elements/iban-text.tsx': 'test/dashboard/elements/plain-elements.tsx',
  'src/dashboard/elements/link.tsx': 'test/dashboard/elements/plain-elements.tsx',
  'src/dashboard/elements/notice.tsx': 'test/dashboard/elements/plain-elements.tsx',
  'src/dashboard/elements/panel.tsx': 'test/dashboard/elements/plain-elements.tsx',
  'src/dashboard/elements/stat.tsx': 'test/dashboard/elements/plain-elements.tsx',
  'src/dashboard/elements/tabs.tsx': 'test/dashboard/elements/plain-elements.tsx',
  'src/dashboard/account-choices.ts': 'test/dashboard/pages/keys/workspace-keys.ts',
  'src/dashboard/diagnostic-reports.ts': 'test/dashboard/pages/integrations/diagnostic-report.ts',
  'src/dashboard/offset.ts': 'test/dashboard/pages/keys/workspace-keys.ts',
  'src/dashboard/reply-asset.ts': 'test/dashboard/dashboard.ts',
  'src/dashboard/shown-once.ts': 'test/dashboard/pages/keys/workspace-keys.ts',
  'src/dashboard/elements/choice-group.tsx': 'test/dashboard/pages/keys/workspace-keys.ts',
  'src/dashboard/elements/credential-fields.tsx': 'test/dashboard/pages/keys/workspace-keys.ts',
  'src/dashboard/elements/grant-texts.tsx': 'test/dashboard/pages/keys/workspace-keys.ts',
  'src/dashboard/elements/text-area.tsx': 'test/dashboard/pages/integrations/integrations.ts',
  'src/dashboard/elements/workspace-links.tsx': 'test/dashboard/pages/keys/workspace-keys.ts',
  'src/dashboard/pages/activity/activity-tabs.tsx': 'test/dashboard/pages/activity/audit-log.ts',
  'src/dashboard/pages/activity/audit-csv.ts': 'test/dashboard/pages/activity/audit-log.ts',
  'src/dashboard/pages/activity/audit-query.ts': 'test/dashboard/pages/activity/audit-log.ts',
  'src/dashboard/pages/activity/rate-chart.tsx': 'test/dashboard/pages/activity/activity.ts',
  'src/dashboard/pages/integrations/clients.tsx':
    'test/dashboard/pages/integrations/integrations.ts',
  'src/dashboard/pages/integrations/connect.tsx':
    'test/dashboard/pages/integrations/integrations.ts',
  'src/dashboard/pages/integrations/integration-list.tsx':
    'test/dashboard/pages/integrations/integrations.ts',
  'src/dashboard/pages/integrations/integration-paths.ts':
    'test/dashboard/pages/integrations/integrations.ts',
  'src/dashboard/pages/integrations/integration-view.tsx':
    'test/dashboard/pages/integrations/integrations.ts',
  'src/dashboard/pages/integrations/integration-table.tsx':
    'test/dashboard/pages/integrations/integrations.ts',
  'src/dashboard/pages/integrations/made-client.tsx':
    'test/dashboard/pages/integrations/integrations.ts',
  'src/dashboard/pages/integrations/mcp-keys.tsx':
    'test/dashboard/pages/integrations/integrations.ts',
  'src/dashboard/pages/integrations/new-client.tsx':
    'test/dashboard/pages/integrations/integrations.ts',
  'src/dashboard/pages/integrations/settings.tsx':
    'test/dashboard/pages/integrations/integrations.ts',
  'src/dashboard/pages/integrations/terms.tsx': 'test/dashboard/pages/integrations/integrations.ts',
  'src/dashboard/pages/integrations/workspace-integrations.tsx':
    'test/dashboard/pages/integrations/integrations.ts',
  'src/dashboard/pages/keys/key-list.tsx': 'test/dashboard/pages/keys/workspace-keys.ts',
  'src/dashboard/pages/keys/key-table.tsx': 'test/dashboard/pages/keys/workspace-keys.ts',
  'src/dashboard/pages/keys/key.tsx': 'test/dashboard/pages/keys/workspace-keys.ts',
  'src/dashboard/pages/keys/made-key.tsx': 'test/dashboard/pages/keys/workspace-keys.ts',
  'src/dashboard/pages/operators/operator-list.tsx': 'test/dashboard/pages/operators/operators.ts',
  'src/dashboard/pages/operators/operator.tsx': 'test/dashboard/pages/operators/operators.ts',
  'src/dashboard/pages/operators/password-fields.tsx':
    'test/dashboard/pages/operators/operators.ts',
  'src/dashboard/layout/page-context.ts': 'test/dashboard/elements/form.tsx',
  'src/dashboard/pages/first-run-page.ts': 'test/dashboard/first-run.ts',
  'src/dashboard/pages/error-pages.tsx': 'test/dashboard/dashboard.ts',
  'src/dashboard/pages/session/session.tsx': 'test/dashboard/dashboard.ts',
  'src/dashboard/pages/workspaces/account-table.tsx':
    'test/dashboard/pages/workspaces/workspace.ts',
  'src/dashboard/pages/workspaces/import-list.tsx': 'test/dashboard/pages/workspaces/workspace.ts',
  'src/dashboard/pages/workspaces/sending.tsx': 'test/dashboard/pages/workspaces/workspace.ts',
  'src/dashboard/pages/explorer/ask-operator.ts': 'test/dashboard/pages/explorer/list-page.ts',
  'src/dashboard/pages/explorer/call-panel.tsx': 'test/dashboard/pages/explorer/list-page.ts',
  'src/dashboard/pages/explorer/choices.ts': 'test/dashboard/pages/explorer/list-page.ts',
  'src/dashboard/pages/explorer/evidence-words.ts': 'test/dashboard/pages/explorer/match-page.ts',
  'src/dashboard/pages/explorer/explorer-paths.ts': 'test/dashboard/pages/explorer/list-page.ts',
  'src/dashboard/pages/explorer/explorer-view.tsx': 'test/dashboard/pages/explorer/list-page.ts',
  'src/dashboard/pages/explorer/filter-form.tsx': 'test/dashboard/pages/explorer/list-page.ts',
  'src/dashboard/pages/explorer/marked-text.tsx': 'test/dashboard/pages/explorer/list-page.ts',
  'src/dashboard/pages/explorer/open-workspace.tsx': 'test/dashboard/pages/explorer/list-page.ts',
  'src/dashboard/pages/explorer/rest-question.ts': 'test/dashboard/pages/explorer/list-page.ts',
  'src/dashboard/pages/explorer/sum-text.tsx': 'test/dashboard/pages/explorer/list-page.ts',
  'src/dashboard/pages/explorer/transaction-cells.tsx':
    'test/dashboard/pages/explorer/list-page.ts',
  'src/dashboard/pages/explorer/transaction-row.ts': 'test/dashboard/pages/explorer/list-page.ts',
  'src/charts/bar-chart.ts': 'test/charts/chart-layout.ts',
  'src/dashboard/pages/explorer/bar-drawing.tsx': 'test/dashboard/pages/explorer/charts-page.ts',
  'src/dashboard/pages/explorer/chart-figure.tsx': 'test/dashboard/pages/explorer/charts-page.ts',
  'src/dashboard/pages/workspaces/condition-badge.tsx': 'test/dashboard/workspace-summary.ts',
  'src/dashboard/pages/workspaces/workspace-table.tsx': 'test/dashboard/workspace-summary.ts',
  'src/dashboard/reply-view.tsx': 'test/dashboard/dashboard.ts',
  'src/http/operation.ts': 'test/http/routes.ts',
  'src/http/operations/get-account-transactions.ts': 'test/http/operations/get-transactions.ts',
  'src/http/operations/get-account.ts': 'test/http/operations/get-accounts.ts',
  'src/http/operations/get-categories.ts': 'test/http/operations/get-accounts.ts',
  'src/http/operations/get-category.ts': 'test/http/operations/get-accounts.ts',
  'src/http/operations/get-counterpart-transactions.ts': 'test/http/operations/get-transactions.ts',
  'src/http/operations/get-transaction.ts': 'test/http/operations/get-accounts.ts',
  'src/http/operations/match-account-transactions.ts': 'test/http/operations/match-transactions.ts',
  'src/http/operations/match-counterpart-transactions.ts':
    'test/http/operations/match-transactions.ts',
  'src/http/operations/match-page.ts': 'test/http/operations/match-changes.ts',
  'src/http/operations/search-account-transactions.ts':
    'test/http/operations/search-transactions.ts',
  'src/http/operations/search-counterpart-transactions.ts':
    'test/http/operations/search-transactions.ts',
  'src/http/operations/transaction-page.ts': 'test/http/operations/get-transactions.ts',
  'src/http/admitted-request.ts': 'test/http/server.ts',
  'src/http/service-state.ts': 'test/http/server.ts',
  'src/http/inquiry.ts': 'test/http/server.ts',
  'src/http/exchange-node.ts': 'test/http/engines.ts',
  'src/http/exchange-uws.ts': 'test/http/engines.ts',
  'src/http/guard.ts': 'test/http/engines.ts',
  'src/mcp/tools/compact.ts': 'test/mcp/tools/get-transactions.ts',
  'src/mcp/tools/fields.ts': 'test/mcp/tools/get-transactions.ts',
  'src/mcp/tools/output-schema.ts': 'test/mcp/tools/get-transactions.ts',
  'src/mcp/tools/tool-call.ts': 'test/mcp/tools/get-transactions.ts',
  'src/mcp/tools/tool-inquiry.ts': 'test/mcp/tools/get-transactions.ts',
  'src/mcp/tools/transaction-question.ts': 'test/mcp/tools/get-transactions.ts',
  'src/match/codes.ts': 'test/match/score.ts',
  'src/match/compact.ts': 'test/match/score.ts',
  'src/match/costs.ts': 'test/match/score.ts',
  'src/match/edges.ts': 'test/match/score.ts',
  'src/match/edits.ts': 'test/match/score.ts',
  'src/match/fields.ts': 'test/match/score.ts',
  'src/match/keyword.ts': 'test/match/score.ts',
  'src/match/marks.ts': 'test/match/alignment.ts',
  'src/match/match-index.ts': 'test/match/match-index-builder.ts',
  'src/match/primanota.ts': 'test/match/score.ts',
  'src/match/trace.ts': 'test/match/score.ts',
  'src/match/words.ts': 'test/match/score.ts',
  'src/match/candidates.ts': 'test/match/scan.ts',
  'src/match/code-run.ts': 'test/match/scan.ts',
  'src/match/sought.ts': 'test/match/unit-score.ts',
  'src/match/requirement.ts': 'test/match/scan.ts',
  'src/match/chunks.ts': 'test/match/reference.ts',
  'src/match/units.ts': 'test/match/reference.ts',
  'src/match/word-units.ts': 'test/match/reference.ts',
  'src/cli/mcp-endpoints.ts': 'test/mcp/routes.ts',
  'src/mcp/challenge.ts': 'test/mcp/routes.ts',
  'src/mcp/mcp-error.ts': 'test/mcp/answer-call.ts',
  'src/mcp/resource-metadata.ts': 'test/mcp/routes.ts',
  'src/oauth/authorization-request.ts': 'test/oauth/errors/authorize.ts',
  'src/oauth/client-authentication.ts': 'test/oauth/errors/token.ts',
  'src/oauth/client-metadata.ts': 'test/oauth/register.ts',
  'src/oauth/form-body.ts': 'test/oauth/errors/token.ts',
  'src/oauth/oauth-error.ts': 'test/oauth/errors/token.ts',
  'src/oauth/token-context.ts': 'test/oauth/token.ts',
  'src/snapshot/raw-columns.ts': 'test/snapshot/build.ts',
  'src/snapshot/row-bytes.ts': 'test/snapshot/build.ts',
  'src/query/listed-rows.ts': 'test/query/sums.ts',
  'src/query/selections.ts': 'test/query/search.ts',
  'src/snapshot/thread-pool.ts': 'test/snapshot/builder-pool.ts',
  'src/free-text/search-task.ts': 'test/snapshot/search-pool.ts',
  'src/store/sequence.ts': 'test/store/workspace-file.ts',
  'src/store/store-error.ts': 'test/store/database.ts',
  'src/wire/filter-rows.ts': 'test/wire/list-query.ts',
  'src/wire/byte-ranges.ts': 'test/wire/page-json.ts',
  'src/wire/gather.ts': 'test/wire/page-json.ts',
  'src/statements/statement.ts': 'test/statements/camt053/camt053.ts',
  'src/statements/bank-reference.ts': 'test/statements/camt053/camt053.ts',
  'src/statements/camt053/camt-detail.ts': 'test/statements/camt053/camt053.ts',
  'src/statements/camt053/camt-entry.ts': 'test/statements/camt053/camt053.ts',
  'src/statements/camt053/camt-fields.ts': 'test/statements/camt053/camt053.ts',
  'src/statements/mt940/mt940-lines.ts': 'test/statements/mt940/mt940.ts',
  'src/statements/mt940/mt940-cut.ts': 'test/statements/mt940/mt940.ts',
  'src/statements/mt940/mt940-details.ts': 'test/statements/mt940/mt940.ts',
  'src/statements/mt940/mt940-fields.ts': 'test/statements/mt940/mt940.ts',
  'src/statements/mt940/slash-keywords.ts': 'test/statements/sepa-keywords.ts',
  'src/statements/text-field.ts': 'test/statements/sepa-keywords.ts',
  'src/statements/mt940/transaction-types.ts': 'test/statements/mt940/mt940.ts',
}

const root = resolve(import.meta.dirname, '../..')

function sourcesUnder(folder: string): string[] {
  const path = join(root, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
    .sort()
}

const programFiles = [...sourcesUnder('src'), ...sourcesUnder('workers')]
const allFiles = [...programFiles, ...['test', 'bench', 'matrix', 'fuzz'].flatMap(sourcesUnder)]

/** The source that is compiled to the file that an import names. */
function sourceOf(folder: string, from: string): string {
  const compiled = relative(root, resolve(root, folder, from))
  const plain = compiled.replace(/\.js$/, '.ts')
  return existsSync(join(root, plain)) ? plain : `${plain}x`
}

/** Most tests of pages hold none of their markup. */
function plainOf(file: string): string {
  return file.replace(/\.tsx$/, '.ts')
}

function parse(file: string): ts.SourceFile {
  const text = readFileSync(join(root, file), 'utf8')
  return ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true)
}

function importsOf(file: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const names = ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
    const isLater =
      ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
    const from = names ? node.moduleSpecifier : isLater ? node.arguments[0] : undefined
    if (from !== undefined && ts.isStringLiteral(from)) found.push(from.text)
    ts.forEachChild(node, visit)
  }
  visit(parse(file))
  return found
}

/** The files that importing this one loads, itself among them. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  for (const statement of parse(file).statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue
    const isErased = ts.isImportDeclaration(statement)
      ? statement.importClause?.isTypeOnly === true
      : statement.isTypeOnly
    const from = statement.moduleSpecifier
    if (isErased || from === undefined || !ts.isStringLiteral(from)) continue
    if (from.text.startsWith('.')) {
      loadedWith(sourceOf(dirname(file), from.text), loaded)
    }
  }
  return loaded
}

function rankOf(file: string): number {
  const room = (relative('src', file).split('/')[0] ?? '').replace(/\.tsx?$/, '')
  return RANKS.findIndex((row) => row.includes(room))
}

/** A file of types and constants alone has nothing to run, so nothing to test. */
function hasFunctions(file: string): boolean {
  let found = false
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) found = true
    if (!found) ts.forEachChild(node, visit)
  }
  visit(parse(file))
  return found
}

test('a service loads no reader, no demo, no OpenAPI and no MCP before it has to', async (t) => {
  const loaded = [...loadedWith('src/main.ts'), ...loadedWith('src/cli/serve.ts')]
  t.ok(loaded.includes('src/http/server.ts'))
  // What an import refuses is known to whoever prints it.
  const known = ['src/statements/statement.ts']
  t.same(
    loaded.filter(
      (file) =>
        /^src\/(statements|demo|openapi|mcp\/protocol\.ts)/.test(file) && !known.includes(file),
    ),
    [],
  )
})

test('kontor health loads nothing of the store, a service nothing of prom-client', async (t) => {
  const files = ['main', 'cli/run', 'cli/commands', 'cli/terminal', 'cli/health']
  const loaded = new Set<string>()
  for (const file of files) loadedWith(`src/${file}.ts`, loaded)
  const heavy = [...loaded].filter((file) => /^src\/(store|snapshot|query|wire|match)\//.test(file))
  t.same(heavy, ['src/store/store-error.ts'], 'but for the error that any command may throw')
  const served = [...loadedWith('src/cli/serve.ts')]
  t.same(
    served.filter((file) => file.startsWith('src/metrics/')),
    [],
  )
})

test('imports point one way', async (t) => {
  for (const file of programFiles) {
    for (const from of importsOf(file)) {
      if (!from.startsWith('.')) continue
      const target = sourceOf(dirname(file), from)
      t.ok(existsSync(join(root, target)), `${file}: ${target} exists`)
      t.notMatch(target, /^(test|bench)\//, `${file} does not import ${target}`)
      if (file.startsWith('workers/')) continue
      t.notMatch(target, /^workers\//, `${file} names a worker by URL only, not ${target}`)
      if (target.startsWith('workers/')) continue
      t.not(rankOf(file), -1, `${file}: its folder has a rank`)
      const sameRoom =
        dirname(target) === dirname(file) || target.split('/')[1] === file.split('/')[1]
      t.ok(sameRoom || rankOf(target) < rankOf(file), `${file} may import ${target}`)
    }
  }
})

test('one foreign library, one door', async (t) => {
  for (const file of programFiles) {
    for (const from of importsOf(file)) {
      if (from.startsWith('.') || from.startsWith('node:')) continue
      const library = from.startsWith('@')
        ? from.split('/').slice(0, 2).join('/')
        : from.split('/')[0]
      if (library === 'typia') continue
      const door = DOORS[library ?? '']
      t.ok(door !== undefined && file.startsWith(door), `${file} may import ${library}`)
    }
  }
})

test('lines, functions and files are short enough to read', async (t) => {
  for (const file of allFiles) {
    const source = parse(file)
    const lines = source.text.split('\n')
    t.ok(lines.length <= FILE_LINES_MAX, `${file}: ${lines.length} lines`)
    lines.forEach((line, i) => {
      if (line.length > LINE_COLUMNS_MAX) t.fail(`${file}:${i + 1}: ${line.length} columns`)
    })
    if (file.startsWith('test/')) continue
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
        const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line
        const last = source.getLineAndCharacterOfPosition(node.end).line
        const length = last - first + 1
        if (length > FUNCTION_LINES_MAX) t.fail(`${file}:${first + 1}: function of ${length} lines`)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
})

test('what is refused in review is not there', async (t) => {
  for (const file of allFiles) {
    const source = parse(file)
    t.notMatch(
      file,
      /(^|\/)(utils?|helpers?|common|shared|misc|index)(\.tsx?|\/)/,
      `${file}: its name`,
    )
    const visit = (node: ts.Node): void => {
      const at = `${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`
      if (node.kind === ts.SyntaxKind.AnyKeyword) t.fail(`${at}: any`)
      if (ts.isExportDeclaration(node) && node.exportClause === undefined) t.fail(`${at}: export *`)
      if (ts.isExportAssignment(node)) t.fail(`${at}: default export`)
      if (ts.isCatchClause(node) && node.variableDeclaration === undefined) {
        t.fail(`${at}: a catch that does not look at what it caught`)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    const words = new RegExp(
      ['@ts-(ignore|nocheck)', 'biome-ignore', 'TO' + 'DO', 'FIX' + 'ME'].join('|'),
    )
    if (file !== 'test/tidy.ts') t.notMatch(source.text, words, `${file}: no silenced check`)
  }
})

test('money and time are read and printed in one place each', async (t) => {
  for (const file of programFiles) {
    const text = parse(file).text
    if (file !== 'src/money.ts') t.notMatch(text, /parseFloat|toFixed/, `${file}: amounts`)
    if (file !== 'src/instant.ts') t.notMatch(text, /new Date\(/, `${file}: instants`)
  }
})

test('every file that does something has a test', async (t) => {
  for (const file of programFiles) {
    if (!hasFunctions(file)) continue
    const mirror = TESTED_BY[file] ?? join('test', relative('src', file))
    const isThere = existsSync(join(root, mirror)) || existsSync(join(root, plainOf(mirror)))
    t.ok(isThere, `${file} is tested by ${mirror}`)
  }
  for (const [file, mirror] of Object.entries(TESTED_BY)) {
    t.ok(existsSync(join(root, file)), `${file} still exists, tested by ${mirror}`)
  }
})
