import { ApiError } from '../errors.js'
import {
  CUSTOM_SCHEMA_BYTES_MAX,
  CUSTOM_SCHEMA_ENTRIES_MAX,
  CUSTOM_SCHEMA_LEVELS_MAX,
} from '../limits.js'
import { type CustomSchema, compileMoves, type Move } from './custom-schema-plan.js'
import { quote } from './fault.js'
import { type ObjectShape, shapeAt } from './object-shape.js'

/** The operation's rules for a customSchema, in addition to the general ones. */
export interface CustomSchemaRules {
  /** The shape of the returned objects, so that no answer depends on the row. */
  readonly shape: ObjectShape
  /** Attributes of the first level that no entry may name, as source or target, or lie under. */
  readonly protectedNames?: readonly string[]
  /** Attributes of the first level that may move, but not be removed. */
  readonly required?: readonly string[]
}

/**
 * Parses a customSchema and compiles it for {@link rewriteObject}.
 *
 * Its meaning, in this order: (1) every source is read from the original object, without the
 * attributes below it that have an entry of their own; a source the object lacks is skipped.
 * (2) All sources that were found are removed; objects they leave stay, even as `{}`. (3) Each one
 * that has a target is put there, outer targets before inner ones; missing objects on the way are
 * created, and a value still at the target is replaced.
 *
 * @throws ApiError `invalid_custom_schema` with a sentence of its own for each fault
 * @see docs/contract/lists.md, "Custom schema"
 */
export function parseCustomSchema(text: string, rules: CustomSchemaRules): CustomSchema {
  const entries = entriesOf(text)
  const moves = entries.map(([name, place]) => moveOf(name, place))
  for (const move of moves) refuseProtected(move, rules)
  refuseSharedTargets(moves)
  refuseTargetsInValues(moves, rules.shape)
  return compileMoves(moves)
}

const EXAMPLE = 'for example customSchema={"amount":"value","purpose":null}, percent-encoded'

function fault(what: string): ApiError {
  return new ApiError('invalid_custom_schema', `customSchema ${what}; ${EXAMPLE}`)
}

function entriesOf(text: string): [name: string, place: string | null][] {
  if (Buffer.byteLength(text) > CUSTOM_SCHEMA_BYTES_MAX) {
    throw fault(`is longer than ${CUSTOM_SCHEMA_BYTES_MAX} bytes`)
  }
  const object = parseJson(text)
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    throw fault(`must be a JSON object, not ${quote(text)}`)
  }
  const members = Object.entries(object)
  if (members.length > CUSTOM_SCHEMA_ENTRIES_MAX) {
    throw fault(`has ${members.length} entries; at most ${CUSTOM_SCHEMA_ENTRIES_MAX} are allowed`)
  }
  const entries = members.map(([name, place]: [string, unknown]): [string, string | null] => {
    if (place === null || typeof place === 'string') return [name, place]
    throw fault(
      `gives ${quote(name)} a value that is neither a string (its new path) nor null (remove it)`,
    )
  })
  // JSON.parse silently keeps the last of two equal names. Where all values are texts or null, the
  // tokens are two per entry, and a dropped name leaves a surplus.
  if ((text.match(TEXT_OR_NULL)?.length ?? 0) !== 2 * entries.length) {
    throw fault('names an attribute twice; use one entry for each attribute')
  }
  return entries
}

const TEXT_OR_NULL = /"(?:[^"\\]|\\.)*"|null/g

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw fault(`is not JSON: ${quote(text)}`)
    throw error
  }
}

function moveOf(name: string, place: string | null): Move {
  return { source: pathOf(name), target: place === null ? null : pathOf(place) }
}

const FORBIDDEN_SEGMENTS: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor'])

function pathOf(dotted: string): string[] {
  const path = dotted.split('.')
  if (path.length > CUSTOM_SCHEMA_LEVELS_MAX) {
    throw fault(`names ${quote(dotted)}; at most ${CUSTOM_SCHEMA_LEVELS_MAX} levels are allowed`)
  }
  for (const segment of path) {
    if (segment === '') {
      throw fault(`names ${quote(dotted)}, which has an empty segment`)
    }
    if (FORBIDDEN_SEGMENTS.has(segment)) {
      throw fault(`names ${quote(dotted)}; ${segment} is not allowed as an attribute`)
    }
  }
  return path
}

function refuseProtected({ source, target }: Move, rules: CustomSchemaRules): void {
  const { protectedNames = [], required = [] } = rules
  for (const name of protectedNames) {
    if (source[0] === name || target?.[0] === name) {
      throw fault(`must not move, remove or overwrite ${name}`)
    }
  }
  const only = source.length === 1 ? source[0] : undefined
  if (target === null && only !== undefined && required.includes(only)) {
    throw fault(`must not remove ${only}, which is required here; it can be moved`)
  }
}

function refuseSharedTargets(moves: readonly Move[]): void {
  const sources = new Map<string, string>()
  for (const { source, target } of moves) {
    if (target === null) continue
    const place = target.join('.')
    const other = sources.get(place)
    if (other !== undefined) {
      throw fault(`moves ${quote(other)} and ${quote(source.join('.'))} both to ${quote(place)}`)
    }
    sources.set(place, source.join('.'))
  }
}

function refuseTargetsInValues(moves: readonly Move[], shape: ObjectShape): void {
  const bySource = new Set(moves.map(({ source }) => source.join('.')))
  const byTarget = new Map<string, Move>()
  for (const move of moves) if (move.target !== null) byTarget.set(move.target.join('.'), move)
  const standing = { bySource, byTarget, shape }
  for (const { source, target } of moves) {
    if (target === null) continue
    for (let levels = 1; levels < target.length; levels++) {
      const place = target.slice(0, levels)
      const values = originsAt(place, standing).filter((path) => shapeAt(shape, path) === 'value')
      if (values.length > 0) {
        throw fault(
          `moves ${quote(source.join('.'))} into ${quote(place.join('.'))}, ` +
            'which holds a single value, not an object',
        )
      }
    }
  }
}

interface Standing {
  readonly bySource: ReadonlySet<string>
  readonly byTarget: ReadonlyMap<string, Move>
  readonly shape: ObjectShape
}

/**
 * The paths of the original object whose value can be at `place` after all moves: the source that
 * moves there, and, unless every row has that, the value that stays there.
 */
function originsAt(place: readonly string[], standing: Standing): readonly (readonly string[])[] {
  const last = place.at(-1)
  if (last === undefined) return [[]]
  const moved = standing.byTarget.get(place.join('.'))?.source
  const movedShape = moved === undefined ? undefined : shapeAt(standing.shape, moved)
  if (moved !== undefined && movedShape !== undefined) {
    if (movedShape === 'value' || movedShape.always) return [moved]
  }
  const staying = originsAt(place.slice(0, -1), standing)
    .map((parent) => [...parent, last])
    .filter((path) => !standing.bySource.has(path.join('.')))
  return moved === undefined ? staying : [moved, ...staying]
}
