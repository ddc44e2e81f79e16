import { CUT_WORD_PERCENT, FORGIVEN_LENGTH_MIN, NEAR_WORD_PERCENT } from './costs.js'
import { gramColumnsOf } from './grams.js'
import type { WordSet } from './word-set.js'
import type { WordUnit } from './word-units.js'

/**
 * A necessary condition, as far as an index knows, for a transaction to have a share of the words
 * of a query: of each group it meets one alternative at least, that is, it has all of its columns
 * of trigrams (grams.ts). Each alternative has some.
 */
export type WordRequirement = readonly (readonly Uint16Array[])[]

/**
 * The requirement of a share of the words. Words that together have more weight than may be missing
 * are a group: one of them at least has the percents (words.ts) that the group needs, the others
 * of the query taken as found.
 * @param share by the weights of the words, 1 to 100 percent
 * @returns undefined when any transaction may have it
 */
export function wordRequirement(words: WordSet, share: number): WordRequirement | undefined {
  const missableMax = (100 - share) * words.weight
  const groups = groupsOf(words, missableMax)
    .map((group) => alternativesOf(group, missableMax))
    .filter((alternatives) => alternatives.every(({ length }) => length > 0))
  return groups.length > 0 ? groups : undefined
}

/** Each word that must not be missing, others in groups, the heaviest first, and all of them. */
function groupsOf({ distinct }: WordSet, missableMax: number): WordUnit[][] {
  const groups: WordUnit[][] = []
  let group: WordUnit[] = []
  for (const word of [...distinct].sort((a, b) => b.weight - a.weight)) {
    group.push(word)
    if (100 * weightOf(group) <= missableMax) continue
    groups.push(group)
    group = []
  }
  return groups.some(({ length }) => length === distinct.length)
    ? groups
    : [...groups, [...distinct]]
}

function weightOf(words: readonly WordUnit[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0)
}

/**
 * The columns of what a field has of one of the words at least, so that the group reaches its
 * percents: all of it, what is left of a word that the field cuts off, or a half of a word with an
 * edit. A word that the field joins with its neighbour is there as a whole.
 */
function alternativesOf(group: readonly WordUnit[], missableMax: number): Uint16Array[] {
  const weight = weightOf(group)
  const mayBe = (percent: number): boolean => (100 - percent) * weight <= missableMax
  return group.flatMap(({ forms, isMonth }) => {
    if (isMonth || !mayBe(CUT_WORD_PERCENT)) return forms.map(gramColumnsOf)
    const left = forms.map((form) => gramColumnsOf(form.subarray(0, leftMin(form))))
    return mayBe(NEAR_WORD_PERCENT) ? [...left, ...forms.flatMap(columnsOfHalves)] : left
  })
}

/** Minimum letters of a form that a field has left of it. */
function leftMin({ length }: Uint8Array): number {
  return Math.max(FORGIVEN_LENGTH_MIN, (length + 1) >> 1)
}

/** Columns of a form with one edit: one of its halves is as it was, or two letters are swapped. */
function columnsOfHalves(form: Uint8Array): Uint16Array[] {
  if (form.length < FORGIVEN_LENGTH_MIN) return []
  const half = form.length >> 1
  const swapped = form.slice()
  swapped[half - 1] = form[half]! // 1 <= half < form.length
  swapped[half] = form[half - 1]!
  return [form.subarray(0, half), form.subarray(half), swapped].map(gramColumnsOf)
}
