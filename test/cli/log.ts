import { test } from 'tap'
import { logTo, newsLine } from '../../src/cli/log.js'

test('a line has the time in front', async (t) => {
  const written: string[] = []
  const output = {
    isTerminal: false,
    write: async (text: string) => {
      written.push(text)
    },
  }
  logTo(output, () => 1_782_864_000_123)('stopping')
  t.same(written, ['2026-07-01T00:00:00.123Z stopping\n'])
})

test('a log that nobody reads does not stop the service', async (t) => {
  const gone = { isTerminal: false, write: () => Promise.reject(new Error('write EPIPE')) }
  logTo(gone, () => 0)('one')
  await new Promise((resolve) => setImmediate(resolve))
  t.pass('no rejection was left unhandled')
})

test('news of a workspace name it, and why', async (t) => {
  const workspaceId = 'w'
  const counted = { workspaceId, transactionCount: 20, durationMs: 1_250 }
  t.equal(newsLine({ kind: 'loaded', ...counted }), 'workspace w loaded: 20 transactions in 1.25 s')
  t.equal(
    newsLine({ kind: 'reloaded', ...counted, durationMs: 3 }),
    'workspace w reloaded: 20 transactions in 0.003 s',
  )
  t.equal(
    newsLine({ kind: 'loaded', ...counted, from: 'cache' }),
    'workspace w loaded: 20 transactions in 1.25 s from the cache',
  )
  t.equal(
    newsLine({ kind: 'loaded', ...counted, from: 'file', reason: 'it is cut short' }),
    'workspace w loaded: 20 transactions in 1.25 s; the cache is not believed: it is cut short',
  )
  t.equal(
    newsLine({ kind: 'unfrozen', workspaceId, reason: 'EACCES' }),
    'workspace w cannot be frozen: EACCES',
  )
  t.equal(
    newsLine({ kind: 'evicted', workspaceId, reason: 'the memory budget is used up' }),
    'workspace w left memory: the memory budget is used up',
  )
  t.equal(
    newsLine({ kind: 'failed', workspaceId, reason: 'no' }),
    'workspace w cannot be loaded: no',
  )
  t.equal(
    newsLine({ kind: 'dropped', workspaceId, reason: 'the file is gone' }),
    'workspace w left memory: the file is gone',
  )
  t.equal(
    newsLine({ kind: 'evicted', workspaceId, reason: 'the memory budget is used up' }),
    'workspace w left memory: the memory budget is used up',
  )
})
