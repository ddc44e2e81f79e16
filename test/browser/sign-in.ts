import { test } from 'tap'
import { createOperator } from '../../src/admin/operators.js'
import { hashPassword } from '../../src/auth/password.js'
import { SIGN_IN_NAME_FAILURES_FREE } from '../../src/browser/attempts.js'
import { formToken } from '../../src/browser/form-token.js'
import { Sessions } from '../../src/browser/sessions.js'
import { SignIn, type SignInContext } from '../../src/browser/sign-in.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { deleteOperatorRow, updateOperatorPassword } from '../../src/store/operator-rows.js'
import { Form } from '../../src/wire/form.js'
import { NOW_MS, newControl } from '../fixtures/control.js'
import { execute, rowsOf } from '../fixtures/control-sql.js'
import {
  formOf,
  type OAuthFixture,
  OPERATOR,
  overFixtures,
  typedName,
} from '../fixtures/oauth-fixture.js'
import { hiddenFieldsOf, PageVisitor, type Visit, wordsOf } from '../fixtures/page-visitor.js'

function signIn(visitor: PageVisitor, page: Visit, typed: object = {}): Promise<Visit> {
  return visitor.submit(page, { ...typedName(), action: 'sign-in', ...typed })
}

function sessionsOf({ service }: OAuthFixture): unknown[] {
  return rowsOf(service.control, 'SELECT * FROM sessions')
}

test(
  'signing in returns to the same page, with a session that scripts cannot read',
  overFixtures(async (t, fixture) => {
    const visitor = new PageVisitor()
    const url = fixture.authorizeUrl()
    const page = await visitor.get(url)
    t.equal(page.status, 200)
    t.match(wordsOf(page), 'A program requests read access to the workspace w.')
    t.match(page.headers.get('set-cookie'), /^kontor-visit=[-\w]{43}; Path=\/; HttpOnly; SameSite/)
    t.same(sessionsOf(fixture), [])
    const answer = await signIn(visitor, page)
    t.equal(answer.status, 303)
    t.equal(answer.headers.get('location'), url)
    t.match(
      answer.headers.getSetCookie()[0],
      /^kontor-session=[-\w]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/,
    )
    t.equal(fixture.lastAuditEvent(), 'session.begin ok')
    const dump = JSON.stringify([fixture.state(), fixture.audit()])
    t.notMatch(dump, visitor.cookies.get('kontor-session') ?? 'none', 'only its hash is stored')
    t.match(wordsOf(await visitor.get(url)), 'Allow a program to read bank data?')
  }),
)

test(
  'over https the cookies are bound to this host',
  overFixtures(
    async (t, fixture) => {
      const page = await new PageVisitor().get(
        fixture
          .authorizeUrl()
          .replace('https://bank.example.org', `http://127.0.0.1:${fixture.service.client.port}`),
      )
      t.match(page.headers.get('set-cookie'), /^__Host-kontor-visit=.*; Secure$/)
    },
    { service: { baseUrl: () => 'https://bank.example.org' } },
  ),
)

test(
  'the error does not tell a wrong name from a wrong password',
  overFixtures(async (t, fixture) => {
    const texts = new Set<string>()
    for (const typed of [
      { password: 'wrong horse' },
      { name: 'nobody' },
      { name: '', password: '' },
      { password: 'correct horse ' },
      { name: 'ADA' },
      { password: 'x'.repeat(10_000) },
    ]) {
      const visitor = new PageVisitor()
      const answer = await signIn(visitor, await visitor.get(fixture.authorizeUrl()), typed)
      t.equal(answer.status, 403)
      texts.add(wordsOf(answer))
      t.equal(fixture.lastAuditEvent(), 'session.begin refused credentials')
      const [row] = fixture.audit(1)
      t.equal(row?.subject, typed.name === undefined ? '1' : null, 'an unknown name is not stored')
      t.notOk(visitor.cookies.has('kontor-session'))
    }
    t.equal(texts.size, 1)
    t.match([...texts][0], 'The name or password is wrong.')
    t.same(sessionsOf(fixture), [])
    t.notMatch(JSON.stringify(fixture.audit()), /horse|xxx/)
  }),
)

test(
  'a form not shown to this browser does not sign in',
  overFixtures(async (t, fixture) => {
    const visitor = new PageVisitor()
    const page = await visitor.get(fixture.authorizeUrl())
    const stranger = new PageVisitor()
    const strangersPage = await stranger.get(fixture.authorizeUrl())
    const strangersToken = hiddenFieldsOf(strangersPage)['form_token'] ?? ''
    const url = page.url
    const send = (by: PageVisitor, token: object): Promise<Visit> =>
      by.post(url, { ...typedName(), action: 'sign-in', ...token })
    const answers = [
      await send(visitor, {}),
      await send(visitor, { form_token: '' }),
      await send(visitor, { form_token: strangersToken }),
      await send(new PageVisitor(), { form_token: strangersToken }),
      await visitor.post(fixture.authorizeUrl({ state: 'other' }), {
        ...typedName(),
        ...{ action: 'sign-in', form_token: hiddenFieldsOf(page)['form_token'] ?? '' },
      }),
    ]
    for (const answer of answers) {
      t.equal(answer.status, 403)
      t.match(wordsOf(answer), 'The page has expired, or cookies are disabled.')
    }
    t.equal(fixture.lastAuditEvent(), 'session.begin refused form_token')
    t.same(sessionsOf(fixture), [])
    t.equal((await signIn(visitor, page)).status, 303, 'the page itself still works')
  }),
)

test(
  'repeated failures have to wait ever longer, even with the right password',
  overFixtures(async (t, fixture) => {
    const visitor = new PageVisitor()
    const page = await visitor.get(fixture.authorizeUrl())
    for (let i = 0; i < SIGN_IN_NAME_FAILURES_FREE; i++) {
      t.equal((await signIn(visitor, page, { password: `guess ${i}` })).status, 403)
    }
    const early = await signIn(visitor, page)
    t.equal(early.status, 429)
    t.equal(early.headers.get('retry-after'), '1')
    t.match(wordsOf(early), 'Too many attempts. Try again in 1 s.')
    t.equal(fixture.lastAuditEvent(), 'session.begin refused too_many')
    t.same(sessionsOf(fixture), [])
    fixture.service.nowMs += 1_000
    t.equal((await signIn(visitor, page, { password: 'guess' })).status, 403)
    t.equal((await signIn(visitor, page)).headers.get('retry-after'), '2')
    fixture.service.nowMs += 2_000
    t.equal((await signIn(visitor, page)).status, 303)
    t.equal(sessionsOf(fixture).length, 1)
  }),
)

test(
  'concurrent attempts with one name count like sequential ones',
  overFixtures(async (t, fixture) => {
    const visitor = new PageVisitor()
    const page = await visitor.get(fixture.authorizeUrl())
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => signIn(visitor, page, { password: `guess ${i}` })),
    )
    const statuses = answers.map(({ status }) => status)
    t.ok(statuses.filter((status) => status === 403).length <= SIGN_IN_NAME_FAILURES_FREE)
    t.same([...new Set(statuses)].sort(), [403, 429])
  }),
)

test(
  "signing in again ends the browser's previous session",
  overFixtures(async (t, fixture) => {
    const visitor = new PageVisitor()
    const tab = await visitor.get(fixture.authorizeUrl())
    const otherTab = await visitor.get(fixture.authorizeUrl({ state: 'other' }))
    t.equal((await signIn(visitor, tab)).status, 303)
    const first = visitor.cookies.get('kontor-session')
    t.equal((await signIn(visitor, otherTab)).status, 303, 'a form shown earlier is still valid')
    t.not(visitor.cookies.get('kontor-session'), first)
    t.equal(sessionsOf(fixture).length, 1)
    visitor.cookies.set('kontor-session', first ?? '')
    t.match(wordsOf(await visitor.get(fixture.authorizeUrl())), 'Sign in to see')
  }),
)

test(
  'without an operator, the page says which command creates one',
  overFixtures(async (t, fixture) => {
    execute(fixture.service.control, 'DELETE FROM operators')
    const page = await new PageVisitor().get(fixture.authorizeUrl())
    t.match(wordsOf(page), 'kontor operators create')
  }),
)

test('a password changed during its verification counts as the old one', async (t) => {
  const control = await newControl(t)
  const clock = (): number => NOW_MS
  await createOperator({ control, nowMs: NOW_MS, actor: CLI_ACTOR }, OPERATOR)
  const sessions = new Sessions(control, clock, () => false)
  const signIn = new SignIn({ control, clock, isSecure: () => false, sessions })
  const url = 'http://kontor.test/page'
  const fields = { ...OPERATOR, form_token: formToken('visit', url), action: 'sign-in' }
  const taken = async (whileLooking: () => unknown): Promise<number> => {
    let answered = 0
    const reply = (status: number): void => {
      answered = status
    }
    const exchange = { reply, requestId: 'r' } as unknown as SignInContext['exchange']
    const context = { exchange, cookies: 'kontor-visit=visit', address: '192.0.2.1', url }
    const pending = signIn.take({ ...context, purpose: '' }, new Form(formOf(fields)))
    await whileLooking()
    await pending
    return answered
  }
  t.equal(await taken(() => undefined), 303)
  const other = '$scrypt$ln=1,r=1,p=1$AAAA$AAAA'
  t.equal(
    await taken(() => control.atomically(() => updateOperatorPassword({ id: 1, password: other }))),
    403,
  )
  t.same(await rowsOf(control, 'SELECT * FROM sessions'), [])
  const password = await hashPassword(OPERATOR.password)
  await execute(control, 'UPDATE operators SET password = @password', { password })
  t.equal(
    await taken(() => control.atomically(() => deleteOperatorRow(1))),
    403,
    'nor does a deleted operator',
  )
})
