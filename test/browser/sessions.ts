import { test } from 'tap'
import { SESSION_MS } from '../../src/auth/sessions.js'
import { Sessions } from '../../src/browser/sessions.js'
import { insertOperator } from '../../src/store/operator-rows.js'
import { ControlFile } from '../../src/store/sqlite/control-file.js'
import { START_MS } from '../fixtures/service.js'

test('a session lasts until it ends, is replaced or expires', async (t) => {
  const control = ControlFile.open(`${t.testdir()}/control.db`)
  t.teardown(() => control.close())
  const operatorId = await control.atomically(() =>
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
  const begin = async (cookies: string): Promise<string> =>
    (await control.alone(() => sessions.begin(operatorId, cookies))).split(';')[0] ?? ''
  t.equal(await sessions.find(''), undefined)
  t.equal(await sessions.find('__Host-kontor-session=unknown'), undefined)
  const cookie = await begin('')
  const session = await sessions.find(cookie)
  const token = cookie.split('=')[1]
  t.same(session, { operatorId, operatorName: 'ada', token, beganAtMs: START_MS })
  t.equal(await sessions.find(cookie.replace('__Host-', '')), undefined, 'planted over http')
  const next = await begin(cookie)
  t.equal(await sessions.find(cookie), undefined)
  nowMs += SESSION_MS - 1
  const found = await sessions.find(next)
  t.ok(found)
  if (found !== undefined) {
    t.match(
      await control.alone(() => sessions.end(found)),
      /^__Host-kontor-session=; .*Max-Age=0; Secure$/,
    )
  }
  t.equal(await sessions.find(next), undefined)
  const last = await begin('')
  nowMs += SESSION_MS - 1
  t.ok(await sessions.find(last))
  nowMs += 1
  t.equal(await sessions.find(last), undefined)
})
