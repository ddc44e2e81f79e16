import { test } from 'tap'
import { fixOfRefusal } from '../../src/doctor/refused-credential.js'
import type { DoctorReply } from '../../src/doctor/request.js'

function reply(status: number, challenge?: string): DoctorReply {
  const headers = new Headers(challenge === undefined ? {} : { 'WWW-Authenticate': challenge })
  return { request: '', url: '', status, headers, text: '', json: undefined, isKontors: true }
}

test('a challenge without an error means that no credential arrived', async (t) => {
  t.match(fixOfRefusal(reply(401, 'Bearer realm="kontor"')), /removes the Authorization header/)
  t.equal(fixOfRefusal(reply(401, 'Bearer realm="kontor", error="invalid_token"')), undefined)
  t.equal(fixOfRefusal(reply(401, 'Basic realm="proxy"')), undefined)
  t.equal(fixOfRefusal(reply(401)), undefined)
  t.equal(fixOfRefusal(reply(200, 'Bearer realm="kontor"')), undefined)
})
