import { writeFileSync } from 'node:fs'
import { test } from 'tap'
import { WORKSPACES_PER_PAGE } from '../../../../src/dashboard/elements/paged-list.js'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { wordsOf } from '../../../fixtures/page-visitor.js'

test(
  'workspaces are listed page by page, in every state',
  overOneDashboard(
    async (t, fixture) => {
      const count = WORKSPACES_PER_PAGE + 1
      const nameOf = (i: number): string => `w${String(i).padStart(3, '0')}`
      for (let i = 0; i < count; i++) writeFileSync(fixture.service.pathOf(nameOf(i)), '')
      const visitor = await fixture.signedIn()
      const see = async (query: string): Promise<string> =>
        wordsOf(await visitor.get(`${fixture.url}/dashboard/workspaces${query}`))
      t.match(await see(''), `1–50 of 51 Next`)
      t.notMatch(await see(''), nameOf(50))
      t.match(await see('?offset=50'), nameOf(50))
      t.match(await see('?offset=100'), 'There are no workspaces.')
      t.equal(await see('?offset=-1'), await see(''))
    },
    { rows: null },
  ),
)

test(
  'an invalid name is reported at its field',
  overOneDashboard(async (t, fixture) => {
    const visitor = await fixture.signedIn()
    const page = await visitor.get(`${fixture.url}/dashboard/workspaces`)
    for (const [workspace, why] of [
      ['a b', 'A name consists of 1 to 128 letters'],
      ['', 'A name consists of 1 to 128 letters'],
      ['../w', 'A name consists of 1 to 128 letters'],
      ['w', 'A workspace of this name already exists.'],
    ] as const) {
      const refused = await visitor.press(page, 'create', { workspace })
      t.equal(refused.status, 400)
      t.match(wordsOf(refused), why)
      t.match(refused.text, 'aria-invalid="true"')
    }
  }),
)
