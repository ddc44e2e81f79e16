import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { LOG_BUFFER_CHARS_MAX, LOG_WRITE_CHARS, LogBuffer } from '../../src/cli/log-buffer.js'
import { assertProperty } from '../fixtures/assert-property.js'

/** An output whose writes complete when the test says so. */
class SlowOutput {
  readonly isTerminal = false
  readonly texts: string[] = []
  #ends: { resolve: () => void; reject: (error: Error) => void }[] = []

  write(text: string): Promise<void> {
    this.texts.push(text)
    return new Promise((resolve, reject) => {
      this.#ends.push({ resolve, reject })
    })
  }

  /** Completes the oldest write, and runs the callbacks that wait for it. */
  async end(error?: Error): Promise<boolean> {
    const oldest = this.#ends.shift()
    if (error === undefined) oldest?.resolve()
    else oldest?.reject(error)
    await new Promise((resolve) => setImmediate(resolve))
    return oldest !== undefined
  }

  get text(): string {
    return this.texts.join('')
  }
}

const infoLine = (length: number): string => `{"level":"info"}${'x'.repeat(length - 17)}\n`

test('the first line is written at once, later ones together', async (t) => {
  const output = new SlowOutput()
  const buffer = new LogBuffer(output, () => t.fail('nothing is dropped'))
  for (const line of ['a\n', 'b\n', 'c\n']) buffer.write(line)
  t.same(output.texts, ['a\n'])
  const ended = buffer.end()
  await output.end()
  t.same(output.texts, ['a\n', 'b\nc\n'])
  await output.end()
  await ended
})

test('lines are written after an idle time, or once there are many', async (t) => {
  const output = new SlowOutput()
  const buffer = new LogBuffer(output, () => t.fail('nothing is dropped'))
  buffer.write('a\n')
  await output.end()
  buffer.write('b\n')
  t.same(output.texts, ['a\n'], 'a write has just ended')
  buffer.write(infoLine(LOG_WRITE_CHARS))
  t.equal(output.texts.length, 2, 'enough lines for a write')
  buffer.write('c\n')
  await output.end()
  t.equal(output.texts.length, 2)
  while (output.texts.length < 3) await new Promise((resolve) => setTimeout(resolve, 1))
  t.equal(output.texts[2], 'c\n')
  buffer.write('d\n')
  buffer.flush()
  t.equal(output.texts[3], 'd\n', 'also during a write')
  const ended = buffer.end()
  while (await output.end());
  await ended
})

test('past the bound lines are dropped; warnings and errors at twice the bound', async (t) => {
  const output = new SlowOutput()
  const dropped: number[] = []
  const buffer = new LogBuffer(output, (count) => dropped.push(count))
  buffer.write('a\n')
  const line = infoLine(LOG_BUFFER_CHARS_MAX / 4)
  for (let i = 0; i < 6; i++) buffer.write(line)
  const important = [
    '{"level":"warn"}\n',
    '{"level":"error","msg":"log x"}\n',
    '2026 WARN x\n',
    '2026 ERROR x\n',
  ]
  const routine = [
    '{"level":"info","msg":"a WARN b"}\n',
    '{"level":"debug"}\n',
    '2026 x WARN y\n',
    '2026 DEBUG x\n',
  ]
  for (const text of [...routine, ...important]) buffer.write(text)
  const huge = `{"level":"error"}${'x'.repeat(LOG_BUFFER_CHARS_MAX)}\n`
  buffer.write(huge)
  t.same(dropped, [], 'reported once there is room')
  const ended = buffer.end()
  while (await output.end());
  await ended
  t.same(dropped, [2 + routine.length + 1])
  t.equal(output.text, `a\n${line.repeat(4)}${important.join('')}`)
})

test('a closed reader loses lines and blocks nothing', async (t) => {
  const output = new SlowOutput()
  const buffer = new LogBuffer(output, () => t.fail('nothing is dropped'))
  buffer.write('a\n')
  buffer.write('b\n')
  const ended = buffer.end()
  await output.end(new Error('write EPIPE'))
  await output.end(new Error('write EPIPE'))
  await ended
  t.same(output.texts, ['a\n', 'b\n'], 'and is tried again')
})

test('all lines are written once, in order, whatever the duration of writes', async () => {
  const step = fc.oneof(fc.constant('line'), fc.constant('end'), fc.constant('flush'))
  await assertProperty(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const output = new SlowOutput()
      const buffer = new LogBuffer(output, () => assert.fail('nothing is dropped'))
      let expected = ''
      for (const [i, what] of steps.entries()) {
        if (what === 'line') {
          buffer.write(`${i}\n`)
          expected += `${i}\n`
        } else if (what === 'flush') buffer.flush()
        else await output.end()
      }
      const ended = buffer.end()
      while (await output.end());
      await ended
      assert.equal(output.text, expected)
    }),
  )
})
