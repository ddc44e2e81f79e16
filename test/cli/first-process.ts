import { EventEmitter } from 'node:events'
import { test } from 'tap'
import { endOnSignals } from '../../src/cli/first-process.js'

/** A process with this id, and the codes it exited with. */
function processWith(pid: number): {
  self: EventEmitter & Parameters<typeof endOnSignals>[0]
  codes: number[]
} {
  const codes: number[] = []
  const self = Object.assign(new EventEmitter(), {
    pid,
    exit: (code: number) => {
      codes.push(code)
    },
  })
  return { self, codes }
}

test('process 1 exits on a signal without a listener', async (t) => {
  const { self, codes } = processWith(1)
  endOnSignals(self)
  self.emit('SIGTERM')
  self.emit('SIGINT')
  t.same(codes, [143, 130])
})

test("process 1 leaves a signal to the command's listener", async (t) => {
  const { self, codes } = processWith(1)
  endOnSignals(self)
  let heard = 0
  self.on('SIGTERM', () => {
    heard++
  })
  self.emit('SIGTERM')
  t.same([heard, codes], [1, []])
})

test('any other process keeps the default action', async (t) => {
  const { self } = processWith(2)
  endOnSignals(self)
  t.same([self.listenerCount('SIGTERM'), self.listenerCount('SIGINT')], [0, 0])
})
