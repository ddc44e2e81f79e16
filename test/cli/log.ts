import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { type LogOptions, logEvent, openLog } from '../../src/cli/log.js'
import { LOG_BUFFER_CHARS_MAX } from '../../src/cli/log-buffer.js'
import type { SnapshotEvent } from '../../src/snapshot/workspace-cache.js'
import { assertProperty } from '../fixtures/assert-property.js'

const NOW_MS = 1_782_864_000_123
const TIME = '2026-07-01T00:00:00.123Z'

/** A log into memory. */
function logged(options: Partial<LogOptions> = {}) {
  const written: string[] = []
  const output = {
    isTerminal: false,
    write: async (text: string) => {
      written.push(text)
    },
  }
  const opened = openLog(output, { format: 'json', level: 'info', clock: () => NOW_MS, ...options })
  const lines = async (): Promise<string[]> => {
    await opened.end()
    return written.join('').split('\n').slice(0, -1)
  }
  return { ...opened, lines }
}

test('an event is one JSON object per line, or one line of text', async (t) => {
  const json = logged()
  json.log('warn', 'workspaces', 'going on', { workspaceId: 'w', durationMs: 1.5, no: undefined })
  const [line = ''] = await json.lines()
  t.equal(
    line,
    `{"level":"warn","time":"${TIME}","component":"workspaces",` +
      '"workspaceId":"w","durationMs":1.5,"msg":"going on"}',
  )
  const text = logged({ format: 'text' })
  text.log('info', 'service', 'stopping')
  text.log('warn', 'workspaces', 'going on', { workspaceId: 'w', reason: 'no more', on: true })
  t.same(await text.lines(), [
    `${TIME} stopping`,
    `${TIME} WARN going on workspaceId=w reason="no more" on=true`,
  ])
})

test('events below the level are left out', async (t) => {
  for (const [level, count] of [
    ['debug', 4],
    ['info', 3],
    ['warn', 2],
    ['error', 1],
  ] as const) {
    const { log, lines } = logged({ level })
    for (const at of ['debug', 'info', 'warn', 'error'] as const) log(at, 'service', at)
    t.equal((await lines()).length, count, level)
  }
})

/**
 * Texts with characters that end a line, move a cursor, end a JSON string or are half a character.
 */
const HOSTILE = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\n', '\r', '\u2028', '\u2029', '\u0085', '\u001b', '\u0000', '"', '\\'),
    fc.constantFrom(' ', '=', '{', '}', '\ud800', '\u202e', 'ä', 'x'),
  ),
})

/** Characters that some reader takes for a line end, or that control a terminal. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u

test('no message or value can end its line, and JSON is read back as logged', async () => {
  await assertProperty(
    fc.asyncProperty(HOSTILE, HOSTILE, HOSTILE, async (message, value, nested) => {
      for (const format of ['json', 'text'] as const) {
        const { log, lines } = logged({ format })
        log('info', 'http', message, { value, of: { nested, list: [value] } })
        log('info', 'http', 'next')
        const [line = '', ...others] = await lines()
        assert.equal(others.length, 1)
        assert.doesNotMatch(line, CONTROL)
        if (format === 'text') continue
        const read: unknown = JSON.parse(line)
        const level = { level: 'info', time: TIME, component: 'http' }
        assert.deepEqual(read, { ...level, value, of: { nested, list: [value] }, msg: message })
      }
    }),
  )
})

test('an error is logged in one line, with the locations of its stack', async (t) => {
  const { log, lines } = logged({ format: 'text' })
  log('error', 'http', 'request failed', { requestId: 'r', err: new Error('two\nlines') })
  const [line = '', ...others] = await lines()
  t.same(others, [])
  t.match(line, /ERROR request failed requestId=r err\.type=Error err\.message="two\\nlines" /)
  t.match(line, /err\.stack="at [^"]*log\.[jt]s:\d+:\d+/)
})

test('a log without a reader does not block the service', async (t) => {
  const gone = { isTerminal: false, write: () => Promise.reject(new Error('write EPIPE')) }
  const { log, end } = openLog(gone, { format: 'text', level: 'info', clock: () => 0 })
  log('info', 'service', 'one')
  log('info', 'service', 'two')
  await end()
  t.pass('no rejection was left unhandled')
})

test('the log counts its dropped lines', async (t) => {
  const writes: { text: string; done: () => void }[] = []
  const output = {
    isTerminal: false,
    write: (text: string) =>
      new Promise<void>((done) => {
        writes.push({ text, done })
      }),
  }
  const { log, end } = openLog(output, { format: 'json', level: 'info', clock: () => NOW_MS })
  const reason = 'x'.repeat(LOG_BUFFER_CHARS_MAX / 2)
  log('info', 'service', 'written at once')
  for (let i = 0; i < 4; i++) log('info', 'service', 'routine', { reason })
  log('error', 'service', 'important')
  const ended = end()
  for (let i = 0; i < writes.length; i++) {
    writes[i]?.done()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await ended
  const text = writes.map((write) => write.text).join('')
  const read = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { msg: string })
  t.same(
    read.map(({ msg }) => msg.slice(0, 16)),
    ['written at once', 'routine', 'important', 'log lines droppe'],
  )
  t.match(read.at(-1), { level: 'warn', droppedCount: 3 })
})

test('workspace events name the workspace and the reason', async (t) => {
  const loggedFor = async (event: SnapshotEvent): Promise<string> => {
    const { log, lines } = logged({ format: 'text' })
    logEvent(log, event)
    return (await lines()).join('\n').replace(`${TIME} `, '')
  }
  const workspaceId = 'w'
  const counted = { workspaceId, transactionCount: 20, durationMs: 1_250 }
  const count = 'workspaceId=w transactionCount=20 durationMs=1250'
  t.equal(
    await loggedFor({ kind: 'loaded', from: 'cache', ...counted }),
    `workspace loaded ${count} source=cache`,
  )
  t.equal(
    await loggedFor({ kind: 'loaded', from: 'file', reason: 'it is truncated', ...counted }),
    `workspace loaded ${count} source=file cacheRefusal="it is truncated"`,
  )
  for (const kind of ['indexed', 'reloaded', 'compacted'] as const) {
    t.equal(await loggedFor({ kind, ...counted }), `workspace ${kind} ${count}`)
  }
  t.equal(await loggedFor({ kind: 'cached', ...counted }), `workspace cached ${count}`)
  t.equal(
    await loggedFor({ kind: 'cache-failed', workspaceId, reason: 'EACCES' }),
    'WARN cannot write the cache of a workspace workspaceId=w reason=EACCES',
  )
  t.equal(
    await loggedFor({ kind: 'behind', workspaceId, reason: 'locked' }),
    'WARN commits to a workspace cannot be read workspaceId=w reason=locked',
  )
  t.equal(
    await loggedFor({ kind: 'caught-up', workspaceId, durationMs: 2_500 }),
    'commits to a workspace are read again workspaceId=w durationMs=2500',
  )
  t.equal(
    await loggedFor({ kind: 'failed', workspaceId, reason: 'no', error: new Error('no file') }),
    'ERROR workspace cannot be loaded workspaceId=w reason="no file"',
  )
  const error = new SyntaxError('Unexpected token M in "Miete"')
  t.equal(
    await loggedFor({ kind: 'failed', workspaceId, reason: error.message, error }),
    'ERROR workspace cannot be loaded workspaceId=w reason="(withheld: it may quote data)"',
  )
  for (const kind of ['dropped', 'evicted'] as const) {
    t.equal(
      await loggedFor({ kind, workspaceId, reason: 'the file is gone' }),
      'workspace removed from memory workspaceId=w reason="the file is gone"',
    )
  }
})
