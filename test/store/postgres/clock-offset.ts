import { test } from 'tap'
import { clockOffset } from '../../../src/store/postgres/clock-offset.js'

/** The offset, for moments of the machine and of the database. */
function offsetOf(askedMs: number, nowMs: number, answeredMs: number): Promise<number> {
  const moments = [askedMs, answeredMs]
  const query = async <Row extends object>(): Promise<Row[]> => [{ nowMs } as Row]
  return clockOffset({ query }, () => moments.shift() ?? 0)
}

test('clocks without a measurable difference have no offset', async (t) => {
  for (const nowMs of [1_000, 1_004, 1_010]) t.equal(await offsetOf(1_000, nowMs, 1_010), 0)
  t.equal(await offsetOf(1_000, 999, 1_010), -1)
  t.equal(await offsetOf(1_000, 1_011, 1_010), 1)
  t.equal(await offsetOf(1_000, 601_010, 1_010), 600_000, 'the machine is ten minutes late')
  t.equal(await offsetOf(1_000_000, 400_000, 1_000_001), -600_000)
  const none = clockOffset({ query: async () => [] })
  await t.rejects(none, { message: 'a SELECT without FROM returns one row' })
})
