import { strict as assert } from 'node:assert'
import { PAGED_BYTES_MIN, sharedBytes, sharedUint32 } from '../ordinals/shared-memory.js'
import { type CompactSink, compactField } from './compact.js'
import { FIELD_COUNT, MATCH_FIELDS, type MatchFields, plainFieldOf } from './fields.js'
import { CODES_MAX, type MatchIndex, withGrams } from './match-index.js'

/** Expected codes of a row; more only cost a copy while building. */
const ROW_CODES_EXPECTED = 160

/** Builds the index of a segment's rows, which are added in ascending order of ordinals. */
export class MatchIndexBuilder {
  /** In shared memory that is committed only as far as written. */
  readonly #sink: CompactSink
  readonly #offsets: Uint32Array
  #place = 0
  #end = 0

  constructor(private readonly rowCount: number) {
    const size = rowCount * ROW_CODES_EXPECTED
    this.#sink = {
      codes: sharedBytes(size),
      gaps: sharedBytes(size),
      marks: sharedBytes(size),
      units: undefined,
    }
    this.#offsets = sharedUint32(rowCount * FIELD_COUNT + 1)
  }

  /** Adds the next row. */
  add(fields: MatchFields): void {
    for (const name of MATCH_FIELDS) {
      const text = fields[name]
      if (text !== null) this.#addField(name, text)
      this.#place += 1
      this.#offsets[this.#place] = this.#end
    }
  }

  /** The index of all rows, which were added; the builder must not be used afterwards. */
  finish(): MatchIndex {
    assert(this.#place === this.#offsets.length - 1, 'every row was added')
    const { codes, gaps, marks } = this.#sink
    return withGrams({
      rowCount: this.rowCount,
      codes: finished(codes, this.#end),
      gaps: finished(gaps, this.#end),
      marks: finished(marks, this.#end),
      offsets: this.#offsets,
    })
  }

  #addField(name: keyof MatchFields, text: string): void {
    const plain = plainFieldOf(name, text)
    const needed = this.#end + plain.lengthMax
    assert(needed <= CODES_MAX, 'a segment has less than 4 GB of compact fields')
    if (needed > this.#sink.codes.length) {
      const size = Math.max(needed, this.#sink.codes.length * 2)
      this.#sink.codes = copied(this.#sink.codes, this.#end, size)
      this.#sink.gaps = copied(this.#sink.gaps, this.#end, size)
      this.#sink.marks = copied(this.#sink.marks, this.#end, size)
    }
    this.#end += compactField(plain, this.#sink, this.#end)
  }
}

/**
 * A copy gives small indexes their exact size; a large one keeps its tail, which takes no memory.
 */
function finished(bytes: Uint8Array, length: number): Uint8Array {
  const isPaged = bytes.length >= PAGED_BYTES_MIN
  return isPaged ? bytes.subarray(0, length) : copied(bytes, length, length)
}

function copied(bytes: Uint8Array, length: number, size: number): Uint8Array {
  const copy = sharedBytes(size)
  copy.set(bytes.subarray(0, length))
  return copy
}
