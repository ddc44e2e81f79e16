import { MASKED } from './codes.js'
import { FORGIVEN_LENGTH_MIN } from './costs.js'
import type { WordUnit } from './word-units.js'

/**
 * A form of a word of a query.
 *
 *   FIELD     HOLDS
 *   codes     its letters
 *   word      number of the word among the distinct ones of its set
 *   isWhole   whether it counts only as a whole: a month, or a word joined with its neighbour
 */
export interface WordForm {
  readonly codes: Uint8Array
  readonly word: number
  readonly isWhole: boolean
}

/**
 * Words of a query that are searched for at once.
 *
 *   FIELD      HOLDS
 *   units      the words, in the order of the query
 *   distinct   the same, equal ones as one with the weight of all
 *   weight     of all of them
 *   byBegin    code of a letter -> forms that begin with it
 *   byEnd      code of a letter -> forms that end with it and may have an edit
 */
export interface WordSet {
  readonly units: readonly WordUnit[]
  readonly distinct: readonly WordUnit[]
  readonly weight: number
  readonly byBegin: readonly (readonly WordForm[])[]
  readonly byEnd: readonly (readonly WordForm[])[]
}

/** Combines words. */
export function wordSet(units: readonly WordUnit[]): WordSet {
  const distinct = distinctOf(units)
  const forms = distinct.flatMap(({ forms: spelled, joined, isMonth }, word): WordForm[] => [
    ...spelled.map((codes) => ({ codes, word, isWhole: isMonth })),
    ...joined.map((codes) => ({ codes, word, isWhole: true })),
  ])
  const forgiven = forms.filter(({ codes, isWhole }) => {
    return !isWhole && codes.length >= FORGIVEN_LENGTH_MIN
  })
  return {
    units,
    distinct,
    weight: units.reduce((sum, { weight }) => sum + weight, 0),
    byBegin: byLetter((letter) => forms.filter(({ codes }) => codes[0] === letter)),
    byEnd: byLetter((letter) => forgiven.filter(({ codes }) => codes.at(-1) === letter)),
  }
}

function byLetter<T>(of: (code: number) => T): T[] {
  return Array.from({ length: MASKED }, (_, code) => of(code))
}

function distinctOf(units: readonly WordUnit[]): WordUnit[] {
  const distinct = new Map<string, WordUnit>()
  for (const unit of units) {
    const key = [unit.forms, unit.joined].map((forms) => forms.join(' ')).join('\n')
    const before = distinct.get(key)?.weight ?? 0
    distinct.set(key, { ...unit, weight: before + unit.weight })
  }
  return [...distinct.values()]
}
