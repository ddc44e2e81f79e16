// Runs each command with `--store`; none may print the password.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import type { Command, CommandEntry, CommandGroup } from '../../src/cli/command.js'
import { COMMANDS } from '../../src/cli/commands.js'
import { startKontor } from '../fixtures/child-process.js'
import { NOW_MS, someGrant } from '../fixtures/control.js'
import { connected } from '../fixtures/postgres.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { type Ended, runHere, type Surroundings } from '../fixtures/terminal.js'
import { postgresStore, type TestedStore } from '../fixtures/tested-store.js'

const ROWS =
  '{"kind":"account","id":1,"accountNumber":"7","currency":"EUR"}\n' +
  '{"id":1,"accountId":1,"amount":-1.50,"currency":"EUR"}\n'

/** What `keys create` prints. */
interface NewKey {
  readonly id: number
  readonly key: string
}

/** Runs commands on a store in PostgreSQL, and records which. */
class Commands {
  readonly run = new Set<string>()

  constructor(
    private readonly t: Test,
    readonly store: TestedStore,
    private readonly password: string,
  ) {}

  static async open(t: Test): Promise<Commands> {
    const store = await postgresStore(t)
    const [, password = ''] = /\/\/[^:]*:([^@]*)@/.exec(store.flags.at(-1) ?? '') ?? []
    t.ok(password.length > 8)
    await store.write('w', SAMPLE)
    return new Commands(t, store, password)
  }

  /** @param name the words before the flags */
  async end(
    name: string,
    words: readonly string[] = [],
    around: Surroundings = {},
  ): Promise<Ended> {
    const all = [...name.split(' '), ...words, ...this.store.flags]
    const ended = await runHere(all, { clock: () => NOW_MS, ...around })
    this.note(name, ended)
    return ended
  }

  /** Records a command that has ended, and asserts that its output has no password. */
  note(name: string, { stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>): void {
    this.run.add(name)
    this.t.notMatch(stdout + stderr, this.password, `${name} shows no password`)
  }

  /** Output of a command that succeeds. */
  async text(
    name: string,
    words: readonly string[] = [],
    around: Surroundings = {},
  ): Promise<string> {
    const ended = await this.end(name, words, around)
    this.t.match(ended, { code: 0, stderr: '' }, name)
    return ended.stdout
  }

  /** The same, parsed. */
  async json<Result>(name: string, words: readonly string[] = []): Promise<Result> {
    return JSON.parse(await this.text(name, [...words, '--json'])) as Result
  }
}

async function namesOf(entries: readonly CommandEntry[], path: string): Promise<string[]> {
  const names: string[] = []
  for (const entry of entries) {
    const loaded: Command | CommandGroup = entry.kind === 'unloaded' ? await entry.load() : entry
    const name = path === '' ? loaded.name : `${path} ${loaded.name}`
    if (loaded.kind === 'command') names.push(name)
    names.push(...(await namesOf(loaded.commands ?? [], name)))
  }
  return names
}

test('each command works on PostgreSQL, or says why not', async (t) => {
  const commands = await Commands.open(t)
  await useWorkspaces(t, commands)
  await useKeys(t, commands)
  await useIntegrations(t, commands)
  await useOperators(t, commands)
  await importSome(t, commands)
  await refuse(t, commands)
  await useAudit(t, commands)
  const { controlPath, path } = commands.store.directory
  for (const made of [controlPath, join(path, 'workspaces')]) {
    t.notOk(existsSync(made), `${made} is not made`)
  }
  await serve(t, commands)
  await copy(t, commands)
  t.match(await commands.text('workspaces delete', ['w']), /^workspace w is deleted: 3 keys, 0/)
  t.match(await commands.json('workspaces list'), [{ workspaceId: 'demo' }, { workspaceId: 'new' }])
  t.same([...commands.run].sort(), (await namesOf(COMMANDS, '')).sort())
})

async function useWorkspaces(t: Test, commands: Commands): Promise<void> {
  t.same(await commands.json('workspaces list'), [
    { workspaceId: 'w', state: 'ok', accounts: 3, transactions: 302 },
  ])
  const lines = (await commands.text('export', ['--workspace', 'w'])).split('\n')
  t.equal(lines.length - 1, 3 + 3 + 302)
  t.match(await commands.end('export', ['--workspace', 'none']), {
    code: 1,
    stderr: /^kontor: there is no workspace none in postgres:/,
  })
}

async function useKeys(t: Test, commands: Commands): Promise<void> {
  const words = ['--workspace', 'w', '--accounts', '1,2']
  const { id } = await commands.json<NewKey>('keys create', words)
  t.match(await commands.end('keys create', ['--workspace', 'w', '--accounts', '9']), {
    code: 1,
    stderr: /workspace w has no account 9/,
  })
  t.match(await commands.text('keys rotate', [`${id}`]), /^key 2, shown only once: sk-/)
  t.match(await commands.json('keys revoke', ['2']), { id: 2 })
  t.match(await commands.json('keys list'), [
    { id: 1, state: 'active', replacedBy: 2 },
    { id: 2, state: 'revoked' },
  ])
}

async function useIntegrations(t: Test, commands: Commands): Promise<void> {
  const words = ['--workspace', 'w', '--type', 'mcp', '--name', 'Agent']
  const { id } = await commands.json<{ id: string }>('integrations create', words)
  await commands.text('integrations deactivate', [id])
  t.match(await commands.json('integrations list'), [{ id, state: 'inactive' }])
  await commands.text('integrations activate', [id])
  const of = ['--integration', id]
  t.match(await commands.json('integrations keys create', of), { id: 1, key: /^mcp-/ })
  await commands.text('integrations keys revoke', ['1'])
  t.match(await commands.json('integrations keys list'), [{ id: 1, state: 'revoked' }])
  const app = ['--type', 'public', '--redirect-uri', 'https://app.example.org/cb', '--name', 'App']
  const { clientId } = await commands.json<{ clientId: string }>('clients create', [...of, ...app])
  await commands.text('clients deactivate', [clientId])
  await commands.text('clients activate', [clientId])
  t.match(await commands.json('clients list'), [{ clientId, state: 'active' }])
  await someGrant(commands.store.control, { id: clientId, integrationId: id })
  await commands.text('grants revoke', ['1'])
  t.match(await commands.json('grants list'), [{ id: 1, clientId }])
  const doctor = await commands.end('doctor', [...of, '--base-url', 'http://127.0.0.1:9'])
  t.match(doctor, { code: 1, stdout: /^ok .*the integration is active and has data$/m })
  await commands.text('clients delete', [clientId])
  await commands.text('integrations delete', [id])
  t.same(await commands.json('integrations list'), [])
}

async function useOperators(t: Test, commands: Commands): Promise<void> {
  const stdin = (): Surroundings => ({ stdin: [Buffer.from('a long password of anna\n')] })
  t.match(await commands.text('operators create', ['anna'], stdin()), 'operator 1 can sign in')
  t.match(await commands.text('operators password', ['anna'], stdin()), 'password of operator 1')
  t.match(await commands.json('operators list'), [{ id: 1, name: 'anna' }])
  await commands.text('operators delete', ['anna'])
}

async function importSome(t: Test, commands: Commands): Promise<void> {
  const around = { stdin: [Buffer.from(ROWS)] }
  t.match(await commands.text('import', ['--workspace', 'new', '-'], around), /^added +1$/m)
  const faulty = { stdin: [Buffer.from('what is this\n')] }
  t.match(await commands.end('import', ['--workspace', 'faulty', '-'], faulty), { code: 1 })
  t.equal(await commands.store.catalog.find('faulty'), undefined, 'an empty one is not left')
  t.match(await commands.json('demo', ['--transactions', '10']), { transactions: 10 })
  const inbox = join(commands.store.directory.path, 'inbox')
  mkdirSync(join(inbox, 'new'), { recursive: true })
  writeFileSync(join(inbox, 'new/a.ndjson'), ROWS)
  const lines = await commands.text('inbox', [inbox, '--once', '--settle', '0'])
  t.match(lines, /^new\/a.ndjson: 0 added, 1 already there/)
}

async function refuse(t: Test, commands: Commands): Promise<void> {
  for (const [name, words, stderr] of [
    ['backup', ['x'], /^kontor: --store: .*; pg_dump copies a database$/m],
    ['restore', ['x'], /^kontor: --store: .*; pg_restore restores what pg_dump copied$/m],
    ['check', [], /^kontor: --store: .*; pg_amcheck and pg_dump read a database$/m],
  ] as const) {
    t.match(await commands.end(name, words), { code: 2, stdout: '', stderr }, name)
  }
  // It sends requests to a server, and opens no store.
  t.match(await commands.end('health', ['--port', '1']), { code: 1 })
}

/** A serving process, and its end. */
async function serve(t: Test, commands: Commands): Promise<void> {
  const { key, id } = await commands.json<NewKey>('keys create', ['--workspace', 'w'])
  const kontor = startKontor(t, ['serve', '--port', '0', '--json', ...commands.store.flags])
  const { url } = JSON.parse(await kontor.firstLine()) as { url: string }
  const ask = async (): Promise<number> => {
    const headers = { Authorization: `Bearer ${key}` }
    return (await fetch(`${url}/v1/w/accounts`, { headers })).status
  }
  t.equal(await ask(), 200)
  t.match(await commands.json('nodes'), [{ program: /^\d/ }])
  await commands.text('keys revoke', [`${id}`])
  t.equal(await ask(), 401, 'the command returns when the node knows of it')
  kontor.child.kill('SIGTERM')
  t.equal(await kontor.ended, 0)
  commands.note('serve', kontor.output)
  t.match(kontor.output.stderr, /stopped/)
}

/** `store copy` has its own flags. */
async function copy(t: Test, commands: Commands): Promise<void> {
  const target = join(commands.store.directory.path, 'copy')
  const from = commands.store.flags.at(-1) ?? ''
  const ended = await runHere(['store', 'copy', '--from', from, '--to', target])
  t.match(ended, { code: 0, stdout: /^w +3 +302$/m })
  commands.note('store copy', ended)
}

async function useAudit(t: Test, commands: Commands): Promise<void> {
  const entries = await commands.json<{ action: string; at: string }[]>('audit')
  t.ok(entries.length > 15)
  t.equal(entries.at(-1)?.action, 'api_key.create')
  t.equal(entries.at(-1)?.at, '2026-07-01T00:00:00.000Z', 'the clocks of one machine agree')
  t.match(await commands.text('audit trim', ['--before', '2026-01-01']), 'removed 0 entries')
}

test('the variable selects the store too, and the flag wins', async (t) => {
  const commands = await Commands.open(t)
  const [, dataDir = '', , url = ''] = commands.store.flags
  const list = ['workspaces', 'list', '--json', '--data-dir', dataDir]
  const environment = { KONTOR_STORE: url }
  t.match(await runHere(list, { environment }), { code: 0, stdout: /"workspaceId":"w"/ })
  const others = 'postgres://u:secret@127.0.0.1:1/none'
  t.match(await runHere([...list, '--store', others], { environment }), {
    code: 1,
    stdout: '',
    stderr: /^kontor: postgres:\/\/127.0.0.1:1\/none: the server does not answer \(.*\); start it/,
  })
  t.match(await runHere([...list, '--store', 'secret'], { environment }), {
    code: 1,
    stderr: 'kontor: the URL of a PostgreSQL database has the form postgres://USER:PASSWORD@HOST',
  })
})

test('a process with a store ends by itself', async (t) => {
  const { store } = await Commands.open(t)
  const kontor = startKontor(t, ['workspaces', 'list', ...store.flags])
  t.equal(await kontor.ended, 0)
  t.match(kontor.output.stdout, /^w +ok +3 +302/m)
  t.equal(kontor.output.stderr, '')
})

/** The error of the import of {@link ROWS} into a new workspace, and the rows that are there. */
async function failedImport(t: Test, trigger: string) {
  const store = await postgresStore(t)
  const admin = await connected(t, store.flags.at(-1) ?? '')
  await admin.query(trigger)
  const file = join(t.testdir(), 'rows.ndjson')
  writeFileSync(file, ROWS)
  const words = ['import', '--workspace', 'new', file, ...store.flags]
  const { code, stderr } = await runHere(words, { clock: () => NOW_MS })
  const rows = await admin.query('SELECT id FROM kontor.transactions')
  const workspaces = await admin.query('SELECT id FROM kontor.workspaces')
  return { code, stderr, rows, workspaces }
}

test('an import that is kept and not recorded is not said to have imported nothing', async (t) => {
  const failed = await failedImport(
    t,
    `CREATE FUNCTION public.refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'not now'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON kontor_control.audit
      FOR EACH ROW EXECUTE FUNCTION public.refuse()`,
  )
  t.match(failed, { code: 1, stderr: /: not now/, rows: [{ id: 1 }], workspaces: [{ id: 'new' }] })
  t.notMatch(failed.stderr, /nothing was imported/)
})

test('of an import whose commit is lost nothing is claimed, and nothing deleted', async (t) => {
  const failed = await failedImport(
    t,
    `CREATE FUNCTION public.vanish() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER vanish AFTER INSERT ON kontor.transactions
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.vanish()`,
  )
  t.match(failed, { code: 1, stderr: /check before you repeat it/, workspaces: [{ id: 'new' }] })
  t.notMatch(failed.stderr, /nothing was imported/)
})
