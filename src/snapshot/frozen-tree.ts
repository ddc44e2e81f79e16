import { strict as assert } from 'node:assert'

/** A typed array over shared memory, as bytes and the place of its class in {@link KINDS}. */
export interface SharedArray {
  readonly kind: number
  readonly bytes: Uint8Array
}

/** Classes a shared array may have. The place of one is in frozen files. */
const KINDS: readonly SharedArrayClass[] = [Uint8Array, Uint16Array, Uint32Array, Float64Array]

interface SharedArrayClass {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): ArrayBufferView
}

/** Stands in a lifted tree as `{ $array: n }`, in the place of array n. */
const PLACE = '$array'

/** A value without its shared arrays, which are in the order of their first appearance. */
export interface Lifted {
  readonly tree: unknown
  readonly arrays: readonly SharedArray[]
}

/**
 * Takes the shared arrays out of a plain value: undefined, null, booleans, numbers, well-formed
 * texts, plain arrays and plain objects, Uint8Arrays over ordinary memory, and at its leaves
 * Uint8Array, Uint16Array, Uint32Array or Float64Array over SharedArrayBuffers. The same stretch of
 * shared memory as the same class is one array, however often it appears. What lies in a shared
 * buffer outside its arrays is left behind.
 *
 * What comes back differs in three things: a Buffer is a Uint8Array (as on its way to another
 * thread), -0 in the tree itself is 0, and a hole in an array is undefined.
 * @throws AssertionError that names the place of anything else
 */
export function arraysLifted(value: unknown): Lifted {
  const arrays: SharedArray[] = []
  const known = new Map<ArrayBufferLike, Map<string, number>>()
  const placeOf = (array: SharedArray): number => {
    const { buffer, byteOffset, byteLength } = array.bytes
    const stretches = known.get(buffer) ?? new Map<string, number>()
    known.set(buffer, stretches)
    const stretch = `${array.kind} ${byteOffset} ${byteLength}`
    const place = stretches.get(stretch) ?? arrays.push(array) - 1
    stretches.set(stretch, place)
    return place
  }
  return { tree: lifted(value, 'the value', placeOf), arrays }
}

function lifted(value: unknown, where: string, placeOf: (array: SharedArray) => number): unknown {
  if (value === null || value === undefined) return value
  if (['boolean', 'number', 'string'].includes(typeof value)) return value
  assert(typeof value === 'object', `${where}: a ${typeof value} cannot be frozen`)
  if (Array.isArray(value)) {
    return Array.from(value, (held, i) => lifted(held, `${where}[${i}]`, placeOf))
  }
  if (ArrayBuffer.isView(value)) return liftedArray(value, where, placeOf)
  const prototype: unknown = Object.getPrototypeOf(value)
  assert(
    prototype === Object.prototype || prototype === null,
    `${where}: an object of a class cannot be frozen`,
  )
  const entries = Object.entries(value).map(([name, held]) => {
    assert(name !== PLACE && name !== '__proto__', `${where}.${name}: the name is not to be had`)
    return [name, lifted(held, `${where}.${name}`, placeOf)] as const
  })
  return Object.fromEntries(entries)
}

function liftedArray(
  array: ArrayBufferView,
  where: string,
  placeOf: (array: SharedArray) => number,
): unknown {
  const { buffer, byteOffset, byteLength } = array
  const kind = KINDS.findIndex((kindOf) => array instanceof kindOf)
  assert(kind !== -1, `${where}: an array of this class cannot be frozen`)
  const bytes = new Uint8Array(buffer, byteOffset, byteLength)
  if (buffer instanceof SharedArrayBuffer) return { [PLACE]: placeOf({ kind, bytes }) }
  assert(kind === 0, `${where}: an array over ordinary memory can only be of bytes`)
  return bytes
}

/** The array over these bytes. @throws RangeError for an unknown kind or a size unfit for it */
export function arrayOf(kind: number, { buffer, byteOffset, byteLength }: Uint8Array): unknown {
  const kindOf = KINDS[kind]
  if (kindOf === undefined) throw new RangeError('an array is of an unknown kind')
  const length = byteLength / kindOf.BYTES_PER_ELEMENT
  if (!Number.isInteger(length)) throw new RangeError('an array ends within an element')
  return new kindOf(buffer, byteOffset, length)
}

/**
 * Puts arrays back where {@link arraysLifted} took them from; bytes become plain Uint8Arrays over
 * memory of their own.
 * @throws RangeError when the tree names an array that is not there
 */
export function arraysPlaced(tree: unknown, arrays: readonly unknown[]): unknown {
  if (typeof tree !== 'object' || tree === null) return tree
  if (Array.isArray(tree)) return tree.map((held) => arraysPlaced(held, arrays))
  if (tree instanceof Uint8Array) return new Uint8Array(tree)
  if (PLACE in tree) {
    const array = arrays[Number(tree[PLACE])]
    if (array === undefined) throw new RangeError('the tree names an array that is not there')
    return array
  }
  return Object.fromEntries(
    Object.entries(tree).map(([name, held]) => [name, arraysPlaced(held, arrays)]),
  )
}
