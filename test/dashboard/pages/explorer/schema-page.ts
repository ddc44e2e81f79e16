import { test } from 'tap'
import { listRequest, targetOf } from '../../../../src/dashboard/pages/explorer/rest-request.js'
import { SCHEMA_ROWS } from '../../../../src/dashboard/pages/explorer/schema-page.js'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { openExplorer } from '../../../fixtures/explorer.js'
import { type Visit, wordsOf } from '../../../fixtures/page-visitor.js'

const PATH = '/dashboard/workspaces/w/transactions/schema'

/** The parsed JSON of the code block with that label. */
function jsonIn({ text }: Visit, label: string): unknown {
  const code = new RegExp(`aria-label="${label}, JSON"><code>(.*?)</code>`, 's').exec(text)?.[1]
  if (code === undefined) return undefined
  return JSON.parse(code.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'))
}

test(
  'a schema is tried on the existing rows',
  overOneDashboard(async (t, fixture) => {
    const { visitor, key } = await openExplorer(fixture)
    const limit = String(SCHEMA_ROWS)
    const customSchema = '{"amount":"value.of","category":null,"purpose":"text"}'
    const query = new URLSearchParams({ customSchema, account: '1' })
    const page = await visitor.get(`${fixture.url}${PATH}?${query}`)
    const target = targetOf('w', listRequest({ account: '1', customSchema, limit }))
    const plain = targetOf('w', listRequest({ account: '1', limit }))
    const after = JSON.parse((await fixture.service.ask(target, { key })).text)
    const before = JSON.parse((await fixture.service.ask(plain, { key })).text)
    t.same(jsonIn(page, 'With the custom schema'), after)
    t.same(jsonIn(page, 'Original'), before)
    t.match(page.text.replaceAll('&amp;', '&'), target)
    t.match(page.text, '<input type="hidden" name="account" value="1"')
  }),
)

test(
  "an error in a schema is shown at it, in the service's words",
  overOneDashboard(async (t, fixture) => {
    const { visitor, key } = await openExplorer(fixture)
    for (const customSchema of ['{"amount":7}', '[]', '{', '{"a":"__proto__"}']) {
      const page = await visitor.get(
        `${fixture.url}${PATH}?${new URLSearchParams({ customSchema })}`,
      )
      const target = targetOf('w', listRequest({ customSchema }))
      const { message } = JSON.parse((await fixture.service.ask(target, { key })).text)
      t.equal(page.status, 400)
      const said = /id="schema-error">([^<]*)</.exec(page.text)?.[1] ?? ''
      t.equal(said.replaceAll('&quot;', '"').replaceAll('&amp;', '&'), message)
      t.equal(jsonIn(page, 'With the custom schema'), undefined)
    }
    const first = await visitor.get(fixture.url + PATH)
    t.match(wordsOf(first), 'With the custom schema')
    t.match(jsonIn(first, 'With the custom schema'), [{ value: Number }], 'an example is shown')
  }),
)
