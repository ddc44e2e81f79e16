import { test } from 'tap'
import {
  ONE_TIME_NOTE_MS,
  ONE_TIME_NOTES_MAX,
  OneTimeNotes,
} from '../../src/dashboard/one-time-notes.js'

const ADA = { token: 'a', operatorId: 1, operatorName: 'ada', beganAtMs: 0 }
const EVE = { token: 'e', operatorId: 2, operatorName: 'eve', beganAtMs: 0 }

test('a note is read once, by the session that left it, within its time', async (t) => {
  let nowMs = 0
  const notes = new OneTimeNotes(() => nowMs)
  const id = notes.put(ADA, 'sk-1')
  t.match(id, /^[-\w]{43}$/)
  t.equal(notes.take(EVE, id), undefined)
  t.equal(notes.take(ADA, undefined), undefined)
  t.equal(notes.take(ADA, 'x'), undefined)
  t.equal(notes.take(ADA, id), 'sk-1')
  t.equal(notes.take(ADA, id), undefined)
  const late = notes.put(ADA, 'sk-2')
  nowMs += ONE_TIME_NOTE_MS
  t.equal(notes.take(ADA, late), undefined)
})

test('their number is bounded: the oldest is evicted', async (t) => {
  const notes = new OneTimeNotes(() => 0)
  const ids = Array.from({ length: ONE_TIME_NOTES_MAX + 1 }, (_, i) => notes.put(ADA, `${i}`))
  t.equal(notes.take(ADA, ids[0]), undefined)
  t.equal(notes.take(ADA, ids[1]), '1')
  t.equal(notes.take(ADA, ids.at(-1)), `${ONE_TIME_NOTES_MAX}`)
})
