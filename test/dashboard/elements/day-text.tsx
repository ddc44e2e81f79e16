import { test } from 'tap'
import { DayText, InstantText } from '../../../src/dashboard/elements/day-text.js'
import { rendered } from '../../fixtures/dashboard-context.js'
import { START_MS } from '../../fixtures/service.js'

test('days and times are UTC, with a machine-readable form', async (t) => {
  t.equal(
    rendered(<DayText ms={START_MS} />),
    '<time class="day" datetime="2026-07-01">1 Jul 2026</time>',
  )
  t.match(
    rendered(<InstantText ms={START_MS + 3_723_000} />),
    /datetime="2026-07-01T01:02:03.000Z" title="[^"]*">1 Jul 2026, 01:02 UTC</,
  )
})
