import { test } from 'tap'
import { insertOperator } from '../../src/store/operator-rows.js'
import { execute, rowsOf } from '../fixtures/control-sql.js'
import { overDashboards, overOneDashboard } from '../fixtures/dashboard-fixture.js'
import { cheapPassword } from '../fixtures/oauth-fixture.js'
import { PageVisitor, wordsOf } from '../fixtures/page-visitor.js'

const TYPED = { name: 'ada', password: 'correct horse', again: 'correct horse' }

test(
  'the link creates the first operator once, and signs in',
  overDashboards(
    async (t, fixture) => {
      const link = fixture.url + ((await fixture.service.openFirstRun()) ?? '')
      t.match(link, /\/dashboard\/first-run\/[-\w]{43}$/)
      const [one, two] = [new PageVisitor(), new PageVisitor()]
      const page = await one.get(link)
      t.match(wordsOf(page), 'There is no operator yet.')
      const late = await two.get(link)
      const begun = await one.submit(page, { ...TYPED, action: 'create' })
      t.equal(PageVisitor.target(begun).pathname, '/dashboard')
      t.match(wordsOf(await one.follow(begun)), 'Overview')
      const actions = fixture.audit().map(({ action, actor }) => `${action} ${actor}`)
      t.same(actions, ['session.begin operator:ada', 'operator.create anonymous'])
      const second = await two.submit(late, { ...TYPED, name: 'eve', action: 'create' })
      t.match(wordsOf(second), 'Your session has ended.')
      t.match(
        wordsOf(await two.get(link)),
        'Sign in to see',
        'the link is then like any other path',
      )
      t.equal(await fixture.service.openFirstRun(), undefined)
      t.equal(rowsOf(fixture.service.control, 'SELECT * FROM operators').length, 1)
    },
    { isFirstRun: true },
  ),
)

test(
  'an invalid entry is reported, and the link stays valid',
  overOneDashboard(
    async (t, fixture) => {
      const link = fixture.url + ((await fixture.service.openFirstRun()) ?? '')
      const visitor = new PageVisitor()
      for (const [typed, sentence] of [
        [{ again: 'correct house' }, 'The passwords do not match. Nothing was saved.'],
        [{ password: 'short', again: 'short' }, 'The password must have at least 8 characters.'],
        [{ name: '\u202e' }, 'The name must not contain control characters'],
      ] as const) {
        const page = await visitor.get(link)
        const answer = await visitor.submit(page, { ...TYPED, ...typed, action: 'create' })
        t.equal(answer.status, 400)
        t.match(wordsOf(answer), sentence)
      }
      const guess = await visitor.get(`${fixture.url}/dashboard/first-run/${'x'.repeat(43)}`)
      t.match(wordsOf(guess), 'There is no operator yet. Open the link')
      const newer = fixture.url + ((await fixture.service.openFirstRun()) ?? '')
      t.match(
        wordsOf(await visitor.get(link)),
        'Sign in to see',
        'a new link invalidates the old one',
      )
      t.match(wordsOf(await visitor.get(newer)), 'Choose a name and a password')
      t.same(fixture.audit(), [])
    },
    { isFirstRun: true },
  ),
)

test(
  'the link ends with the first operator; of two concurrent forms one wins',
  overOneDashboard(
    async (t, fixture) => {
      const link = fixture.url + ((await fixture.service.openFirstRun()) ?? '')
      const visitors = [new PageVisitor(), new PageVisitor()]
      const answers = await Promise.all(
        visitors.map(async (visitor, i) => {
          const page = await visitor.get(link)
          return visitor.submit(page, { ...TYPED, name: `n${i}`, action: 'create' })
        }),
      )
      t.equal(answers.filter(({ status }) => status === 303).length, 1)
      t.equal(rowsOf(fixture.service.control, 'SELECT * FROM operators').length, 1)
      execute(fixture.service.control, 'DELETE FROM operators')
      const next = fixture.url + ((await fixture.service.openFirstRun()) ?? '')
      const password = cheapPassword('correct horse')
      await fixture.service.control.atomically(() =>
        insertOperator({ name: 'bob', password, createdAt: 0 }),
      )
      t.match(wordsOf(await new PageVisitor().get(next)), 'Sign in to see')
      execute(fixture.service.control, 'DELETE FROM operators')
      t.match(wordsOf(await new PageVisitor().get(next)), 'Sign in to see', 'and stays invalid')
    },
    { isFirstRun: true },
  ),
)
