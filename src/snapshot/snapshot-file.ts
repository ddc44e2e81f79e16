import { strict as assert } from 'node:assert'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { totalmem } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { Packr } from 'msgpackr/pack'
import { messageOf } from '../errors.js'
import { aligned, allocateArena } from './array-arena.js'
import { arrayOf, arraysLifted, arraysPlaced, ROWS_KIND, type SharedArray } from './array-tree.js'
import { isPlainMsgpack } from './plain-msgpack.js'
import { ROW_MEMORY_BYTES_MAX, rowMemoryOfAnySize, rowsIn } from './row-memory.js'

/** Arrays of one snapshot file: a segment has some dozens, and segments are few. */
const SNAPSHOT_FILE_ARRAYS_MAX = 65_536

/** Bytes of a cached snapshot's tree: half a million accounts and categories as JSON. */
const SNAPSHOT_FILE_HEADER_BYTES_MAX = 268_435_456

/** Bytes of a cached snapshot written at a time: enough that the calls cost nothing. */
const SNAPSHOT_FILE_WRITE_BYTES = 8_388_608

/** Bytes read at a time and verified while the processor's cache still holds them. */
const SNAPSHOT_FILE_READ_BYTES = 1_048_576

/*
 * A snapshot file: a tree as MessagePack, and the shared arrays at its leaves as they lie in
 * memory. Numbers of head and table are little-endian; arrays have the byte order of the layout
 * version.
 *
 *   OFFSET        SIZE       FIELD
 *   0             12         "kontorfrozen"
 *   12            16         layout version
 *   28            4          a = arrays, u32
 *   32            8          bytes of the whole file, f64 holding an integer
 *   40            4          h = bytes of the header, u32
 *   44            4          CRC-32 of all before it, the table, the header and its zeros
 *   48            16 × a     table, per array: kind u32, CRC-32 of its slot u32, its bytes f64
 *   48 + 16a      h          header: MessagePack of { tag, tree }
 *                            zeros to a multiple of 8
 *   from there    per array  slot: its bytes, zeros to a multiple of 8
 *
 * Every byte of the file is covered by one of the checksums, and the position of a slot follows
 * from the sizes: the file contains no offsets.
 */
const MAGIC = Buffer.from('kontorfrozen', 'latin1')
const LAYOUT_AT = 12
const ARRAY_COUNT_AT = 28
const FILE_BYTES_AT = 32
const HEADER_BYTES_AT = 40
const HEAD_CRC_AT = 44
const HEAD_BYTES = 48
const ENTRY_BYTES = 16
const ENTRY_CRC_AT = 4
const ENTRY_LENGTH_AT = 8

const LAYOUT = /^[0-9a-f]{32}$/
/** Random, so that two processes that write one path write into different files. */
const PART = /^\.[0-9a-f]{16}\.part$/

/** Suffix of the names of snapshot files. */
const SUFFIX = '.frozen'

/** Result of {@link readSnapshotFile}. `reason` is for a log. */
export type SnapshotFileResult =
  | { readonly kind: 'read'; readonly tag: unknown; readonly value: unknown }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly reason: string }

/** Input of {@link writeSnapshotFile}. */
export interface SnapshotFileContent {
  /** layoutVersion() of the program that made the value. */
  readonly layout: string
  /** State that the value is tied to: a plain value without shared arrays. */
  readonly tag: unknown
  /** See {@link arraysLifted} for the kinds of values. */
  readonly value: unknown
}

/**
 * Replaces the file at `path` atomically: a concurrent reader, or one after a crash, finds the old
 * file or the new one. Makes the folder (0700) when it is missing; the file is for the owner alone
 * (0600). Unfinished files of killed writes of the same path are removed. Takes almost no memory;
 * blocks for some seconds per gigabyte.
 * @throws the file system's error (ENOSPC, EACCES, …): the old file stands, nothing else is left;
 *   ENOENT when another write of the same path removed this one's unfinished file
 */
export function writeSnapshotFile(path: string, { layout, tag, value }: SnapshotFileContent): void {
  assert.match(layout, LAYOUT)
  const { tree, arrays } = arraysLifted(value)
  assert(arrays.length <= SNAPSHOT_FILE_ARRAYS_MAX, `${arrays.length} arrays in one snapshot file`)
  const packed = packr().pack({ tag, tree })
  assert(isPlainMsgpack(packed), 'the tag is no plain value')
  assert(
    packed.length <= SNAPSHOT_FILE_HEADER_BYTES_MAX,
    `a snapshot tree of ${packed.length} bytes`,
  )
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  removeParts(path)
  const part = `${path}.${randomBytes(8).toString('hex')}.part`
  try {
    writeFile(part, { layout, packed, arrays })
    renameSync(part, path)
  } finally {
    rmSync(part, { force: true })
  }
  syncFolder(dirname(path))
}

/** Removes the snapshot file and unfinished ones of killed writes; missing ones are no error. */
export function removeSnapshotFile(path: string): void {
  removeParts(path)
  rmSync(path, { force: true })
}

/**
 * Removes unfinished files of killed writes from a folder, and snapshot files that are not to be
 * kept; a missing folder is no error. A concurrent write of another process into the folder fails.
 * @param isKept gets the name of each snapshot file
 * @throws the file system's error
 */
export function removeStaleFiles(folder: string, isKept: (name: string) => boolean): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder)) {
    const isCached = entry.endsWith(SUFFIX) && !isKept(entry)
    const isPart =
      entry.includes(`${SUFFIX}.`) && PART.test(entry.slice(entry.indexOf(SUFFIX) + SUFFIX.length))
    if (isCached || isPart) rmSync(join(folder, entry), { force: true })
  }
}

/**
 * Reads a file of {@link writeSnapshotFile}: an equal tree, where a shared array is of the same
 * kind, in shared memory that this tree alone has (array-arena.ts). No content of a file makes it
 * throw: a torn, changed, foreign or unreadable one is rejected.
 * @param layout layoutVersion() of this program: a file of another one is rejected
 * @param isWanted gets the tag before any array is read; false rejects the file
 */
export function readSnapshotFile(
  path: string,
  layout: string,
  isWanted: (tag: unknown) => boolean,
): SnapshotFileResult {
  assert.match(layout, LAYOUT)
  return explainRefusals(path, (fd) => readFile(fd, layout, isWanted))
}

/** Result of {@link verifySnapshotFile}. */
export type SnapshotFileCheck =
  | { readonly kind: 'whole'; readonly tag: unknown }
  | Exclude<SnapshotFileResult, { kind: 'read' }>

/** Whether {@link readSnapshotFile} would accept a file; takes no memory for its arrays. */
export function verifySnapshotFile(path: string, layout: string): SnapshotFileCheck {
  return explainRefusals(path, (fd) => {
    const { packed, slots, end } = readFront(fd, layout)
    let at = end
    for (const slot of slots) {
      checkSlot(fd, at, slot)
      at += aligned(slot.byteCount)
    }
    return { kind: 'whole', tag: unpacked(packed).tag }
  })
}

function explainRefusals<T>(
  path: string,
  read: (fd: number) => T,
): T | Exclude<SnapshotFileResult, { kind: 'read' }> {
  try {
    const fd = openSync(path, 'r')
    try {
      return read(fd)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (error instanceof Rejection) return { kind: 'refused', reason: error.message }
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    if (error.code === 'ENOENT') return { kind: 'missing' }
    return { kind: 'refused', reason: messageOf(error) }
  }
}

/** Why a file is rejected. Private to this file. */
class Rejection extends Error {
  override readonly name = 'Rejection'
}

function packr(): Packr {
  // Plain maps: records would be compiled to code, and classes are not revived.
  return new Packr({
    useRecords: false,
    variableMapSize: true,
    moreTypes: false,
    structuredClone: false,
    copyBuffers: true,
  })
}

interface SnapshotFileParts {
  readonly layout: string
  readonly packed: Buffer
  readonly arrays: readonly SharedArray[]
}

function writeFile(path: string, { layout, packed, arrays }: SnapshotFileParts): void {
  const tableEnd = HEAD_BYTES + arrays.length * ENTRY_BYTES
  const front = Buffer.alloc(aligned(tableEnd + packed.length))
  const fd = openSync(path, 'wx', 0o600)
  try {
    let at = front.length
    arrays.forEach((array, i) => {
      const entry = HEAD_BYTES + i * ENTRY_BYTES
      front.writeUInt32LE(array.kind, entry)
      front.writeUInt32LE(writeSlot(fd, at, array.bytes), entry + ENTRY_CRC_AT)
      front.writeDoubleLE(array.bytes.length, entry + ENTRY_LENGTH_AT)
      at += aligned(array.bytes.length)
    })
    MAGIC.copy(front)
    front.write(layout, LAYOUT_AT, 'hex')
    front.writeUInt32LE(arrays.length, ARRAY_COUNT_AT)
    front.writeDoubleLE(at, FILE_BYTES_AT)
    front.writeUInt32LE(packed.length, HEADER_BYTES_AT)
    packed.copy(front, tableEnd)
    front.writeUInt32LE(crcOfFront(front), HEAD_CRC_AT)
    writeAll(fd, front, 0)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** CRC-32 of the front without the field that holds it. */
function crcOfFront(front: Uint8Array): number {
  return crc32(front.subarray(HEAD_BYTES), crc32(front.subarray(0, HEAD_CRC_AT)))
}

/** @returns the slot's CRC */
function writeSlot(fd: number, at: number, bytes: Uint8Array): number {
  return crcOfSlot(bytes, SNAPSHOT_FILE_WRITE_BYTES, (slice, start) => {
    writeAll(fd, slice, at + start)
  })
}

/**
 * CRC-32 of a slot: the bytes of an array and its zeros.
 * @param transfer writes or reads a slice; its CRC follows while the processor's cache holds it
 */
function crcOfSlot(
  bytes: Uint8Array,
  sliceBytes: number,
  transfer: (slice: Uint8Array, start: number) => void,
): number {
  let crc = 0
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    const slice = bytes.subarray(start, start + sliceBytes)
    transfer(slice, start)
    crc = crc32(slice, crc)
  }
  const zeros = new Uint8Array(aligned(bytes.length) - bytes.length)
  transfer(zeros, bytes.length)
  return crc32(zeros, crc)
}

/** Writes shared memory in place; Node copies none of it. */
function writeAll(fd: number, bytes: Uint8Array, at: number): void {
  let done = 0
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done, at + done)
}

function removeParts(path: string): void {
  const name = basename(path)
  const folder = dirname(path)
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder)) {
    if (!entry.startsWith(name) || !PART.test(entry.slice(name.length))) continue
    rmSync(join(folder, entry), { force: true })
  }
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** @throws Rejection, or the file system's error */
function readFile(
  fd: number,
  layout: string,
  isWanted: (tag: unknown) => boolean,
): SnapshotFileResult {
  const front = readFront(fd, layout)
  const { tag, tree } = unpacked(front.packed)
  if (!isWanted(tag)) throw new Rejection('it has an unexpected tag')
  const slices = refusing(() => memoryOfSlots(front.slots))
  let at = front.end
  const arrays = slices.map((bytes, i) => {
    const array = readSlot(fd, at, bytes, front.slots[i]!) // as many slices as slots
    at += aligned(bytes.length)
    return array
  })
  return { kind: 'read', tag, value: valueOfTree(tree, arrays) }
}

interface Slot {
  readonly kind: number
  readonly crc: number
  readonly byteCount: number
}

/** Shared memory for each array; rows lie where WebAssembly can address them, if possible. */
function memoryOfSlots(slots: readonly Slot[]): Uint8Array[] {
  const memories = slots.map(({ kind, byteCount }) =>
    kind === ROWS_KIND && byteCount <= ROW_MEMORY_BYTES_MAX
      ? rowMemoryOfAnySize(byteCount)
      : undefined,
  )
  const runs = allocateArena(slots.map(({ byteCount }, i) => (memories[i] ? 0 : byteCount)))
  return slots.map(({ byteCount }, i) => {
    const memory = memories[i]
    return memory === undefined ? runs[i]! : rowsIn(memory, byteCount) // as many runs as slots
  })
}

interface Front {
  readonly packed: Buffer
  readonly slots: readonly Slot[]
  readonly end: number
}

/** Reads everything before the arrays; its sizes agree with each other and with the file's. */
function readFront(fd: number, layout: string): Front {
  const status = fstatSync(fd)
  if (!status.isFile()) throw new Rejection('it is not a regular file')
  // A sparse file can claim any size.
  if (status.size > totalmem()) throw new Rejection('it is larger than the memory of this machine')
  const head = Buffer.alloc(HEAD_BYTES)
  if (status.size < HEAD_BYTES) throw new Rejection('it is truncated')
  readAll(fd, head, 0)
  if (!MAGIC.equals(head.subarray(0, LAYOUT_AT))) throw new Rejection('it is not a snapshot file')
  if (head.toString('hex', LAYOUT_AT, ARRAY_COUNT_AT) !== layout) {
    throw new Rejection('it was written by another version of kontor')
  }
  const arrayCount = head.readUInt32LE(ARRAY_COUNT_AT)
  const headerBytes = head.readUInt32LE(HEADER_BYTES_AT)
  const tableEnd = HEAD_BYTES + arrayCount * ENTRY_BYTES
  const end = aligned(tableEnd + headerBytes)
  const bounded =
    arrayCount <= SNAPSHOT_FILE_ARRAYS_MAX && headerBytes <= SNAPSHOT_FILE_HEADER_BYTES_MAX
  if (!bounded || end > status.size || head.readDoubleLE(FILE_BYTES_AT) !== status.size) {
    throw new Rejection('it is truncated, or its size differs from its header')
  }
  const front = Buffer.alloc(end)
  head.copy(front)
  readAll(fd, front.subarray(HEAD_BYTES), HEAD_BYTES)
  if (crcOfFront(front) !== front.readUInt32LE(HEAD_CRC_AT))
    throw new Rejection('its header is damaged')
  const slots = Array.from({ length: arrayCount }, (_, i) => ({
    kind: front.readUInt32LE(HEAD_BYTES + i * ENTRY_BYTES),
    crc: front.readUInt32LE(HEAD_BYTES + i * ENTRY_BYTES + ENTRY_CRC_AT),
    byteCount: front.readDoubleLE(HEAD_BYTES + i * ENTRY_BYTES + ENTRY_LENGTH_AT),
  }))
  const isSize = (size: number): boolean => Number.isSafeInteger(size) && size >= 0
  const total = slots.reduce((sum, slot) => sum + aligned(slot.byteCount), end)
  if (!slots.every((slot) => isSize(slot.byteCount)) || total !== status.size) {
    throw new Rejection('the sizes of its arrays do not add up to its size')
  }
  return { packed: front.subarray(tableEnd, tableEnd + headerBytes), slots, end }
}

function unpacked(packed: Buffer): { tag: unknown; tree: unknown } {
  if (!isPlainMsgpack(packed)) throw new Rejection('its header is not a plain value')
  const header = refusing(() => packr().unpack(packed) as unknown)
  if (typeof header !== 'object' || header === null || !('tag' in header && 'tree' in header)) {
    throw new Rejection('its header is incomplete')
  }
  return header
}

function valueOfTree(tree: unknown, arrays: readonly unknown[]): unknown {
  return refusing(() => arraysPlaced(tree, arrays))
}

function readSlot(fd: number, at: number, bytes: Uint8Array, slot: Slot): unknown {
  const crc = crcOfSlot(bytes, SNAPSHOT_FILE_READ_BYTES, (slice, start) => {
    readAll(fd, slice, at + start)
  })
  if (crc !== slot.crc) throw new Rejection('one of its arrays is damaged')
  return refusing(() => arrayOf(slot.kind, bytes))
}

/** As {@link readSlot}, through one small buffer. */
function checkSlot(fd: number, at: number, { byteCount, crc: expected }: Slot): void {
  const buffer = Buffer.alloc(Math.min(SNAPSHOT_FILE_READ_BYTES, aligned(byteCount)))
  let crc = 0
  for (let start = 0; start < aligned(byteCount); start += SNAPSHOT_FILE_READ_BYTES) {
    const slice = buffer.subarray(0, Math.min(SNAPSHOT_FILE_READ_BYTES, aligned(byteCount) - start))
    readAll(fd, slice, at + start)
    crc = crc32(slice, crc)
  }
  if (crc !== expected) throw new Rejection('one of its arrays is damaged')
}

function readAll(fd: number, bytes: Uint8Array, at: number): void {
  let done = 0
  while (done < bytes.length) {
    const count = readSync(fd, bytes, done, bytes.length - done, at + done)
    if (count === 0) throw new Rejection('it is truncated')
    done += count
  }
}

/** Rejects the file when `use` fails on its content (no memory, too deep, …). */
function refusing<T>(use: () => T): T {
  try {
    return use()
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    throw new Rejection(`it cannot be read: ${messageOf(error)}`, { cause: error })
  }
}
