import type { AnyOperation } from './operation.js'
import type { NamedOperation } from './operation-call.js'

/** The operation that a path names; segments as sent. */
export interface Route extends NamedOperation {
  readonly workspaceSegment: string
}

interface CompiledPattern {
  readonly operation: AnyOperation
  /** Segments after `/v1/{workspaceId}`; `''` = variable. */
  readonly literals: readonly string[]
}

/** Finds operations by path; of two that fit, the earlier one. */
export class Routes {
  readonly #byLength = new Map<number, CompiledPattern[]>()

  constructor(operations: readonly AnyOperation[]) {
    for (const operation of operations) {
      const literals = operation.path
        .split('/')
        .slice(3)
        .map((segment) => (segment.startsWith('{') ? '' : segment))
      const others = this.#byLength.get(literals.length) ?? []
      this.#byLength.set(literals.length, [...others, { operation, literals }])
    }
  }

  /**
   * The operation a path names. Literal segments are compared as sent, and no segment is empty.
   * @param path as sent, without the query
   */
  find(path: string): Route | undefined {
    if (!path.startsWith(PREFIX)) return undefined
    const workspaceEnd = path.indexOf('/', PREFIX.length)
    if (workspaceEnd <= PREFIX.length) return undefined
    const parts = segmentsFrom(path, workspaceEnd + 1)
    const candidates = parts === undefined ? undefined : this.#byLength.get(parts.length)
    if (parts === undefined || candidates === undefined) return undefined
    for (const { operation, literals } of candidates) {
      if (!matches(literals, parts)) continue
      const workspaceSegment = path.slice(PREFIX.length, workspaceEnd)
      return { operation, workspaceSegment, segments: variablesOf(literals, parts) }
    }
    return undefined
  }
}

const PREFIX = '/v1/'

// Loops instead of split, every and filter: this runs before a request is authenticated.

/** The segments of a path from a position on; undefined when one is empty. */
function segmentsFrom(path: string, start: number): string[] | undefined {
  const segments: string[] = []
  for (let from = start; from <= path.length; ) {
    const slash = path.indexOf('/', from)
    const end = slash === -1 ? path.length : slash
    if (end === from) return undefined
    segments.push(path.slice(from, end))
    from = end + 1
  }
  return segments.length === 0 || path.endsWith('/') ? undefined : segments
}

function matches(literals: readonly string[], parts: readonly string[]): boolean {
  for (let i = 0; i < literals.length; i++) {
    if (literals[i] !== '' && literals[i] !== parts[i]) return false
  }
  return true
}

function variablesOf(literals: readonly string[], parts: readonly string[]): string[] {
  const variables: string[] = []
  for (let i = 0; i < literals.length; i++) {
    if (literals[i] === '') variables.push(parts[i] ?? '')
  }
  return variables
}
