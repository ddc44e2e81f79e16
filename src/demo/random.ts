import { strict as assert } from 'node:assert'

/** A stream of choices that is the same on every machine for the same seed. */
export interface Random {
  /** A whole number from 0 to `count - 1`. @param count 1 to 2 ** 32 */
  below(count: number): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  /** True `perMille` times in a thousand. */
  chance(perMille: number): boolean
  /** One element. @param list not empty */
  pick<T>(list: readonly T[]): T
  /** `count` decimal digits, the first one never 0. */
  digits(count: number): string
}

/** A value with its weight relative to its neighbours. */
export type WeightedValue<T> = readonly [weight: number, value: T]

/**
 * Doty-Humphrey's sfc32: 128 bits of state, passes PractRand, needs only 32-bit additions, so no
 * engine computes it differently.
 * @param seed a safe integer, 0 or more
 */
export function randomOf(seed: number): Random {
  assert(Number.isSafeInteger(seed) && seed >= 0, 'a seed is a safe integer')
  let a = seed >>> 0
  let b = Math.floor(seed / 2 ** 32) >>> 0
  let c = 0x9e3779b9
  let counter = 1
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  // Neighbouring seeds differ in a few bits only; a dozen rounds spread them over the whole state.
  for (let round = 0; round < 12; round++) next()
  // The product stays under 2 ** 53 for counts up to 2 ** 21, and rounds the same everywhere above.
  const below = (count: number): number => Math.floor((next() / 2 ** 32) * count)
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (perMille) => below(1000) < perMille,
    pick: <T>(list: readonly T[]): T => {
      assert(list.length > 0, 'there is something to pick from')
      return list[below(list.length)] as T // below(n) < n
    },
    digits: (count) => {
      let text = String(1 + below(9))
      while (text.length < count) text += String(below(10))
      return text
    },
  }
}

/** The values, each as often as its weight, for `pick`. @param entries whole weights */
export function spread<T>(entries: readonly WeightedValue<T>[]): readonly T[] {
  return entries.flatMap(([weight, value]) => Array.from({ length: weight }, () => value))
}
