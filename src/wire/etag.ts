/** The inputs that determine the bytes of a 200 answer. */
export interface Representation {
  /** Identifies one state of the workspace's rows; another state has another text. */
  readonly version: string
  /** Identifies the data that the credential may see; never the credential itself. */
  readonly accessTag: string
  /** As sent. */
  readonly path: string
  /** As sent, without `?`. */
  readonly rawQuery: string
}

/**
 * The strong entity-tag (RFC 9110, 8.8.3) of a representation: 64 bits of a hash that is not
 * cryptographic. A tag is compared only with tags of its own URL, so a caller that constructs equal
 * tags for two URLs gains nothing. The method is not part of it: HEAD carries the tag of GET.
 */
export function entityTag({ version, accessTag, path, rawQuery }: Representation): string {
  let a = SEED_A
  let b = SEED_B
  for (const part of [version, accessTag, path, rawQuery]) {
    for (let i = 0; i < part.length; i++) {
      const unit = part.charCodeAt(i)
      a = Math.imul(a ^ unit, PRIME_A)
      b = Math.imul(b ^ unit, PRIME_B)
      // Without the shift a low bit of a lane would depend on the low bits of the text alone.
      b ^= b >>> 15
    }
    a = Math.imul(a ^ PART_END, PRIME_A)
    b = Math.imul(b ^ PART_END, PRIME_B)
  }
  a ^= b >>> 16
  b ^= a << 5
  return `"${hex(finish(a))}${hex(finish(b))}"`
}

// Seeds and multipliers of cyrb53 (bryc), whose two lanes of 32 bits these are.
const SEED_A = 0xdeadbeef
const SEED_B = 0x41c6ce57
const PRIME_A = 2654435761
const PRIME_B = 1597334677
/** No UTF-16 unit has this value, so that a part's end cannot be mistaken for text. */
const PART_END = 0x10000

/** Spreads every bit over all (the finalizer of MurmurHash3). */
function finish(lane: number): number {
  let spread = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b)
  spread = Math.imul(spread ^ (spread >>> 13), 0xc2b2ae35)
  return (spread ^ (spread >>> 16)) >>> 0
}

const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hex(lane: number): string {
  return (
    HEX_OF_BYTE[lane >>> 24]! +
    HEX_OF_BYTE[(lane >>> 16) & 255]! +
    HEX_OF_BYTE[(lane >>> 8) & 255]! +
    HEX_OF_BYTE[lane & 255]!
  )
}

/**
 * Whether an If-None-Match value (RFC 9110, 13.1.2) names the tag: `*`, or a list of entity-tags
 * compared weakly. A value that is neither, or longer than {@link IF_NONE_MATCH_UNITS_MAX}, matches
 * nothing. Linear in the length of the value.
 * @param fieldValue `''` when the field is absent
 * @param tag as {@link entityTag} returns it
 */
export function matchesIfNoneMatch(fieldValue: string, tag: string): boolean {
  if (fieldValue === '') return false
  if (fieldValue === tag) return true
  if (fieldValue.length > IF_NONE_MATCH_UNITS_MAX) return false
  const trimmed = fieldValue.trim()
  if (trimmed === '*') return true
  let found = false
  let at = 0
  while (at < trimmed.length) {
    ELEMENT.lastIndex = at
    const element = ELEMENT.exec(trimmed)
    if (element === null) return false
    if (element[1] === tag) found = true
    at = ELEMENT.lastIndex
  }
  return found
}

/** Some two hundred tags: a client sends the few that it has stored for one URL. UTF-16 units. */
export const IF_NONE_MATCH_UNITS_MAX = 8_192

// An element, possibly empty, and the comma after it; the tag itself may hold commas. The second
// run of blanks is within the group: next to the first one, both could match the same blanks.
const ELEMENT = /[ \t]*(?:(?:W\/)?("[!#-~\u0080-\u{10ffff}]*")[ \t]*)?(?:,|$)/uy
