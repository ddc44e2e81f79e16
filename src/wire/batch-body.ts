import typia, { type IValidation } from 'typia'
import type { BatchMatchQuery, BatchMatchRequest } from '../domain/batch-match.js'
import { ApiError, messageOf } from '../errors.js'
import { BATCH_LIMIT_MAX, BATCH_QUERIES_MAX } from '../limits.js'
import { type BodyMember, bodyFault, shownValue, unknownMember } from './body-fault.js'

/** Compiled once, for valid bodies; an invalid one is checked a second time for its message. */
const isRequest = typia.createEquals<BatchMatchRequest>()
const validateRequest = typia.createValidateEquals<BatchMatchRequest>()
const isQuery = typia.createEquals<BatchMatchQuery>()
const validateQuery = typia.createValidateEquals<BatchMatchQuery>()

/** The members of the body of a batch match. */
export const BATCH_MEMBERS = {
  queries: {
    expected: `a list of 1 to ${BATCH_QUERIES_MAX} queries`,
    example: '[{"id": "invoice 42", "query": "RE-2026-00042"}]',
  },
  threshold: { expected: 'a number from 0 to 1', example: '0.6' },
  limit: { expected: `a whole number from 1 to ${BATCH_LIMIT_MAX}`, example: '3' },
  explain: { expected: 'true or false', example: 'true' },
} as const satisfies Readonly<Record<keyof BatchMatchRequest, BodyMember>>

/** The members of one of its queries. */
export const BATCH_QUERY_MEMBERS = {
  id: { expected: 'a text', example: '"invoice 42"' },
  query: { expected: 'a text', example: '"RE-2026-00042"' },
  amount: { expected: 'a number or a decimal text', example: '574.7' },
  currency: { expected: 'three capital letters', example: '"EUR"' },
  counterpartName: { expected: 'a text', example: '"Muster Telekom AG"' },
  counterpartIban: { expected: 'a text', example: '"DE89370400440532013000"' },
} as const satisfies Readonly<Record<keyof BatchMatchQuery, BodyMember>>

const ONE_QUERY: BodyMember = {
  expected: 'an object',
  example: '{"id": "invoice 42", "query": "RE-2026-00042"}',
}

const EXAMPLE = `{"queries": ${BATCH_MEMBERS.queries.example}}`

/**
 * The body of a batch match: of the declared members and types; values are not checked further.
 * @throws ApiError 400 that names the member by its path, `queries[3].amount`
 */
export function readBatchBody(bytes: Uint8Array): BatchMatchRequest {
  const body = parsed(bytes)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw malformed(`must be a JSON object, not ${shownValue(body)}`)
  }
  if (isRequest(body)) return body
  throw faultOf(body)
}

function parsed(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw malformed('must be JSON in UTF-8')
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw malformed(`must be JSON (${messageOf(error)})`)
  }
}

function malformed(what: string): ApiError {
  return new ApiError('invalid_request', `The body ${what}; for example ${EXAMPLE}`)
}

/**
 * The first fault of a body that {@link isRequest} has refused. Only one query is validated: a
 * validation lists all faults, and a body may have a hundred thousand.
 */
function faultOf(body: object): ApiError {
  const queries: unknown = Reflect.get(body, 'queries')
  const others = Array.isArray(queries) ? { ...body, queries: [] } : body
  const error = firstError(validateRequest(others))
  if (error !== undefined) {
    return memberFault({ holder: '', name: nameIn(error.path) }, BATCH_MEMBERS, error)
  }
  const listed: readonly unknown[] = Array.isArray(queries) ? queries : []
  const place = listed.findIndex((query) => !isQuery(query))
  const holder = `queries[${place}]`
  const ofQuery = firstError(validateQuery(listed[place]))
  const name = nameIn(ofQuery?.path ?? '$input')
  if (ofQuery !== undefined && name !== '') {
    return memberFault({ holder, name }, BATCH_QUERY_MEMBERS, ofQuery)
  }
  return bodyFault(holder, ONE_QUERY, `must be an object, not ${shownValue(listed[place])}`)
}

function firstError(validation: IValidation): IValidation.IError | undefined {
  return validation.success ? undefined : validation.errors[0]
}

/** The member of a path of typia: `$input.amount`, or `$input["a b"]` of one with other letters. */
function nameIn(path: string): string {
  const part = path.slice('$input'.length)
  return part.startsWith('[') ? (JSON.parse(part.slice(1, -1)) as string) : part.slice(1)
}

interface MemberPlace {
  /** Path of the object; `''` = the body. */
  readonly holder: string
  readonly name: string
}

function memberFault(
  { holder, name }: MemberPlace,
  members: Readonly<Record<string, BodyMember>>,
  { value }: { readonly value: unknown },
): ApiError {
  const member = Object.hasOwn(members, name) ? members[name] : undefined
  if (member === undefined) return unknownMember(holder, name, members)
  const path = holder === '' ? name : `${holder}.${name}`
  if (value === undefined || value === null) return bodyFault(path, member, 'is missing')
  return bodyFault(path, member, `must be ${member.expected}, not ${shownValue(value)}`)
}
