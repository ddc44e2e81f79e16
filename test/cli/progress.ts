import { test } from 'tap'
import { ProgressLine } from '../../src/cli/progress.js'
import type { Output } from '../../src/cli/terminal.js'

function recorder(isTerminal: boolean): { output: Output; texts: string[] } {
  const texts: string[] = []
  const write = async (text: string): Promise<void> => {
    texts.push(text)
  }
  return { output: { isTerminal, write }, texts }
}

test('the line is rewritten at most five times a second, and erased at the end', async (t) => {
  const { output, texts } = recorder(true)
  let now = 1000
  const line = new ProgressLine(output, 'a.csv', () => now)
  line.show(1, 1)
  now += 199
  line.show(1, 1)
  t.same(texts, [])
  now += 1
  line.show(1_250_000, 5000)
  now += 100
  line.show(2_000_000, 6000)
  now += 200
  line.show(9, 9)
  t.same(texts, [
    '\ra.csv: 1.3 MB, 5000 rows, 25000 rows/s',
    `\ra.csv: 0 MB, 9 rows, 18 rows/s${' '.repeat(8)}`,
  ])
  line.clear()
  line.clear()
  t.equal(texts.length, 3)
  t.equal(texts[2], `\r${' '.repeat(30)}\r`)
})

test('a step is shown at once, its progress at most five times a second', async (t) => {
  const { output, texts } = recorder(true)
  let now = 1000
  const line = new ProgressLine(output, 'backup', () => now)
  line.step('checking a')
  now += 199
  line.showPart('copying b', 1, 2)
  now += 1
  line.showPart('copying b', 2_500_000, 10_000_000)
  t.same(texts, ['\rbackup: checking a', '\rbackup: copying b, 2.5 of 10 MB'])
  line.clear()
})

test('without a terminal nothing is written', async (t) => {
  const { output, texts } = recorder(false)
  let now = 0
  const line = new ProgressLine(output, 'a.csv', () => now)
  now = 10_000
  line.show(1, 1)
  line.step('x')
  line.showPart('x', 1, 2)
  line.clear()
  t.same(texts, [])
})
