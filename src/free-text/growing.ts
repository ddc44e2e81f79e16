/** The array itself, or a longer copy of it that holds at least `length` entries. */
export function grown<T extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  array: T,
  length: number,
): T {
  if (length <= array.length) return array
  // The constructor of a typed array is that of its own type.
  const Type = array.constructor as new (length: number) => T
  const longer = new Type(Math.max(length, array.length * 2))
  longer.set(array)
  return longer
}
