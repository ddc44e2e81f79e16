declare const brand: unique symbol

/**
 * 0-based row of one segment's columns. Ordinal 0 has the greatest id, so ascending ordinals are
 * descending ids: the default order of a list. Never sent to a caller.
 */
export type Ordinal = number & { readonly [brand]: 'row of one segment, 0-based' }

/** In place of the ordinal that a row gets in another segment: it is not taken over. */
export const ROW_GONE = 0xffff_ffff

/** The narrowest unsigned array type that holds every code of a column. */
export type CodeArray = Uint8Array | Uint16Array | Uint32Array

/** A zeroed code column in shared memory. @param codeMax greatest value it has to hold */
export function sharedCodes(rowCount: number, codeMax: number): CodeArray {
  if (codeMax <= 0xff) return new Uint8Array(new SharedArrayBuffer(rowCount))
  if (codeMax <= 0xffff) return new Uint16Array(new SharedArrayBuffer(rowCount * 2))
  return new Uint32Array(new SharedArrayBuffer(rowCount * 4))
}

/** A zeroed u32 array in shared memory. */
export function sharedUint32(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * 4))
}

/** A zeroed f64 array in shared memory. */
export function sharedFloat64(length: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(length * 8))
}
