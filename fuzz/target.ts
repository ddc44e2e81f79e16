import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Kontor, type RunningService } from '../matrix/kontor.js'
import { PageVisitor } from '../test/fixtures/page-visitor.js'
import type { BankFile, Ground } from './shot.js'

const ROOT = resolve(import.meta.dirname, '../..')
const OPERATOR = { name: 'ada', password: 'correct horse battery staple' }
const SESSION_COOKIE = 'kontor-session'
const WORDS_MAX = 400
/** Larger files would take most of the time. */
const FILE_BYTES_MAX = 60_000

/** Engine of the service. */
export type EngineName = 'uws' | 'node'

/** A service under fire, with its own demo company. */
export interface Target {
  readonly service: RunningService
  readonly port: number
  readonly ground: Ground
  /** Ends it and deletes its data. @returns its exit code, or the signal that ended it */
  stop(): Promise<number | string>
}

/** Creates a company, credentials of every kind and an operator, and serves them. */
export async function startTarget(engine: EngineName): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-fuzz-'))
  const preload = `--import=${new URL('./collect-garbage.js', import.meta.url).href}`
  const environment = {
    ...process.env,
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} ${preload}`,
  }
  const kontor = new Kontor({ command: join(ROOT, 'bin/kontor.mjs'), environment, folder }, 'data')
  try {
    const made = await makeCredentials(kontor)
    const flags = ['--engine', engine, '--match-budget-ms', '200']
    const service = await kontor.serve(flags)
    const ground = { ...made, ...(await groundOf(service.url, made.apiKey)) }
    const stop = async (): Promise<number | string> => {
      const how = await service.end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
      return how
    }
    return { service, port: Number(new URL(service.url).port), ground, stop }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

type Credentials = Pick<
  Ground,
  'apiKey' | 'restrictedKey' | 'mcpKey' | 'mcpPath' | 'issuerPath' | 'clientId'
>

async function makeCredentials(kontor: Kontor): Promise<Credentials> {
  const { apiKey } = (await kontor.json(['demo', '--transactions', '5000'])) as { apiKey: string }
  const one = ['keys', 'create', '--workspace', 'demo', '--accounts', '1']
  const { key } = (await kontor.json(one)) as { key: string }
  const mcp = ['--workspace', 'demo', '--type', 'mcp', '--name', 'Agent', '--dcr', '--mask-names']
  const { id } = (await kontor.json(['integrations', 'create', ...mcp])) as { id: string }
  const held = await kontor.json(['integrations', 'keys', 'create', '--integration', id])
  const client = ['--integration', id, '--type', 'public', '--redirect-uri', 'http://127.0.0.1:1/c']
  const { clientId } = (await kontor.json(['clients', 'create', ...client])) as { clientId: string }
  await kontor.run(['operators', 'create', OPERATOR.name], `${OPERATOR.password}\n`)
  const line = '{"kind":"account","id":1,"accountNumber":"4711","currency":"EUR"}\n'
  await kontor.run(['import', '--workspace', 'files', '--format', 'ndjson', '-'], line)
  const mcpPath = `/v1/demo/mcp/${id}`
  const { key: mcpKey } = held as { key: string }
  const issuerPath = `${mcpPath}/oauth2`
  return { apiKey, restrictedKey: key, mcpKey, mcpPath, issuerPath, clientId }
}

async function groundOf(
  url: string,
  apiKey: string,
): Promise<Pick<Ground, 'host' | 'cookie' | 'session' | 'words' | 'files'>> {
  const headers = { Authorization: `Bearer ${apiKey}` }
  const listed = await fetch(`${url}/v1/demo/transactions?limit=250`, { headers })
  const rows = (await listed.json()) as readonly { readonly purpose?: string }[]
  const words = rows.flatMap(({ purpose = '' }) => purpose.split(' ')).slice(0, WORDS_MAX)
  const visitor = new PageVisitor()
  const page = await visitor.get(`${url}/dashboard`)
  await visitor.submit(page, { ...OPERATOR, action: 'sign-in' })
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const session = visitor.cookies.get(SESSION_COOKIE)
  if (words.length === 0 || session === undefined) throw new Error('the sign-in failed')
  return { host: new URL(url).host, cookie, session, words, files: bankFiles() }
}

/** The package's example files, and real ones where KONTOR_STATEMENTS names a folder of them. */
function bankFiles(): BankFile[] {
  const folders = [join(ROOT, 'data/example'), process.env['KONTOR_STATEMENTS'] ?? '']
  return folders.filter(Boolean).flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => ({
        name: entry.name.replace(/[^\w.-]/g, '_'),
        bytes: readFileSync(join(entry.parentPath ?? entry.path, entry.name)),
      }))
      .filter(({ bytes }) => bytes.length > 0 && bytes.length <= FILE_BYTES_MAX),
  )
}
