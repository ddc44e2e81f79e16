import { test } from 'tap'
import type { Reply } from '../../src/doctor/ask.js'
import { mendOfRefusal } from '../../src/doctor/refused-credential.js'

function reply(status: number, challenge?: string): Reply {
  const headers = new Headers(challenge === undefined ? {} : { 'WWW-Authenticate': challenge })
  return { asked: '', url: '', status, headers, text: '', json: undefined, isKontors: true }
}

test('a challenge that names no error tells that no credential has arrived', async (t) => {
  t.match(mendOfRefusal(reply(401, 'Bearer realm="kontor"')), /takes the Authorization field/)
  t.equal(mendOfRefusal(reply(401, 'Bearer realm="kontor", error="invalid_token"')), undefined)
  t.equal(mendOfRefusal(reply(401, 'Basic realm="proxy"')), undefined)
  t.equal(mendOfRefusal(reply(401)), undefined)
  t.equal(mendOfRefusal(reply(200, 'Bearer realm="kontor"')), undefined)
})
