import { MASKED } from './codes.js'
import { FORGIVEN_LENGTH_MIN } from './costs.js'
import type { WordUnit } from './word-units.js'

/**
 * A form of a word of a query.
 *
 *   FIELD     HOLDS
 *   codes     its letters
 *   word      number of the word among the distinct ones of its set
 *   isMonth   whether it counts only as a whole
 */
export interface WordForm {
  readonly codes: Uint8Array
  readonly word: number
  readonly isMonth: boolean
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
  const forms = distinct.flatMap(({ forms: spelled, isMonth }, word) =>
    spelled.map((codes): WordForm => ({ codes, word, isMonth })),
  )
  const forgiven = forms.filter(({ codes, isMonth }) => {
    return !isMonth && codes.length >= FORGIVEN_LENGTH_MIN
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
  for (const { forms, weight, isMonth } of units) {
    const key = forms.join(' ')
    const before = distinct.get(key)?.weight ?? 0
    distinct.set(key, { forms, weight: before + weight, isMonth })
  }
  return [...distinct.values()]
}
