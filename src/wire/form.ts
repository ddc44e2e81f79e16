import { decodeFormText } from './percent.js'

/** A fault of a form, with the parameter when its name can be shown. */
export interface FormFault {
  readonly kind: 'repeated' | 'malformed'
  /** undefined when a message should not repeat the name. */
  readonly name: string | undefined
}

/**
 * The parameters of an `application/x-www-form-urlencoded` text, a query or a body, parsed without
 * ambiguity: a parameter that is sent twice, or is not percent-encoded UTF-8, or holds NUL, has no
 * value at all, and neither has an empty one (RFC 6749, 3.1: as if omitted).
 */
export class Form {
  readonly #values = new Map<string, string[]>()
  readonly #malformed = new Set<string>()
  #hasMalformedName = false

  /** @param text without `?`; pairs are separated by `&`, empty pairs are skipped */
  constructor(text: string) {
    for (const pair of text.split('&')) if (pair !== '') this.#take(pair)
  }

  /** The value of a parameter; undefined when it has none. */
  value(name: string): string | undefined {
    if (this.#malformed.has(name)) return undefined
    const values = this.#values.get(name)
    return values?.length === 1 && values[0] !== '' ? values[0] : undefined
  }

  /** The values of a parameter that may be sent more than once, in order, empty ones left out. */
  values(name: string): readonly string[] {
    if (this.#malformed.has(name)) return []
    return (this.#values.get(name) ?? []).filter((value) => value !== '')
  }

  /** The fault of one parameter; undefined = none, also when it is not sent. */
  faultOf(name: string): FormFault | undefined {
    if (this.#malformed.has(name)) return { kind: 'malformed', name: shownName(name) }
    const count = this.#values.get(name)?.length ?? 0
    return count > 1 ? { kind: 'repeated', name: shownName(name) } : undefined
  }

  /** The first fault of the form. @param repeatable the parameter that may be sent repeatedly */
  fault(repeatable?: string): FormFault | undefined {
    if (this.#hasMalformedName) return { kind: 'malformed', name: undefined }
    for (const name of [...this.#malformed, ...this.#values.keys()]) {
      const fault = this.faultOf(name)
      if (fault !== undefined && !(name === repeatable && fault.kind === 'repeated')) return fault
    }
    return undefined
  }

  #take(pair: string): void {
    const equals = pair.indexOf('=')
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals))
    const value = decoded(equals === -1 ? '' : pair.slice(equals + 1))
    if (name === undefined) this.#hasMalformedName = true
    else if (value === undefined) this.#malformed.add(name)
    else if (this.#values.get(name)?.push(value) === undefined) this.#values.set(name, [value])
  }
}

function decoded(text: string): string | undefined {
  const value = decodeFormText(text)
  return value?.includes('\0') ? undefined : value
}

/** A name chosen by a caller could say anything in the message that shows it. */
function shownName(name: string): string | undefined {
  return /^[a-z_]{1,32}$/.test(name) ? name : undefined
}
