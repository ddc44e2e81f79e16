// A stolen session, or an unlocked browser, does not become a permanent account: a new password or
// a new operator requires the own password.
import { test } from 'tap'
import { createOperator } from '../../src/admin/operators.js'
import { verifyOperator } from '../../src/auth/operators.js'
import { SIGN_IN_NAME_FAILURES_FREE } from '../../src/browser/attempts.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { listOperators } from '../../src/store/operator-rows.js'
import { type DashboardFixture, overOneDashboard } from '../fixtures/dashboard-fixture.js'
import { OPERATOR } from '../fixtures/oauth-fixture.js'
import { PageVisitor, type Visit, wordsOf } from '../fixtures/page-visitor.js'

const NEXT = { password: 'another phrase', again: 'another phrase' }

async function change(
  fixture: DashboardFixture,
  visitor: PageVisitor,
  typed: Record<string, string>,
  id = 1,
): Promise<Visit> {
  const page = await visitor.get(`${fixture.url}/dashboard/operators/${id}`)
  return visitor.press(page, 'password', { ...NEXT, ...typed })
}

test(
  'changing any password requires the own one',
  overOneDashboard(async (t, fixture) => {
    const { control, nowMs } = fixture.service
    const bob = { name: 'bob', password: 'of bob alone' }
    await createOperator({ control, nowMs, actor: CLI_ACTOR }, bob)
    const visitor = await fixture.signedIn()
    for (const id of [1, 2]) {
      for (const typed of [{}, { own_password: '' }, { own_password: bob.password }]) {
        const answer = await change(fixture, visitor, typed, id)
        t.equal(answer.status, 400)
        t.match(wordsOf(answer), 'Your current password is wrong. Nothing was changed.')
        t.equal(
          fixture.lastAuditEvent(),
          `operator.password refused ${id} {"reason":"credentials"}`,
        )
        fixture.service.nowMs += 60_000
      }
    }
    t.ok(await verifyOperator(control, OPERATOR.name, OPERATOR.password))
    t.ok(await verifyOperator(control, bob.name, bob.password))
    t.equal((await change(fixture, visitor, { own_password: OPERATOR.password }, 2)).status, 303)
    t.ok(await verifyOperator(control, bob.name, NEXT.password))
  }),
)

test(
  'adding an operator requires the own password',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await visitor.get(`${fixture.url}/dashboard/operators`)
    const answer = await visitor.press(page, 'create-operator', { name: 'eve', ...NEXT })
    t.equal(answer.status, 400)
    t.match(wordsOf(answer), 'Your current password is wrong. Nothing was changed.')
    t.equal(fixture.lastAuditEvent(), 'operator.create refused {"reason":"credentials"}')
    t.equal(fixture.service.control.look(listOperators).length, 1)
  }),
)

test(
  'a stolen session guesses the password no faster than a sign-in',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const thief = await fixture.signedIn()
    for (let i = 0; i < SIGN_IN_NAME_FAILURES_FREE; i++) {
      await change(fixture, i % 2 === 0 ? thief : visitor, { own_password: `guess ${i}` })
    }
    const early = await change(fixture, thief, { own_password: OPERATOR.password })
    t.equal(early.status, 400)
    t.match(wordsOf(early), 'Too many attempts. Try again in 1 s.')
    t.equal(fixture.lastAuditEvent(), 'operator.password refused 1 {"reason":"too_many"}')
    fixture.service.nowMs += 1_000
    t.equal((await change(fixture, thief, { own_password: OPERATOR.password })).status, 303)
  }),
)

test(
  'after a password change the own browser is still known at sign-in',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const changed = await change(fixture, visitor, { own_password: OPERATOR.password })
    t.equal(changed.status, 303)
    const url = `${fixture.url}/dashboard`
    const signIn = async (by: PageVisitor, password: string): Promise<number> => {
      const page = await by.get(url)
      t.match(wordsOf(page), 'Sign in to see', 'every session has ended')
      const typed = { name: OPERATOR.name, password, action: 'sign-in' }
      return (await by.submit(page, typed)).status
    }
    const attacker = new PageVisitor()
    for (let i = 0; i < SIGN_IN_NAME_FAILURES_FREE; i++) await signIn(attacker, 'guess')
    t.equal(await signIn(attacker, NEXT.password), 429)
    t.equal(await signIn(visitor, NEXT.password), 303)
  }),
)
