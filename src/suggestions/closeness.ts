import damerauLevenshtein from 'damerau-levenshtein'
import type { ComparedText } from './compared-text.js'

/**
 * How near a text is to what was typed: twice the edits (a letter inserted, removed or replaced, or
 * two neighbours swapped), and one more where the last word is not typed to its end. 0 = the same.
 */
export type Closeness = number

/** Beyond the edits that are allowed. */
export const FAR: Closeness = Number.POSITIVE_INFINITY

/** Edits at most, by the length of what was typed: two letters with an edit are another word. */
export function editsMax(letterCount: number): number {
  if (letterCount < 3) return 0
  return letterCount < 6 ? 1 : 2
}

/**
 * The closeness of a text: that of its nearest run of as many words as were typed, in either form;
 * FAR beyond {@link editsMax}.
 */
export function closenessOf(typed: ComparedText, text: ComparedText): Closeness {
  const nearest = closenessOfForm(typed.first, text.first)
  if (typed.first === typed.second && text.first === text.second) return nearest
  return Math.min(nearest, closenessOfForm(typed.second, text.second))
}

function closenessOfForm(typed: readonly string[], text: readonly string[]): Closeness {
  const words = typed.join(' ')
  const startLast = Math.max(0, text.length - typed.length)
  let nearest = FAR
  for (let start = 0; start <= startLast && nearest > 0; start++) {
    const run = text.slice(start, start + typed.length).join(' ')
    nearest = Math.min(nearest, closenessOfWords(words, run))
  }
  return nearest
}

/**
 * The closeness of words to what was typed, taken as one text each: as a whole, or as the nearest
 * beginning. A beginning is allowed the edits of a text that is one letter shorter.
 * @param editCountMax edits at most, also where {@link editsMax} would allow more
 */
export function closenessOfWords(typed: string, words: string, editCountMax = 2): Closeness {
  if (words.startsWith(typed)) return words.length === typed.length ? 0 : 1
  const allowed = Math.min(editsMax(typed.length), editCountMax)
  if (!mayBeWithin(typed, words, allowed)) return FAR
  const nearest = 2 * editsWithin(typed, words, allowed)
  const allowedOfBeginning = Math.min(editsMax(typed.length - 1), editCountMax)
  const lengthMax = Math.min(words.length - 1, typed.length + allowedOfBeginning)
  let nearestBeginning = FAR
  for (let length = typed.length - allowedOfBeginning; length <= lengthMax; length++) {
    // A beginning with fewer edits than one is handled above.
    if (nearest === 2 || nearestBeginning === 3) break
    const edits = editsWithin(typed, words.slice(0, length), allowedOfBeginning)
    nearestBeginning = Math.min(nearestBeginning, 2 * edits + 1)
  }
  return Math.min(nearest, nearestBeginning)
}

/**
 * Whether so many edits may make one text the other, or a beginning of it: an edit moves a letter
 * by one place at most, and replaces or removes one at most. Rejects most texts without their
 * alignment.
 */
function mayBeWithin(typed: string, words: string, edits: number): boolean {
  let missing = 0
  for (let i = 0; i < typed.length; i++) {
    const letter = typed.charCodeAt(i)
    const end = Math.min(words.length, i + edits + 1)
    let at = Math.max(0, i - edits)
    while (at < end && words.charCodeAt(at) !== letter) at++
    if (at >= end && ++missing > edits) return false
  }
  return true
}

/** The edits between two texts; FAR beyond the allowed ones. */
function editsWithin(a: string, b: string, allowed: number): number {
  if (Math.abs(a.length - b.length) > allowed) return FAR
  const lengthMin = Math.min(a.length, b.length)
  let start = 0
  while (start < lengthMin && a.charCodeAt(start) === b.charCodeAt(start)) start++
  let endA = a.length
  let endB = b.length
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--
    endB--
  }
  const most = Math.max(endA, endB) - start
  // One edit leaves at most a swapped pair between the equal ends.
  if (allowed <= 1 && most > 2 * allowed) return FAR
  // Only added letters, or a single one that is wrong: no alignment is cheaper.
  if (most <= 1 || Math.min(endA, endB) === start) return most <= allowed ? most : FAR
  const { steps } = damerauLevenshtein(a.slice(start, endA), b.slice(start, endB))
  return steps <= allowed ? steps : FAR
}
