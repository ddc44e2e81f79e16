import { EventEmitter } from 'node:events'
import { test } from 'tap'
import { keyboardOf } from '../../src/cli/keyboard.js'

/** A terminal on which the test presses the keys. */
class FakeTerminal extends EventEmitter {
  readonly said: string[] = []
  shown = ''

  setRawMode(isRaw: boolean): void {
    this.said.push(isRaw ? 'raw' : 'cooked')
  }

  resume(): void {
    this.said.push('resume')
  }

  pause(): void {
    this.said.push('pause')
  }

  /** Types once a listener is attached. */
  async type(...pieces: readonly (string | Buffer)[]): Promise<void> {
    while (this.listenerCount('data') === 0) await new Promise(setImmediate)
    for (const piece of pieces) this.emit('data', Buffer.from(piece as string))
  }
}

function keyboard() {
  const terminal = new FakeTerminal()
  const output = {
    isTerminal: true,
    write: async (text: string): Promise<void> => {
      terminal.shown += text
    },
  }
  return { terminal, read: keyboardOf(terminal, output).readSecret }
}

test('a line is read without echo, and the terminal mode is restored', async (t) => {
  const { terminal, read } = keyboard()
  const asked = read('Password: ')
  await terminal.type('cor', 'rect\r')
  t.equal(await asked, 'correct')
  t.equal(terminal.shown, 'Password: \n')
  t.same(terminal.said, ['raw', 'resume', 'cooked', 'pause'])
  t.equal(terminal.listenerCount('data'), 0)
})

test('a line can be edited as in any terminal', async (t) => {
  const lines: readonly (readonly [pieces: (string | Buffer)[], line: string])[] = [
    [['abc\u007fd\n'], 'abd'],
    [['ab\b\b\bc\r'], 'c'],
    [['wrong\u0015right\r'], 'right'],
    [['a', '\u001b[D', 'b\r'], 'ab'],
    [['\r'], ''],
    [['🏦x\u007f\u007fy\r'], 'y'],
    [[Buffer.from('€').subarray(0, 1), Buffer.from('€').subarray(1), '\r'], '€'],
  ]
  for (const [pieces, line] of lines) {
    const { terminal, read } = keyboard()
    const asked = read('?')
    await terminal.type(...pieces)
    t.equal(await asked, line, JSON.stringify(pieces))
  }
})

test('two pasted lines answer two prompts', async (t) => {
  const { terminal, read } = keyboard()
  const first = read('?')
  await terminal.type('one\rtwo\rthr')
  t.equal(await first, 'one')
  t.equal(await read('?'), 'two')
  const third = read('?')
  await terminal.type('ee\r')
  t.equal(await third, 'three')
})

test('an abort is reported, and the terminal mode is restored', async (t) => {
  for (const key of ['\u0003', '\u0004']) {
    const { terminal, read } = keyboard()
    const asked = read('?')
    const refused = t.rejects(asked, { kind: 'failed', message: /cancelled/ })
    await terminal.type(`secret${key}`)
    await refused
    t.same(terminal.said.slice(-2), ['cooked', 'pause'])
  }
})
