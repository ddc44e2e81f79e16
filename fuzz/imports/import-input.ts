import { type Random, randomOf } from '../../src/demo/random.js'
import { damaged } from '../grammar/texts.js'
import type { SeedFile } from './seed-files.js'

/** A mutated bank file. */
export interface ImportInput {
  /** In chunks of any length. */
  readonly chunks: readonly Buffer[]
  /** Name of the seed file. */
  readonly of: string
  readonly isLenient: boolean
}

/** Factor of seeds: the seed of an input is that of the run times this, plus the input number. */
const INPUTS_MAX = 2 ** 24

/** Pairs of words that exchange debit and credit, or the marks of a number. */
const SWAPS: readonly (readonly [string, string])[] = [
  ...([
    ['CRDT', 'DBIT'],
    ['BOOK', 'PDNG'],
    ['\n:60F:C', '\n:60F:D'],
    ['EUR', 'USD'],
  ] as const),
  ...([
    ['C', 'D'],
    ['+', '-'],
    [',', '.'],
    ['-', ''],
    ['0', '9'],
    ['S', 'H'],
  ] as const),
  ...([
    ['RC', 'C'],
    ['Soll', 'Haben'],
    ['Af', 'Bij'],
    ['\r\n', '\n'],
    [';', ','],
  ] as const),
]

/** Input `number` of a run: equal for equal seed files, seed and number. @param files not empty */
export function importInput(files: readonly SeedFile[], seed: number, number: number): ImportInput {
  const random = randomOf(seed * INPUTS_MAX + number)
  const { name, bytes } = random.pick(files)
  let result: Buffer = Buffer.from(bytes)
  for (let i = random.between(1, 4); i > 0; i--) result = mutated(random, result, files)
  const chunks: Buffer[] = []
  for (let at = 0; at < result.length; ) {
    const to = at + 1 + random.below(result.length)
    chunks.push(result.subarray(at, to))
    at = to
  }
  return { chunks, of: name, isLenient: random.chance(500) }
}

function mutated(random: Random, bytes: Buffer, files: readonly SeedFile[]): Buffer {
  const kind = random.below(8)
  if (kind < 3) return withOtherDigit(random, bytes)
  if (kind === 3) return swapped(random, bytes)
  if (kind === 4) return withLines(random, bytes)
  if (kind === 5) return joined(random, bytes, random.pick(files).bytes)
  return damaged(random, bytes, 3)
}

/** Replaces a digit by another one. */
function withOtherDigit(random: Random, bytes: Buffer): Buffer {
  const places: number[] = []
  bytes.forEach((byte, at) => {
    if (byte >= 0x30 && byte <= 0x39) places.push(at)
  })
  if (places.length === 0) return bytes
  const result = Buffer.from(bytes)
  result[random.pick(places)] = 0x30 + random.below(10)
  return result
}

/** Replaces all occurrences of a word by the other word of its pair. */
function swapped(random: Random, bytes: Buffer): Buffer {
  const pair = random.pick(SWAPS)
  const [from, to] = random.chance(500) ? pair : [pair[1], pair[0]]
  if (from === '') return bytes
  const text = bytes.toString('latin1')
  const places: number[] = []
  for (let at = text.indexOf(from); at !== -1; at = text.indexOf(from, at + 1)) places.push(at)
  if (places.length === 0) return bytes
  const at = random.pick(places)
  return Buffer.from(`${text.slice(0, at)}${to}${text.slice(at + from.length)}`, 'latin1')
}

/** Removes, doubles or moves a line. */
function withLines(random: Random, bytes: Buffer): Buffer {
  const lines = bytes.toString('latin1').split('\n')
  const at = random.below(lines.length)
  const line = lines[at] ?? ''
  const kind = random.below(3)
  if (kind === 0) lines.splice(at, 1)
  else if (kind === 1) lines.splice(at, 0, line)
  else {
    lines.splice(at, 1)
    lines.splice(random.below(lines.length + 1), 0, line)
  }
  return Buffer.from(lines.join('\n'), 'latin1')
}

/**
 * Joins the beginning of a file and the end of another, or both whole, like concatenated downloads.
 */
function joined(random: Random, bytes: Buffer, other: Buffer): Buffer {
  if (random.chance(500)) return Buffer.concat([bytes, other])
  const end = random.below(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, end), other.subarray(random.below(other.length + 1))])
}
