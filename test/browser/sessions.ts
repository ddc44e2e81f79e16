import { test } from 'tap'
import { SESSION_MS } from '../../src/auth/sessions.js'
import { Sessions } from '../../src/browser/sessions.js'
import { insertOperator } from '../../src/store/operator-rows.js'
import { ControlFile } from '../../src/store/sqlite/control-file.js'
import { START_MS } from '../fixtures/service.js'

test('a session lasts until it ends, is replaced or expires', async (t) => {
  const control = ControlFile.open(`${t.testdir()}/control.db`)
  t.teardown(() => control.close())
  const operatorId = control.atomically(() =>
    insertOperator({
      ...{ name: 'ada', password: '$scrypt$', createdAt: START_MS },
    }),
  )
  let nowMs = START_MS
  const sessions = new Sessions(
    control,
    () => nowMs,
    () => true,
  )
  const begin = (cookies: string): string =>
    control.alone(() => sessions.begin(operatorId, cookies)).split(';')[0] ?? ''
  t.equal(sessions.find(''), undefined)
  t.equal(sessions.find('__Host-kontor-session=unknown'), undefined)
  const cookie = begin('')
  const session = sessions.find(cookie)
  const token = cookie.split('=')[1]
  t.same(session, { operatorId, operatorName: 'ada', token, beganAtMs: START_MS })
  t.equal(sessions.find(cookie.replace('__Host-', '')), undefined, 'planted over http')
  const next = begin(cookie)
  t.equal(sessions.find(cookie), undefined)
  nowMs += SESSION_MS - 1
  const found = sessions.find(next)
  t.ok(found)
  if (found !== undefined) {
    t.match(
      control.alone(() => sessions.end(found)),
      /^__Host-kontor-session=; .*Max-Age=0; Secure$/,
    )
  }
  t.equal(sessions.find(next), undefined)
  const last = begin('')
  nowMs += SESSION_MS - 1
  t.ok(sessions.find(last))
  nowMs += 1
  t.equal(sessions.find(last), undefined)
})
