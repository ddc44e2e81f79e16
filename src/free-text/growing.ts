/** The array itself, or a longer copy of it that holds at least `length` entries. */
export function grownUint32(
  array: Uint32Array<ArrayBuffer>,
  length: number,
): Uint32Array<ArrayBuffer> {
  if (length <= array.length) return array
  const grown = new Uint32Array(Math.max(length, array.length * 2))
  grown.set(array)
  return grown
}

/** The array itself, or a longer copy of it that holds at least `length` entries. */
export function grownUint8(
  array: Uint8Array<ArrayBuffer>,
  length: number,
): Uint8Array<ArrayBuffer> {
  if (length <= array.length) return array
  const grown = new Uint8Array(Math.max(length, array.length * 2))
  grown.set(array)
  return grown
}
