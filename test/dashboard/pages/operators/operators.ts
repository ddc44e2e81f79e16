import { test } from 'tap'
import { verifyOperator } from '../../../../src/auth/operators.js'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { OPERATOR } from '../../../fixtures/oauth-fixture.js'
import { PageVisitor, wordsOf } from '../../../fixtures/page-visitor.js'

const OWN = { own_password: OPERATOR.password }
const NEW = { name: 'grace', password: 'a longer phrase', again: 'a longer phrase', ...OWN }

test(
  'an operator is added, given a new password, signed out and deleted',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const list = await visitor.get(`${fixture.url}/dashboard/operators`)
    for (const wrong of [{ again: 'other' }, { password: 'short' }, { name: OPERATOR.name }]) {
      const answer = await visitor.press(list, 'create-operator', { ...NEW, ...wrong })
      t.equal(answer.status, 400, JSON.stringify(wrong))
      t.notMatch(answer.text, NEW.password, 'the password is not sent back')
    }
    t.equal((await visitor.press(list, 'create-operator', NEW)).status, 303)
    t.match(fixture.lastAuditEvent(), 'operator.create ok 2 {"name":"grace"}')
    t.ok(await verifyOperator(fixture.service.control, NEW.name, NEW.password))

    const other = new PageVisitor()
    const asked = await other.get(`${fixture.url}/dashboard`)
    await other.submit(asked, { name: NEW.name, password: NEW.password, action: 'sign-in' })
    t.match(wordsOf(await other.get(`${fixture.url}/dashboard/session`)), 'Signed in as grace')
    const url = `${fixture.url}/dashboard/operators/2`
    const done = await visitor.follow(await visitor.press(await visitor.get(url), 'end-sessions'))
    t.match(wordsOf(done), 'All sessions were ended.')
    t.match(fixture.lastAuditEvent(), 'session.end ok 2 {"everywhere":true,"sessions":1}')
    t.match(wordsOf(await other.get(`${fixture.url}/dashboard/session`)), 'Sign in')

    const changed = { password: 'another phrase', again: 'another phrase', ...OWN }
    await visitor.press(await visitor.get(url), 'password', changed)
    t.match(fixture.lastAuditEvent(), 'operator.password ok 2')
    t.ok(await verifyOperator(fixture.service.control, NEW.name, changed.password))

    const kept = await visitor.press(await visitor.get(url), 'delete', { typed_name: 'ada' })
    t.equal(kept.status, 400)
    await visitor.press(await visitor.get(url), 'delete', { typed_name: NEW.name })
    t.match(fixture.lastAuditEvent(), 'operator.delete ok 2')
    t.equal((await visitor.get(url)).status, 404)
  }),
)

test(
  'the last operator cannot be deleted',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await visitor.get(`${fixture.url}/dashboard/operators/1`)
    t.match(wordsOf(page), 'This is you.')
    const answer = await visitor.press(page, 'delete', { typed_name: OPERATOR.name })
    t.equal(answer.status, 400)
    t.match(wordsOf(answer), 'This is the only operator; add another one first.')
    t.match(wordsOf(await visitor.get(`${fixture.url}/dashboard/operators`)), OPERATOR.name)
  }),
)
