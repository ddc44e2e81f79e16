// `kontor import` as a process of its own: killed in the middle, and with a file larger than its
// memory limit.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'tap'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { withBankFixture } from '../fixtures/bank-fixture.js'
import { balance, entry, message } from '../fixtures/camt-text.js'
import { spawnNode } from '../fixtures/child-process.js'

const MAIN = join(import.meta.dirname, '../../program/main.js')

/** Polling interval of a running process. */
const LOOK_MS = 5

/** Bytes of WAL at which some thousand rows are written, and by far not all. */
const WAL_BYTES = 4_000_000

const ROWS = 80_000

/** Heap of the process: less than the file's text and its events would need. */
const HEAP_MEGABYTES_MAX = 64

/** Upper bound of the process's peak memory, of which Node.js takes 60 MB. */
const PEAK_KILOBYTES_MAX = 200_000

const CAMT_BYTES_MIN = 20_000_000

function start(directory: string, path: string, nodeWords: readonly string[] = []): ChildProcess {
  const where = ['--workspace', 'w', '--data-dir', join(directory, 'data')]
  return spawnNode([...nodeWords, MAIN, 'import', ...where, '--json', path], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Waits for the exit. @returns the exit code and the whole output */
async function ended(child: ChildProcess): Promise<{ code: number | null; text: string }> {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, text }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

function* ndjsonRows(): Generator<string> {
  yield '{"kind":"account","id":1,"accountNumber":"7","currency":"EUR"}\n'
  for (let id = 1; id <= ROWS; id++) {
    const purpose = `"purpose":"Rechnung ${id} vom Monat ${id % 12}"`
    yield `{"id":${id},"accountId":1,"amount":-${id}.25,"currency":"EUR",${purpose}}\n`
  }
}

/** Writes the pieces, many per write. */
async function write(path: string, pieces: Iterable<string>): Promise<void> {
  function* joined(): Generator<string> {
    let text = ''
    for (const piece of pieces) {
      text += piece
      if (text.length < 1_000_000) continue
      yield text
      text = ''
    }
    yield text
  }
  await pipeline(Readable.from(joined()), createWriteStream(path))
}

test('a killed import leaves no rows, and the next one succeeds', async (t) => {
  await withBankFixture(async (fixture) => {
    const path = join(fixture.directory, 'rows.ndjson')
    await write(path, ndjsonRows())
    t.match(
      await fixture.add([fixture.path('a.ndjson', '{"kind":"category","id":9,"name":"Miete"}\n')]),
      {
        added: 0,
      },
    )

    const child = start(fixture.directory, path)
    const end = ended(child)
    const log = join(fixture.directory, 'data', 'workspaces', 'w.db-wal')
    const logBytes = (): number => (existsSync(log) ? statSync(log).size : 0)
    while (isRunning(child) && logBytes() < WAL_BYTES) await wait(LOOK_MS)
    t.comment(`killed with ${logBytes()} bytes in the write-ahead log`)
    t.ok(isRunning(child), 'the import is still running when it is killed')
    child.kill('SIGKILL')
    t.same(await end, { code: null, text: '' })
    t.equal(child.signalCode, 'SIGKILL')

    const workspace = join(fixture.directory, 'data', 'workspaces', 'w.db')
    const file = WorkspaceFile.openForReading(workspace)
    try {
      t.equal(file.fault(), undefined, 'the workspace passes the integrity check')
      t.equal(file.transactionCount(), 0, 'no transaction of the file is in it')
      t.same(file.accounts(), [], 'nor its account')
      t.match(file.categories(), [{ id: 9 }], 'earlier rows are unchanged')
    } finally {
      file.close()
    }
    const again = await ended(start(fixture.directory, path))
    t.equal(again.code, 0)
    t.match(JSON.parse(again.text), { accounts: 1, added: ROWS, warnings: [] })
    t.equal(fixture.held().transactions.length, ROWS)
  })
})

/** A CAMT message of at least `charsMin` characters; its balances agree. */
function* camtPieces(charsMin: number): Generator<string> {
  const texts = entry({
    details: `<TxDtls><RmtInf><Ustrd>${'x'.repeat(400)}</Ustrd></RmtInf></TxDtls>`,
  })
  const count = Math.ceil(charsMin / texts.length)
  const [head = '', tail = ''] = message(
    `${balance('OPBD', '0')}${balance('CLBD', `${count * 10}`)}|`,
  ).split('|')
  yield head
  for (let i = 0; i < count; i++) yield texts.replace('10.00', i % 2 === 0 ? '09.00' : '11.00')
  if (count % 2 === 1) yield entry({ amount: '1.00' })
  yield tail
}

test('a large CAMT file is read in bounded memory', async (t) => {
  if (!existsSync('/proc/self/status')) {
    t.comment('/proc is not there: the peak of memory cannot be read')
    return
  }
  await withBankFixture(async (fixture) => {
    const path = join(fixture.directory, 'large.xml')
    await write(path, camtPieces(CAMT_BYTES_MIN))
    t.ok(statSync(path).size >= CAMT_BYTES_MIN)
    const child = start(fixture.directory, path, [`--max-old-space-size=${HEAP_MEGABYTES_MAX}`])
    const end = ended(child)
    let peakKilobytes = 0
    while (isRunning(child)) {
      peakKilobytes = Math.max(peakKilobytes, peakOf(child.pid))
      await wait(LOOK_MS)
    }
    const { code, text } = await end
    t.equal(code, 0, text)
    t.match(JSON.parse(text), { accounts: 1, warnings: [] })
    t.comment(`${statSync(path).size} bytes of CAMT: peak of ${peakKilobytes} kB`)
    t.ok(peakKilobytes > 0, 'a peak was measured')
    t.ok(peakKilobytes < PEAK_KILOBYTES_MAX, `${peakKilobytes} kB`)
  })
})

/** Peak memory of the process so far, in kB; 0 after its exit. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? '0')
  } catch (error) {
    const isOver = error instanceof Error && 'code' in error
    if (isOver && ['ENOENT', 'ESRCH'].includes(String(error.code))) return 0
    throw error
  }
}
