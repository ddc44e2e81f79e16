import typia from 'typia'
import type { Account } from '../../domain/account.js'
import type { Category } from '../../domain/category.js'
import type {
  Counterpart,
  PayPal,
  Transaction,
  TransactionAccount,
} from '../../domain/transaction.js'
import { messageOf } from '../../errors.js'
import { nearestName } from '../../text/nearest.js'
import { StatementError } from '../statement.js'
import { numberChangedByParsing } from './json-numbers.js'
import type { NumberedLine } from './ndjson-lines.js'

/** Characters of a refused value that a message repeats: enough to find it, too few to flood. */
const QUOTED_CHARS_MAX = 60

/** Levels of a refused JSON value that a message repeats: more than valid values have. */
const QUOTED_LEVELS_MAX = 8

/** An account in a line of NDJSON (docs/contract/commands.md, "NDJSON"). */
export interface AccountLine extends Partial<Account> {
  kind: 'account'
}

/** A category in a line of NDJSON. */
export interface CategoryLine extends Partial<Category> {
  kind: 'category'
  name: string
}

/** A transaction in a line of NDJSON. */
export interface TransactionLine extends Partial<Transaction> {
  kind?: 'transaction'
  amount: number
}

/** The content of one line. */
export type ResourceLine = AccountLine | CategoryLine | TransactionLine

/** Compiled once, for valid lines; an invalid line is checked a second time for its message. */
const isAccountLine = typia.createEquals<AccountLine>()
const isCategoryLine = typia.createEquals<CategoryLine>()
const isTransactionLine = typia.createEquals<TransactionLine>()
const validateAccountLine = typia.createValidateEquals<AccountLine>()
const validateCategoryLine = typia.createValidateEquals<CategoryLine>()
const validateTransactionLine = typia.createValidateEquals<TransactionLine>()

type Validation = ReturnType<
  typeof validateAccountLine | typeof validateCategoryLine | typeof validateTransactionLine
>

const KINDS = ['account', 'category', 'transaction']

/** Allowed names of members, by kind, and by the member of an object. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  account: typia.misc.literals<keyof AccountLine>(),
  category: typia.misc.literals<keyof CategoryLine>(),
  transaction: typia.misc.literals<keyof TransactionLine>(),
  'category.parentCategory': ['id', 'name'],
  'transaction.category': ['id', 'name'],
  'transaction.parentCategory': ['id', 'name'],
  'transaction.account': typia.misc.literals<keyof TransactionAccount>(),
  'transaction.counterpart': typia.misc.literals<keyof Counterpart>(),
  'transaction.paypal': typia.misc.literals<keyof PayPal>(),
}

/**
 * Reads one line. Checks JSON, members, types and the shape of dates, but not whether dates exist,
 * amounts fit or ids are known. Every number is exactly that of the line.
 * @throws StatementError that names the line, the member and the allowed values
 */
export function parseResource({ number, text }: NumberedLine): ResourceLine {
  const position = `line ${number}`
  const value = parseJson(position, text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new StatementError({ position, message: `${quoted(value)} is not a JSON object` })
  }
  const changed = numberChangedByParsing(text)
  if (changed !== undefined) {
    throw new StatementError({
      position,
      field: changed.member,
      message: `${quoted(changed.text).slice(1, -1)} has more digits than can be stored exactly`,
    })
  }
  const kind: unknown = 'kind' in value ? value.kind : 'transaction'
  if (kind === 'transaction') {
    if (isTransactionLine(value)) return value
    throw faultOf(position, kind, validateTransactionLine(value))
  }
  if (kind === 'account') {
    if (isAccountLine(value)) return value
    throw faultOf(position, kind, validateAccountLine(value))
  }
  if (kind === 'category') {
    if (isCategoryLine(value)) return value
    throw faultOf(position, kind, validateCategoryLine(value))
  }
  throw new StatementError({
    position,
    field: 'kind',
    message: `${quoted(kind)} is not a kind; allowed are ${KINDS.join(', ')}`,
  })
}

/** A value as messages quote it: JSON, truncated. */
export function quoted(value: unknown): string {
  // JSON.parse reads any depth, but JSON.stringify overflows the stack.
  if (depthOf(value) > QUOTED_LEVELS_MAX) return 'a deeply nested value'
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= QUOTED_CHARS_MAX ? text : `${text.slice(0, QUOTED_CHARS_MAX)}…`
}

/** Levels of lists and objects in a value; descends at most one level beyond QUOTED_LEVELS_MAX. */
function depthOf(value: unknown, level = 0): number {
  if (typeof value !== 'object' || value === null || level > QUOTED_LEVELS_MAX) return level
  let deepest = level + 1
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, level + 1))
  return deepest
}

function parseJson(position: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const message = text.includes('\0')
      ? 'it contains a NUL character; is the file NDJSON in UTF-8?'
      : `it is not JSON (${messageOf(error)})`
    throw new StatementError({ position, message }, { cause: error })
  }
}

function faultOf(position: string, kind: string, validation: Validation): StatementError {
  const error = validation.success ? undefined : validation.errors[0]
  if (error === undefined) return new StatementError({ position, message: 'it cannot be read' })
  const path = error.path.replace(/^\$input\.?/, '')
  // A name that is not an identifier is in brackets: `$input["a b"]`.
  const member = path.replace(/\.?\["((?:[^"\\]|\\.)*)"\]/g, '.$1').replace(/^\./, '')
  const message =
    error.expected === 'undefined'
      ? unknownMember(kind, member)
      : error.value === undefined
        ? `it is missing; ${expectation(error.expected)}`
        : `${quoted(error.value)} is not allowed; ${expectation(error.expected)}`
  return new StatementError({ position, field: quoted(member).slice(1, -1), message })
}

function unknownMember(kind: string, member: string): string {
  const dot = member.lastIndexOf('.')
  const holder = dot === -1 ? kind : `${kind}.${member.slice(0, dot)}`
  const known = MEMBERS[holder] ?? []
  const nearest = nearestName(member.slice(dot + 1), known)
  const advice =
    nearest === undefined ? `allowed are ${known.join(', ')}` : `did you mean ${nearest}?`
  return `${holder.replace('.', ' ')} has no such member; ${advice}`
}

/** The expectation of typia in words. */
function expectation(expected: string): string {
  if (/int64|Minimum|Maximum/.test(expected))
    return 'a whole number from 1 to 9007199254740991 is expected'
  if (expected.includes('\\d{4}')) return 'a string such as "2026-01-31T00:00:00.000Z" is expected'
  if (expected.includes('[A-Z]{3}')) return 'three capital letters such as "EUR" are expected'
  if (expected.startsWith('number') || expected.startsWith('(number')) {
    return 'a number without quotes is expected'
  }
  if (expected.includes('string')) return 'a string is expected (omit unknown values)'
  return 'an object is expected'
}
