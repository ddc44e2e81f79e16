import { isUtf8 } from 'node:buffer'
import type { AdminContext } from '../admin/admin-context.js'
import {
  changePassword,
  createOperator,
  deleteOperator,
  listOperators,
} from '../admin/operators.js'
import { PASSWORD_BYTES_MAX, passwordFault } from '../auth/password.js'
import { CommandError } from '../errors.js'
import { formatInstant } from '../instant.js'
import type { Store } from '../store/store.js'
import { type CommandGroup, defineCommand } from './command.js'
import { adminOf, requireFound, withAdmin, withStore } from './control.js'
import { readName } from './credential-flags.js'
import { tableText } from './table.js'
import type { Terminal } from './terminal.js'

const LISTING = 'kontor operators list'

const createCommand = defineCommand({
  name: 'create',
  summary: 'create an operator, who can sign in and grant access',
  description:
    'Asks for a password twice without showing it; if standard input is not a terminal, its\n' +
    'single line is the password. Only a slow hash of it (scrypt) is stored.',
  flags: { name: { kind: 'text', placeholder: 'N', summary: 'the same as NAME' } },
  positionals: { placeholder: 'NAME', summary: 'name to sign in with', min: 0, max: 1 },
  examples: ['kontor operators create anna', 'kontor operators create anna --json < password.txt'],
  run: async (call) => {
    const { flags, positionals, stdout } = call
    const [positional] = positionals
    if ((positional === undefined) === (flags.name === undefined)) {
      throw new CommandError('usage', 'NAME is needed exactly once: the name to sign in with')
    }
    const name = readName('NAME', positional ?? flags.name ?? '')
    const password = await readPassword(call)
    const create = (store: Store): Promise<number | undefined> =>
      createOperator(adminOf(store), { name, password })
    const id = await withStore(call, create, { makesDirectory: true })
    if (id === undefined) {
      const taken = `operator ${JSON.stringify(name)} already exists`
      throw new CommandError('failed', `${taken}; ${LISTING} shows all`)
    }
    const text = `operator ${id} can sign in as ${name}`
    await stdout.write(`${flags.json ? JSON.stringify({ id, name }) : text}\n`)
  },
})

/** @throws CommandError when it is not acceptable, the two differ, or the person cancels */
async function readPassword(terminal: Terminal): Promise<string> {
  const password = await readTyped(terminal)
  const fault = passwordFault(password)
  if (fault !== undefined) throw new CommandError('failed', `the password ${fault}`)
  return password
}

async function readTyped({ stdin, keyboard }: Terminal): Promise<string> {
  if (keyboard === undefined) return readLine(stdin)
  const password = await keyboard.readSecret('Password: ')
  if ((await keyboard.readSecret('Repeat password: ')) === password) return password
  throw new CommandError('failed', 'the two passwords differ; nothing was changed')
}

/** All of the input, without the line end that an editor or echo has appended. */
async function readLine(stdin: Terminal['stdin']): Promise<string> {
  const pieces: Uint8Array[] = []
  let byteCount = 0
  for await (const piece of stdin) {
    pieces.push(piece)
    byteCount += piece.length
    // Too long in any case; the message does not need the whole text in memory.
    if (byteCount > 2 * PASSWORD_BYTES_MAX) break
  }
  const bytes = Buffer.concat(pieces)
  if (!isUtf8(bytes)) throw new CommandError('failed', 'the password must be UTF-8 text')
  return bytes.toString('utf8').replace(/\r?\n$/, '')
}

const listCommand = defineCommand({
  name: 'list',
  summary: 'list operators',
  description: 'Lists operators.',
  flags: {},
  examples: [LISTING],
  run: async (call) => {
    const { flags, stdout } = call
    const found = await withAdmin(call, listOperators)
    const operators = found.map(({ id, name, createdAt }) => ({
      id,
      name,
      createdAt: formatInstant(createdAt),
    }))
    if (flags.json) return stdout.write(`${JSON.stringify(operators)}\n`)
    const cells = operators.map(({ id, name, createdAt }) => [id, createdAt, name])
    await stdout.write(tableText(['id', 'created', 'name'], cells))
  },
})

const deleteCommand = defineCommand({
  name: 'delete',
  summary: 'delete an operator',
  description:
    'Immediately ends all sessions of the operator. Access that the operator granted to clients\n' +
    'stays until it is revoked: kontor grants revoke, or kontor clients deactivate or delete.',
  flags: {},
  positionals: { placeholder: 'ID', summary: 'id or name, as listed', min: 1, max: 1 },
  examples: ['kontor operators delete 2', 'kontor operators delete anna'],
  run: async (call) => {
    const { flags, positionals, stdout } = call
    const text = positionals[0] ?? ''
    const deleted = await withAdmin(call, async (admin) => {
      const id = await operatorIdOf(admin, text)
      return id !== undefined && (await deleteOperator(admin, id)) ? id : undefined
    })
    requireFound(deleted !== undefined, 'operator', JSON.stringify(text), LISTING)
    const done = `operator ${deleted} is deleted`
    await stdout.write(`${flags.json ? JSON.stringify({ id: deleted }) : done}\n`)
  },
})

const passwordCommand = defineCommand({
  name: 'password',
  summary: 'change the password of an operator',
  description:
    'Reads the password like kontor operators create, and signs the operator out everywhere, so\n' +
    'the old password becomes useless immediately. Access granted to clients stays;\n' +
    'kontor grants revoke ends it.',
  flags: {},
  positionals: { placeholder: 'NAME', summary: 'name or id, as listed', min: 1, max: 1 },
  examples: ['kontor operators password anna', 'kontor operators password anna < password.txt'],
  run: async (call) => {
    const { flags, positionals, stdout } = call
    const text = positionals[0] ?? ''
    const known = await withAdmin(call, (admin) => operatorIdOf(admin, text))
    requireFound(known !== undefined, 'operator', JSON.stringify(text), LISTING)
    const password = await readPassword(call)
    const id = await withAdmin(call, async (admin) => {
      const wanted = (await operatorIdOf(admin, text)) ?? 0
      const isFound = await changePassword(admin, { id: wanted, password })
      return isFound ? wanted : undefined
    })
    requireFound(id !== undefined, 'operator', JSON.stringify(text), LISTING)
    const done = `password of operator ${id} changed; the operator is signed out everywhere`
    await stdout.write(`${flags.json ? JSON.stringify({ id }) : done}\n`)
  },
})

async function operatorIdOf(admin: AdminContext, text: string): Promise<number | undefined> {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  return (await listOperators(admin)).find(({ name }) => name === text.normalize('NFC'))?.id
}

/** `kontor operators …` */
export const operatorsCommands: CommandGroup = {
  kind: 'group',
  name: 'operators',
  summary: 'people who can sign in to the dashboard',
  commands: [createCommand, listCommand, passwordCommand, deleteCommand],
}
