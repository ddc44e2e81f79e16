/**
 * Whether the bytes are one MessagePack value of the kinds that a plain value is packed to: nil,
 * booleans, numbers, texts, bytes, arrays, maps, and the extension `d4 00 00` for undefined. No
 * other extension is accepted: msgpackr's own revive errors, sets and patterns, and compile record
 * readers out of the bytes. An accepted length is at most the number of bytes present, so reading
 * such a value takes memory in proportion to them. Texts are not validated.
 */
export function isPlainMsgpack(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  // Values still to come; each takes at least one byte.
  let awaited = 1
  while (awaited > 0) {
    if (awaited > view.byteLength - at) return false
    const value = valueAt(view, at)
    if (value === undefined) return false
    at = value.end
    awaited += value.held - 1
  }
  return at === view.byteLength
}

/** End of a value's own bytes, and number of following values that belong to it. */
interface ValueSpan {
  readonly end: number
  readonly held: number
}

/** @returns undefined for a kind that is not plain, or a value that ends beyond the bytes */
function valueAt(view: DataView, at: number): ValueSpan | undefined {
  const byte = view.getUint8(at)
  if (byte <= 0x7f || byte >= 0xe0) return { end: at + 1, held: 0 }
  if (byte <= 0x8f) return { end: at + 1, held: 2 * (byte & 0x0f) }
  if (byte <= 0x9f) return { end: at + 1, held: byte & 0x0f }
  if (byte <= 0xbf) return within(view, at + 1 + (byte & 0x1f))
  if (byte === 0xc0 || byte === 0xc2 || byte === 0xc3) return { end: at + 1, held: 0 }
  if (byte === 0xd4) return undefinedAt(view, at)
  const numberBytes = NUMBER_BYTES.get(byte)
  if (numberBytes !== undefined) return within(view, at + 1 + numberBytes)
  const counted = COUNTED.get(byte)
  if (counted === undefined || at + 1 + counted.countBytes > view.byteLength) return undefined
  const end = at + 1 + counted.countBytes
  const count = countAt(view, at + 1, counted.countBytes)
  return counted.holds === 'bytes'
    ? within(view, end + count)
    : { end, held: count * counted.holds }
}

/** Kinds of numbers -> bytes that follow: f64; u8, u16, u32; i8, i16, i32. */
const NUMBER_BYTES: ReadonlyMap<number, number> = new Map([
  [0xcb, 8],
  [0xcc, 1],
  [0xcd, 2],
  [0xce, 4],
  [0xd0, 1],
  [0xd1, 2],
  [0xd2, 4],
])

interface Counted {
  readonly countBytes: 1 | 2 | 4
  /** Unit of the count: bytes, or that many values each. */
  readonly holds: 'bytes' | 1 | 2
}

/** Kinds that begin with a count: bytes, texts, arrays, maps. */
const COUNTED: ReadonlyMap<number, Counted> = new Map<number, Counted>([
  [0xc4, { countBytes: 1, holds: 'bytes' }],
  [0xc5, { countBytes: 2, holds: 'bytes' }],
  [0xc6, { countBytes: 4, holds: 'bytes' }],
  [0xd9, { countBytes: 1, holds: 'bytes' }],
  [0xda, { countBytes: 2, holds: 'bytes' }],
  [0xdb, { countBytes: 4, holds: 'bytes' }],
  [0xdc, { countBytes: 2, holds: 1 }],
  [0xdd, { countBytes: 4, holds: 1 }],
  [0xde, { countBytes: 2, holds: 2 }],
  [0xdf, { countBytes: 4, holds: 2 }],
])

function countAt(view: DataView, at: number, countBytes: 1 | 2 | 4): number {
  if (countBytes === 1) return view.getUint8(at)
  return countBytes === 2 ? view.getUint16(at) : view.getUint32(at)
}

function undefinedAt(view: DataView, at: number): ValueSpan | undefined {
  if (at + 3 > view.byteLength || view.getUint16(at + 1) !== 0) return undefined
  return { end: at + 3, held: 0 }
}

function within(view: DataView, end: number): ValueSpan | undefined {
  return end > view.byteLength ? undefined : { end, held: 0 }
}
