import { test } from 'tap'
import type { Suggestion } from '../../../../src/domain/suggestion.js'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { openExplorer } from '../../../fixtures/explorer.js'
import { wordsOf } from '../../../fixtures/page-visitor.js'

const PATH = '/dashboard/workspaces/w/transactions'

test(
  'a search that finds nothing links to what may be meant',
  overOneDashboard(async (t, fixture) => {
    const { visitor, key } = await openExplorer(fixture)
    // The first suggestions may take longer than a page waits.
    await fixture.service.ask('/v1/w/transactions/suggestions?query=x', { key })
    const page = await visitor.get(`${fixture.url}${PATH}?query=telefn&limit=25&category=1`)
    t.match(wordsOf(page), /No transactions found Did you mean Telefon 75 transactions/)
    t.match(page.text, `href="${PATH}?query=Telefon&amp;limit=25"`)
    for (const query of ['?query=nirgends', '?query=4712&category=2', `?query=${'x'.repeat(65)}`]) {
      const other = await visitor.get(`${fixture.url}${PATH}${query}`)
      t.match(wordsOf(other), /No transactions found A search finds/, query)
    }
    t.notMatch(wordsOf(await visitor.get(`${fixture.url}${PATH}?query=telefon`)), /Did you mean/)
  }),
)

test(
  'the field leads to suggestions, which are those of REST',
  overOneDashboard(async (t, fixture) => {
    const { visitor, key } = await openExplorer(fixture)
    const page = await visitor.get(`${fixture.url}${PATH}`)
    t.match(page.text, /<script type="module" src="[^"]*\/suggest-\w+\.js"><\/script>/)
    t.match(page.text, `data-suggest="${PATH}/suggestions"`)
    const answer = await visitor.get(`${fixture.url}${PATH}/suggestions?query=telefn`)
    t.equal(answer.headers.get('content-type'), 'application/json')
    t.same(JSON.parse(answer.text) as Suggestion[], [
      { text: 'Telefon', kind: 'category', count: 75 },
    ])
    const rest = await fixture.service.ask('/v1/w/transactions/suggestions?query=telefn', { key })
    t.equal(answer.text, rest.text)
    const refused = await visitor.get(`${fixture.url}${PATH}/suggestions?query=${'x'.repeat(65)}`)
    t.equal(refused.status, 400)
    t.match(JSON.parse(refused.text), { error: 'invalid_parameter' })
    const unknown = await visitor.get(
      `${fixture.url}/dashboard/workspaces/none/transactions/suggestions?query=a`,
    )
    t.equal(unknown.status, 404)
  }),
)
