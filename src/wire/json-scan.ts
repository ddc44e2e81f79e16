import { strict as assert } from 'node:assert'

const QUOTE = 0x22
export const COMMA = 0x2c
export const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d

/**
 * The position just after the string that begins with the quotation mark at `at`.
 * @param json well-formed JSON without white space between tokens, as kontor renders it
 */
export function endOfString(json: Uint8Array, at: number): number {
  const length = json.length
  let i = at + 1
  while (i < length) {
    const byte = json[i]! // i < length
    if (byte === QUOTE) return i + 1
    i += byte === BACKSLASH ? 2 : 1
  }
  assert.fail('a rendered string has no end')
}

/** The position just after the value that begins at `at`. @param json as for endOfString */
export function endOfValue(json: Uint8Array, at: number): number {
  const first = json[at]
  if (first === QUOTE) return endOfString(json, at)
  if (first === OPEN_OBJECT || first === OPEN_LIST) return endOfBrackets(json, at)
  const length = json.length
  let i = at
  while (i < length) {
    const byte = json[i]! // i < length
    if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST) return i
    i++
  }
  return length
}

function endOfBrackets(json: Uint8Array, at: number): number {
  const length = json.length
  let depth = 0
  let i = at
  while (i < length) {
    const byte = json[i]! // i < length
    if (byte === QUOTE) {
      i = endOfString(json, i)
      continue
    }
    i++
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth--
      if (depth === 0) return i
    }
  }
  assert.fail('a rendered object or list has no end')
}
