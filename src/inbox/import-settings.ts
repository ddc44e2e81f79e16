import { open } from 'node:fs/promises'
import { CommandError } from '../errors.js'
import { compactCode, isIban, looksLikeIban } from '../iban.js'
import { ENCODING_NAMES } from '../statements/encoding-names.js'
import { nearestName } from '../text/nearest.js'
import type { ImportSettings } from '../threads/import-task.js'
import { isRegular, SETTINGS_NAME } from './found-files.js'
import { causeOf, codeOf, FILE_FLAGS, type HeldFolder } from './held-folder.js'

/** Size of an import.json: a mapping of every column of a wide table, several times. */
const SETTINGS_BYTES_MAX = 65_536

/** A member of import.json, with the meaning of the flag of `kontor import` of the same name. */
type SettingRow = TextRow | SwitchRow

interface TextRow {
  readonly type: 'string'
  /** A valid value, as in JSON. */
  readonly example: string
  /** The fault of a value, as the end of a sentence; undefined = none. */
  faultOf(value: string): string | undefined | Promise<string | undefined>
  settingOf(value: string): ImportSettings
}

interface SwitchRow {
  readonly type: 'boolean'
  readonly example: string
  settingOf(value: boolean): ImportSettings
}

/** All members of import.json. A new option of imports is a row here. */
const SETTING_ROWS = {
  account: {
    type: 'string',
    example: '"DE02120300000000202051"',
    faultOf: (value) => {
      const code = compactCode(value)
      if (value.trim() === '') return 'an IBAN or an account number is expected'
      if (!looksLikeIban(code) || isIban(code)) return undefined
      return 'the IBAN is not valid: its length or check digits are wrong'
    },
    settingOf: (account) => ({ account }),
  },
  currency: {
    type: 'string',
    example: '"EUR"',
    faultOf: (value) =>
      /^[A-Z]{3}$/.test(value) ? undefined : 'three capital letters are expected',
    settingOf: (currency) => ({ currency }),
  },
  columns: {
    type: 'string',
    example: '"amount=Betrag,bookingDate=Buchungstag"',
    faultOf: faultOfColumns,
    settingOf: (columns) => ({ columns }),
  },
  encoding: {
    type: 'string',
    example: '"windows-1252"',
    faultOf: (value) =>
      ENCODING_NAMES.some((name) => name === value)
        ? undefined
        : `one of ${ENCODING_NAMES.join(', ')} is expected`,
    settingOf: (encoding) => ({ encoding }),
  },
  include: {
    type: 'string',
    example: '"notifications"',
    faultOf: (value) => (value === 'notifications' ? undefined : 'it is not known'),
    settingOf: () => ({ includesNotifications: true }),
  },
  lenient: { type: 'boolean', example: 'true', settingOf: (lenient) => ({ lenient }) },
  'many-accounts': {
    type: 'boolean',
    example: 'true',
    settingOf: (allowsManyAccounts) => ({ allowsManyAccounts }),
  },
} as const satisfies Record<string, SettingRow>

type SettingName = keyof typeof SETTING_ROWS

/** The options of a folder's files, or a sentence on the fault of its import.json. */
export type ReadSettings = { readonly settings: ImportSettings } | { readonly fault: string }

/** Reads the import.json of a folder. */
export async function readSettings(folder: HeldFolder): Promise<ReadSettings> {
  try {
    const file = await open(folder.at(SETTINGS_NAME), FILE_FLAGS)
    try {
      const stats = await file.stat({ bigint: true })
      if (!isRegular(stats)) return { fault: `${SETTINGS_NAME}: it is not a regular file` }
      if (stats.size > SETTINGS_BYTES_MAX) {
        return { fault: `${SETTINGS_NAME} has more than ${SETTINGS_BYTES_MAX} bytes` }
      }
      return parseSettings(await file.readFile('utf8'))
    } finally {
      await file.close()
    }
  } catch (error) {
    const isLink = codeOf(error) === 'ELOOP'
    const advice = isLink ? '; replace the link with a copy of its target' : ''
    return { fault: `${SETTINGS_NAME} cannot be read: ${causeOf(error)}${advice}` }
  }
}

/** Parses the text of an import.json. */
export async function parseSettings(text: string): Promise<ReadSettings> {
  const members = membersOf(text)
  if (members === undefined) {
    return { fault: `${SETTINGS_NAME} is not a JSON object; for example ${EXAMPLE}` }
  }
  let settings: ImportSettings = {}
  for (const [name, value] of Object.entries(members)) {
    const read = await readMember(name, value)
    if ('fault' in read) return { fault: `${SETTINGS_NAME}: ${read.fault}` }
    settings = { ...settings, ...read.settings }
  }
  return { settings }
}

function membersOf(text: string): object | undefined {
  let value: unknown
  try {
    // Editors on Windows write a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

async function readMember(name: string, value: unknown): Promise<ReadSettings> {
  const row: SettingRow | undefined = isSettingName(name) ? SETTING_ROWS[name] : undefined
  const shown = JSON.stringify(name)
  if (row === undefined) {
    const nearest = nearestName(name, SETTING_NAMES)
    const advice = nearest === undefined ? '' : `did you mean "${nearest}"? `
    const options = `The options are ${LISTED}, such as ${EXAMPLE}`
    return { fault: `there is no option ${shown}; ${advice}${options}` }
  }
  const example = `for example {${shown}: ${row.example}}`
  if (row.type === 'boolean' && typeof value === 'boolean') {
    return { settings: row.settingOf(value) }
  }
  if (row.type !== 'string' || typeof value !== 'string') {
    return { fault: `${shown} must be a ${row.type}, not ${typeWord(value)}; ${example}` }
  }
  const fault = await row.faultOf(value)
  if (fault === undefined) return { settings: row.settingOf(value) }
  return { fault: `${shown}: ${JSON.stringify(value)}: ${fault}; ${example}` }
}

/** The type alone: a value may be long, or nested too deeply to be serialized. */
function typeWord(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Loads the readers, which few folders need before their first import. */
async function faultOfColumns(value: string): Promise<string | undefined> {
  const { FORMATS } = await import('../statements/formats.js')
  try {
    FORMATS.parseColumns(value)
    return undefined
  } catch (error) {
    if (error instanceof CommandError)
      return error.message.replace(/^--columns: /, '').replace('--columns ', '')
    throw error
  }
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTING_ROWS, name)
}

const SETTING_NAMES = Object.keys(SETTING_ROWS)

const LISTED = `${SETTING_NAMES.slice(0, -1).join(', ')} and ${SETTING_NAMES.at(-1)}`

const EXAMPLE = `{"account": ${SETTING_ROWS.account.example}, "currency": "EUR"}`
