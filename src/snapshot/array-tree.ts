import { strict as assert } from 'node:assert'
import { known, rowMemoryOf } from './row-memory.js'

/**
 * A typed array over shared memory, as bytes and the index of its class in {@link KINDS}; or the
 * bytes of a row memory of their own, of kind {@link ROWS_KIND}.
 */
export interface SharedArray {
  readonly kind: number
  readonly bytes: Uint8Array
}

/** Classes of shared arrays. Snapshot files store the index of a class. */
const KINDS: readonly SharedArrayClass[] = [Uint8Array, Uint16Array, Uint32Array, Float64Array]

/** Kind of bytes that have a row memory (row-memory.ts) to themselves. */
export const ROWS_KIND = KINDS.length

interface SharedArrayClass {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): ArrayBufferView
}

/** `{ $array: n }` replaces array n in a lifted tree. */
const PLACE = '$array'

/** `{ $memory: n }` replaces the row memory of array n in a lifted tree. */
const MEMORY_OF = '$memory'

/** A value without its shared arrays, which are in the order of their first appearance. */
export interface LiftedArrays {
  readonly tree: unknown
  readonly arrays: readonly SharedArray[]
}

/**
 * Takes the shared arrays out of a plain value: undefined, null, booleans, numbers, well-formed
 * texts, plain arrays and plain objects, Uint8Arrays over ordinary memory, and at its leaves
 * Uint8Array, Uint16Array, Uint32Array or Float64Array over SharedArrayBuffers, and row memories
 * next to the bytes that lie in them. The same slice of shared memory as the same class is one
 * array, however often it appears. Bytes of a shared buffer outside its arrays are left out.
 *
 * The restored value differs in three things: a Buffer is a Uint8Array (as when it is sent to
 * another thread), -0 in the tree itself is 0, and a hole in an array is undefined.
 * @throws AssertionError that names the place of anything else
 */
export function arraysLifted(value: unknown): LiftedArrays {
  noticeMemories(value)
  const lifter = new Lifter()
  const tree = lifted(value, 'the value', lifter)
  lifter.placeMemories()
  return { tree, arrays: lifter.arrays }
}

/** Arrays and memories found in a tree so far. */
class Lifter {
  readonly arrays: SharedArray[] = []
  readonly #slices = new Map<ArrayBufferLike, Map<string, number>>()
  readonly #memories: { readonly buffer: ArrayBufferLike; readonly leaf: MemoryLeaf }[] = []

  placeOf(array: SharedArray): number {
    const { buffer, byteOffset, byteLength } = array.bytes
    const slices = this.#slices.get(buffer) ?? new Map<string, number>()
    this.#slices.set(buffer, slices)
    const slice = `${array.kind} ${byteOffset} ${byteLength}`
    const place = slices.get(slice) ?? this.arrays.push(array) - 1
    slices.set(slice, place)
    return place
  }

  /** A leaf that is completed when all arrays are known. */
  leafOf({ buffer }: WebAssembly.Memory): MemoryLeaf {
    const leaf = { [MEMORY_OF]: -1 }
    this.#memories.push({ buffer, leaf })
    return leaf
  }

  placeMemories(): void {
    for (const { buffer, leaf } of this.#memories) {
      const places = this.arrays.flatMap(({ bytes }, i) => (bytes.buffer === buffer ? [i] : []))
      assert(places.length === 1, 'a row memory has one array in it')
      leaf[MEMORY_OF] = places[0] ?? -1
    }
  }
}

interface MemoryLeaf {
  [MEMORY_OF]: number
}

/** Registers all memories first, because arrays may precede the memory that they lie in. */
function noticeMemories(value: unknown): void {
  if (value instanceof WebAssembly.Memory) known(value)
  else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    for (const held of Object.values(value)) noticeMemories(held)
  }
}

function lifted(value: unknown, where: string, lifter: Lifter): unknown {
  if (value === null || value === undefined) return value
  if (['boolean', 'number', 'string'].includes(typeof value)) return value
  assert(typeof value === 'object', `${where}: a ${typeof value} cannot be cached`)
  if (Array.isArray(value)) {
    return Array.from(value, (held, i) => lifted(held, `${where}[${i}]`, lifter))
  }
  if (ArrayBuffer.isView(value)) return liftedArray(value, where, lifter)
  if (value instanceof WebAssembly.Memory) return lifter.leafOf(value)
  const prototype: unknown = Object.getPrototypeOf(value)
  assert(
    prototype === Object.prototype || prototype === null,
    `${where}: an object of a class cannot be cached`,
  )
  const entries = Object.entries(value).map(([name, held]) => {
    const isTaken = name === PLACE || name === MEMORY_OF || name === '__proto__'
    assert(!isTaken, `${where}.${name}: the name is not allowed`)
    return [name, lifted(held, `${where}.${name}`, lifter)] as const
  })
  return Object.fromEntries(entries)
}

function liftedArray(array: ArrayBufferView, where: string, lifter: Lifter): unknown {
  const { buffer, byteOffset, byteLength } = array
  const kind = KINDS.findIndex((kindOf) => array instanceof kindOf)
  assert(kind !== -1, `${where}: an array of this class cannot be cached`)
  const bytes = new Uint8Array(buffer, byteOffset, byteLength)
  if (buffer instanceof SharedArrayBuffer) {
    const isOfRows = kind === 0 && rowMemoryOf(buffer) !== undefined
    return { [PLACE]: lifter.placeOf({ kind: isOfRows ? ROWS_KIND : kind, bytes }) }
  }
  assert(kind === 0, `${where}: an array over non-shared memory must be of bytes`)
  return bytes
}

/** The typed array over these bytes. @throws RangeError for an unknown kind or an unfit size */
export function arrayOf(kind: number, { buffer, byteOffset, byteLength }: Uint8Array): unknown {
  const kindOf = KINDS[kind === ROWS_KIND ? 0 : kind]
  if (kindOf === undefined) throw new RangeError('an array is of an unknown kind')
  const length = byteLength / kindOf.BYTES_PER_ELEMENT
  if (!Number.isInteger(length)) throw new RangeError('an array ends within an element')
  return new kindOf(buffer, byteOffset, length)
}

/**
 * Inverse of {@link arraysLifted}: puts the arrays back, and the row memories of those that lie in
 * one now; bytes become plain Uint8Arrays over memory of their own.
 * @throws RangeError when the tree names an array that is missing
 */
export function arraysPlaced(tree: unknown, arrays: readonly unknown[]): unknown {
  if (typeof tree !== 'object' || tree === null) return tree
  if (Array.isArray(tree)) return tree.map((held) => arraysPlaced(held, arrays))
  if (tree instanceof Uint8Array) return new Uint8Array(tree)
  if (PLACE in tree) return arrayAt(arrays, tree[PLACE])
  if (MEMORY_OF in tree) {
    const array = arrayAt(arrays, tree[MEMORY_OF])
    return ArrayBuffer.isView(array) ? rowMemoryOf(array.buffer) : undefined
  }
  return Object.fromEntries(
    Object.entries(tree).map(([name, held]) => [name, arraysPlaced(held, arrays)]),
  )
}

function arrayAt(arrays: readonly unknown[], place: unknown): unknown {
  const array = arrays[Number(place)]
  if (array === undefined) throw new RangeError('the tree refers to a missing array')
  return array
}
