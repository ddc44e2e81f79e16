import { readFileSync } from 'node:fs'
import { LIST_LIMIT_MAX } from '../limits.js'
import { ROWS_AT } from '../snapshot/row-memory.js'
import type { ByteRanges } from './byte-ranges.js'

/*
 * The bytes before the rows of a row memory:
 *
 *   OFFSET      SIZE             HOLDS
 *   0           4 × page rows    start of each range
 *   4 × rows    4 × page rows    end of each range
 *   BODY_AT                      the body: a byte for its bracket, then the ranges
 */
const LIST_BYTES = LIST_LIMIT_MAX * 4
const BODY_AT = LIST_BYTES * 2
const BODY_BYTES_MAX = ROWS_AT - BODY_AT

type Gather = (begins: number, ends: number, listBytes: number, out: number) => void

/** The free part of one row memory, and the WebAssembly program that uses it. */
interface GatherBuffers {
  readonly begins: Uint32Array
  readonly ends: Uint32Array
  readonly body: Uint8Array
  readonly gather: Gather
}

const program = new WebAssembly.Module(readFileSync(new URL('gather.wasm', import.meta.url)))

const buffersOfMemory = new WeakMap<WebAssembly.Memory, GatherBuffers>()

/**
 * Copies the ranges one after the other, from byte 1 on, within the memory that holds them; the
 * result is valid until the next call. JavaScript copies row by row, which is a native call each:
 * 100 scattered rows take twice the time (`npm run bench -- rows`). In one thread of the process
 * only.
 * @param ranges of one segment, whose rows are in the memory
 * @returns undefined when there is nothing to gather, or more than the memory has room for
 */
export function gathered(memory: WebAssembly.Memory, ranges: ByteRanges): Uint8Array | undefined {
  const { starts, ends, count, byteCount } = ranges
  if (count === 0 || byteCount + 1 > BODY_BYTES_MAX) return undefined
  const buffers = buffersOf(memory)
  for (let i = 0; i < count; i++) {
    buffers.begins[i] = ROWS_AT + starts[i]! // there are `count` of both
    buffers.ends[i] = ROWS_AT + ends[i]!
  }
  buffers.gather(0, LIST_BYTES, count * 4, BODY_AT + 1)
  return buffers.body
}

function buffersOf(memory: WebAssembly.Memory): GatherBuffers {
  const known = buffersOfMemory.get(memory)
  if (known !== undefined) return known
  const { buffer } = memory
  const { gather } = new WebAssembly.Instance(program, { rows: { memory } }).exports
  const buffers: GatherBuffers = {
    begins: new Uint32Array(buffer, 0, LIST_LIMIT_MAX),
    ends: new Uint32Array(buffer, LIST_BYTES, LIST_LIMIT_MAX),
    body: new Uint8Array(buffer, BODY_AT, BODY_BYTES_MAX),
    gather: gather as Gather,
  }
  buffersOfMemory.set(memory, buffers)
  return buffers
}
