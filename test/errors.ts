import { test } from 'tap'
import { ApiError, CommandError, ERROR_STATUS, messageOf } from '../src/errors.js'

test('an ApiError has the status of its code, and its cause stays private', async (t) => {
  const error = new ApiError('not_found', 'No transaction has id 7.', { cause: new Error('why') })
  t.equal(error.status, ERROR_STATUS.not_found)
  t.equal(error.status, 400)
  t.equal(messageOf(error), 'No transaction has id 7.')
})

test('a thrown value other than an Error has a message too', async (t) => {
  t.equal(messageOf('plain'), 'plain')
  t.equal(new CommandError('usage', 'x').kind, 'usage')
})
