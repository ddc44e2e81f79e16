import { strict as assert } from 'node:assert'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { Packr } from 'msgpackr/pack'
import { type Test, test } from 'tap'
import { layoutVersion } from '../../src/snapshot/layout-version.js'
import {
  readSnapshotFile,
  removeSnapshotFile,
  type SnapshotFileResult,
  writeSnapshotFile,
} from '../../src/snapshot/snapshot-file.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { withDirectory } from '../fixtures/files.js'
import { plainValues } from '../fixtures/plain-values.js'
import { inRowMemory } from '../fixtures/snapshots.js'
import { snapshotAt } from '../fixtures/stored-workspace.js'
import { workspaceRows, writeWorkspace } from '../fixtures/workspaces.js'

const LAYOUT = '0123456789abcdef'.repeat(2)
const TAG = { uid: 'u', sequence: 7, stamp: '1 2 -' }
const yes = (): boolean => true

function pathOf(t: Test): string {
  return join(t.testdir(), 'cache', 'a.frozen')
}

function shared<T extends ArrayBufferView>(make: (buffer: SharedArrayBuffer) => T): T {
  const buffer = new SharedArrayBuffer(24)
  new Uint8Array(buffer).set(Array.from({ length: 24 }, (_, i) => i + 1))
  return make(buffer)
}

/** Every kind of array, lengths that need padding, and few enough bytes to flip each. */
function smallValue(): unknown {
  return {
    count: 3,
    name: 'Müller',
    none: undefined,
    bytes: Uint8Array.from([1, 2]),
    columns: [
      shared((buffer) => new Uint8Array(buffer, 0, 3)),
      shared((buffer) => new Uint16Array(buffer, 0, 5)),
      shared((buffer) => new Uint32Array(buffer, 0, 3)),
      shared((buffer) => new Float64Array(buffer, 8, 2)),
      new Uint8Array(new SharedArrayBuffer(0)),
    ],
  }
}

function reasonOf(read: SnapshotFileResult): string {
  return read.kind === 'refused' ? read.reason : `(${read.kind})`
}

test('a value is read back as cached', async () => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'a.frozen')
    assertProperty(
      fc.property(plainValues(), plainValues(), (value, rest) => {
        writeSnapshotFile(path, { layout: LAYOUT, tag: TAG, value: { value, rest } })
        const read = readSnapshotFile(path, LAYOUT, (tag) => isDeepStrictEqual(tag, TAG))
        return isDeepStrictEqual(read, { kind: 'read', tag: TAG, value: { value, rest } })
      }),
    )
  })
})

test('a snapshot is read back like one from a thread, in its own memory', async () => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'a.frozen')
    const layout = layoutVersion()
    let count = 0
    await assertProperty(
      fc.asyncProperty(workspaceRows(), async (rows) => {
        const database = join(directory, `${count++}.db`)
        await writeWorkspace(database, rows)
        const { staleFragments, ...built } = await snapshotAt(database)
        if (staleFragments.size > 0) return false
        // Every other segment as if it were large.
        const segments = built.segments.map((live) =>
          count % 2 === 0 ? live : { ...live, segment: inRowMemory(live.segment) },
        )
        const snapshot = { ...built, segments }
        writeSnapshotFile(path, { layout, tag: snapshot.version, value: snapshot })
        const value = structuredClone(snapshot)
        const read = readSnapshotFile(path, layout, yes)
        const [live] = (read as { value: typeof snapshot }).value.segments
        const own =
          live === undefined || live.segment.ids.buffer !== snapshot.segments[0]?.segment.ids.buffer
        const memory = live?.segment.rowMemory
        const isLarge = snapshot.segments[0]?.segment.rowMemory !== undefined
        assert.equal(memory !== undefined, isLarge)
        if (isLarge) assert.equal(memory?.buffer, live?.segment.rowBytes.buffer)
        return own && isDeepStrictEqual(read, { kind: 'read', tag: snapshot.version, value })
      }),
      { numRuns: 25 },
    )
  })
})

test('small arrays share one buffer, which contains nothing else', async (t) => {
  const path = pathOf(t)
  const value = [1, 4, 400_000, 7].map(
    (length) => new Uint16Array(new SharedArrayBuffer(length * 2)),
  )
  writeSnapshotFile(path, { layout: LAYOUT, tag: TAG, value })
  const read = readSnapshotFile(path, LAYOUT, yes)
  t.equal(read.kind, 'read')
  const [a, b, large, c] = (read as { value: typeof value }).value
  t.equal(a?.buffer, b?.buffer)
  t.equal(a?.buffer, large?.buffer)
  t.equal(c?.buffer.byteLength, 8 + 8 + 800_000 + 16)
})

test('arrays longer than one slice', async (t) => {
  const path = pathOf(t)
  const value = new Uint32Array(new SharedArrayBuffer(20_000_004))
  for (let i = 0; i < value.length; i++) value[i] = i * 2_654_435_761
  writeSnapshotFile(path, { layout: LAYOUT, tag: TAG, value })
  t.ok(isDeepStrictEqual(readSnapshotFile(path, LAYOUT, yes), { kind: 'read', tag: TAG, value }))
  const cached = readFileSync(path)
  for (const at of [cached.length - 5, cached.length - 12_000_000, 1_100_000]) {
    cached.writeUInt8(cached.readUInt8(at) ^ 1, at)
    writeFileSync(path, cached)
    t.match(reasonOf(readSnapshotFile(path, LAYOUT, yes)), /one of its arrays is damaged/)
    cached.writeUInt8(cached.readUInt8(at) ^ 1, at)
  }
})

test('an unwanted, foreign or missing file', async (t) => {
  const path = pathOf(t)
  t.same(readSnapshotFile(path, LAYOUT, yes), { kind: 'missing' })
  writeSnapshotFile(path, { layout: LAYOUT, tag: TAG, value: smallValue() })
  t.match(readSnapshotFile(path, LAYOUT, yes), { kind: 'read', tag: TAG })
  let shown: unknown
  const unwanted = readSnapshotFile(path, LAYOUT, (tag) => {
    shown = tag
    return false
  })
  t.match(reasonOf(unwanted), /it has an unexpected tag/)
  t.same(shown, TAG)
  t.match(reasonOf(readSnapshotFile(path, 'f'.repeat(32), yes)), /another version of kontor/)
  t.match(reasonOf(readSnapshotFile(dirname(path), LAYOUT, yes)), /it is not a regular file/)
  t.match(reasonOf(readSnapshotFile(join(path, 'below'), LAYOUT, yes)), /ENOTDIR/)
  writeFileSync(path, 'SQLite format 3\0'.repeat(9))
  t.match(reasonOf(readSnapshotFile(path, LAYOUT, yes)), /it is not a snapshot file/)
  const boom = (): boolean => {
    throw new TypeError('a bug')
  }
  writeSnapshotFile(path, { layout: LAYOUT, tag: TAG, value: 1 })
  t.throws(() => readSnapshotFile(path, LAYOUT, boom), /a bug/, "a caller's own errors are thrown")
})

test('any changed, missing or extra byte is detected', async (t) => {
  const path = pathOf(t)
  writeSnapshotFile(path, { layout: LAYOUT, tag: TAG, value: smallValue() })
  const cached = readFileSync(path)
  const refuses = (bytes: Uint8Array, what: string): void => {
    writeFileSync(path, bytes)
    const { kind } = readSnapshotFile(path, LAYOUT, yes)
    if (kind !== 'refused') t.fail(`${what}: ${kind}`)
  }
  for (let at = 0; at < cached.length; at++) {
    for (const bits of [0x01, 0x10, 0x80, 0xff]) {
      const changed = Buffer.from(cached)
      changed.writeUInt8(changed.readUInt8(at) ^ bits, at)
      refuses(changed, `byte ${at} ^ ${bits}`)
    }
    refuses(cached.subarray(0, at), `${at} bytes`)
  }
  for (let count = 1; count <= 17; count++) {
    refuses(Buffer.concat([cached, Buffer.alloc(count)]), `${count} zeros more`)
    refuses(Buffer.concat([cached, cached.subarray(0, count)]), `${count} bytes more`)
  }
  writeFileSync(path, cached)
  t.equal(readSnapshotFile(path, LAYOUT, yes).kind, 'read', 'unchanged')
  t.ok(cached.length > 200)
})

/** Writes the small value with a changed header whose CRC is correct. */
function writeHostile(path: string, change: (cached: Buffer) => void): void {
  writeSnapshotFile(path, { layout: LAYOUT, tag: TAG, value: smallValue() })
  const cached = readFileSync(path)
  const tableEnd = 48 + cached.readUInt32LE(28) * 16
  const frontBytes = Math.ceil((tableEnd + cached.readUInt32LE(40)) / 8) * 8
  change(cached)
  cached.writeUInt32LE(crc32(cached.subarray(48, frontBytes), crc32(cached.subarray(0, 44))), 44)
  writeFileSync(path, cached)
}

test('a hostile header is refused before its use', async (t) => {
  const path = pathOf(t)
  const size = /its size differs/
  const sum = /do not add up/
  const changes: readonly (readonly [string, RegExp, (cached: Buffer) => void])[] = [
    ['4 G arrays', size, (cached) => cached.writeUInt32LE(0xffffffff, 28)],
    ['60,000 arrays', size, (cached) => cached.writeUInt32LE(60_000, 28)],
    ['a header of 4 GB', size, (cached) => cached.writeUInt32LE(0xffffffff, 40)],
    ['a header of 200 MB', size, (cached) => cached.writeUInt32LE(2e8, 40)],
    ['a header of the file', size, (cached) => cached.writeUInt32LE(cached.length, 40)],
    ['a file of 100 GB', size, (cached) => cached.writeDoubleLE(1e11, 32)],
    ['a file of NaN', size, (cached) => cached.writeDoubleLE(Number.NaN, 32)],
    ['an array of 100 GB', sum, (cached) => cached.writeDoubleLE(1e11, 56)],
    ['an array of -8', sum, (cached) => cached.writeDoubleLE(-8, 56)],
    ['an array of NaN', sum, (cached) => cached.writeDoubleLE(Number.NaN, 56)],
    ['an array of ∞', sum, (cached) => cached.writeDoubleLE(Number.POSITIVE_INFINITY, 56)],
    ['an array of 2.5', sum, (cached) => cached.writeDoubleLE(2.5, 56)],
    ['an unknown kind', /unknown kind/, (cached) => cached.writeUInt32LE(5, 48)],
    ['a kind of another size', /within an element/, (cached) => cached.writeUInt32LE(3, 48)],
    [
      'sizes that cancel each other out',
      sum,
      (cached) => {
        cached.writeDoubleLE(1e11, 56)
        cached.writeDoubleLE(cached.readDoubleLE(72) + 8 - 1e11, 72)
      },
    ],
  ]
  for (const [what, reason, change] of changes) {
    writeHostile(path, change)
    t.match(reasonOf(readSnapshotFile(path, LAYOUT, yes)), reason, what)
  }
})

test('a sparse file as large as its header says', async (t) => {
  const path = pathOf(t)
  for (const [arrayCount, reason] of [
    [70_000, /its size differs/],
    [0xffffffff, /larger than the memory/],
  ] as const) {
    const fileBytes = 48 + arrayCount * 16
    writeHostile(path, (cached) => {
      cached.writeUInt32LE(arrayCount, 28)
      cached.writeDoubleLE(fileBytes, 32)
      cached.writeUInt32LE(0, 40)
    })
    truncateSync(path, fileBytes)
    t.match(reasonOf(readSnapshotFile(path, LAYOUT, yes)), reason)
  }
})

test('a hostile tree is refused', async (t) => {
  const path = pathOf(t)
  mkdirSync(dirname(path))
  const pack = (value: unknown): Buffer =>
    new Packr({ useRecords: false, moreTypes: true, structuredClone: true }).pack(value)
  const deep = Buffer.concat([pack({ tag: 0, tree: 0 }).subarray(0, -1), Buffer.alloc(3e6, 0x91)])
  const headers: readonly Buffer[] = [
    pack(null),
    pack([1, 2]),
    pack({ tag: 1 }),
    pack({ tag: 1, tree: { $array: 0 } }),
    pack({ tag: new Error('x'), tree: 1 }),
    pack({ tag: 1, tree: new Set([1]) }),
    Buffer.from('ddffffffff', 'hex'),
    Buffer.concat([deep, Buffer.from([0xc0])]),
  ]
  for (const header of headers) {
    const front = Buffer.alloc(Math.ceil((48 + header.length) / 8) * 8)
    front.write(`kontorfrozen`)
    front.write(LAYOUT, 12, 'hex')
    front.writeDoubleLE(front.length, 32)
    front.writeUInt32LE(header.length, 40)
    header.copy(front, 48)
    front.writeUInt32LE(crc32(front.subarray(48), crc32(front.subarray(0, 44))), 44)
    writeFileSync(path, front)
    const read = readSnapshotFile(path, LAYOUT, yes)
    t.equal(read.kind, 'refused', `${header.toString('hex', 0, 20)}: ${reasonOf(read)}`)
  }
})

test('the file and its folder are accessible to the owner only', async (t) => {
  const path = pathOf(t)
  writeSnapshotFile(path, { layout: LAYOUT, tag: TAG, value: 1 })
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.equal(statSync(dirname(path)).mode & 0o777, 0o700)
  chmodSync(path, 0o644)
  writeSnapshotFile(path, { layout: LAYOUT, tag: TAG, value: 2 })
  t.equal(statSync(path).mode & 0o777, 0o600)
})

test('a failed write leaves nothing, and leftovers of a killed one are deleted', async (t) => {
  const path = pathOf(t)
  writeSnapshotFile(path, { layout: LAYOUT, tag: TAG, value: 1 })
  const before = readFileSync(path)
  const left = `${path}.0123456789abcdef.part`
  const others = ['b.frozen', 'a.frozen.part', 'a.frozen.b.0123456789abcdef.part']
  for (const name of others) writeFileSync(join(dirname(path), name), 'x')
  writeFileSync(left, before.subarray(0, 60))
  t.throws(
    () => writeSnapshotFile(path, { layout: LAYOUT, tag: 1n, value: 2 }),
    /the tag is no plain value/,
  )
  t.same(readFileSync(path), before)
  t.match(readSnapshotFile(path, LAYOUT, yes), { kind: 'read', value: 1 }, 'leftovers are not read')
  writeSnapshotFile(path, { layout: LAYOUT, tag: TAG, value: 2 })
  t.match(readSnapshotFile(path, LAYOUT, yes), { value: 2 })
  t.same(readdirSync(dirname(path)).sort(), ['a.frozen', ...others].sort())
  const folder = join(dirname(path), 'folder')
  mkdirSync(join(folder, 'full'), { recursive: true })
  t.throws(
    () => writeSnapshotFile(folder, { layout: LAYOUT, tag: TAG, value: 3 }),
    /EISDIR|ENOTEMPTY|EEXIST/,
  )
  t.same(readdirSync(dirname(path)).sort(), ['a.frozen', 'folder', ...others].sort())
  writeFileSync(left, '')
  removeSnapshotFile(path)
  removeSnapshotFile(path)
  t.same(readdirSync(dirname(path)).sort(), ['folder', ...others].sort())
})
