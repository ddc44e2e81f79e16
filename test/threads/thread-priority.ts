import { constants, getPriority } from 'node:os'
import { test } from 'tap'
import { lowerPriority } from '../../src/threads/thread-priority.js'

test('a thread lowers its priority permanently, on Linux', async (t) => {
  const before = getPriority()
  lowerPriority('most')
  const lowest = constants.priority.PRIORITY_LOW
  t.equal(getPriority(), process.platform === 'linux' ? lowest : before)
  // Raising it again may need a privilege; neither case throws.
  lowerPriority('some')
  t.ok([lowest, constants.priority.PRIORITY_BELOW_NORMAL, before].includes(getPriority()))
})
