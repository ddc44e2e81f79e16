/** Bytes that a number takes as a varint: seven bits a byte, least significant first. */
export function varintBytes(value: number): number {
  if (value < 0x80) return 1
  if (value < 0x4000) return 2
  if (value < 0x20_0000) return 3
  return value < 0x1000_0000 ? 4 : 5
}

/** Writes a number of up to 32 bits. @returns where the next one goes */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let end = at
  let rest = value
  while (rest >= 0x80) {
    bytes[end++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  bytes[end++] = rest
  return end
}

/** The number at a position; the next one is varintBytes(number) further. */
export function readVarint(bytes: Uint8Array, at: number): number {
  // A number's last byte is below 0x80, and exists because the number was written completely.
  let byte = bytes[at]!
  let value = byte & 0x7f
  for (let i = 1; byte >= 0x80; i++) {
    byte = bytes[at + i]!
    value |= (byte & 0x7f) << (7 * i)
  }
  return value >>> 0
}
