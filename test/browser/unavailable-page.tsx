import { test } from 'tap'
import { replyPage } from '../../src/browser/page.js'
import { withUnavailablePage } from '../../src/browser/unavailable-page.js'
import type { Exchange } from '../../src/http/engine/exchange.js'
import { LostCommitError, StoreError, StoreUnavailableError } from '../../src/store/store-error.js'
import { rigs } from '../fixtures/http-rig.js'

const UNAVAILABLE = new StoreUnavailableError('db: no answer')
const LOST = new LostCommitError('db', { cause: undefined })

const PAGE = { title: 'A', body: <p>B</p> }

function answer(exchange: Exchange): void | Promise<void> {
  switch (exchange.path) {
    case '/thrown':
      throw UNAVAILABLE
    case '/rejected':
      return Promise.reject(UNAVAILABLE)
    case '/lost':
      return Promise.reject(LOST)
    case '/another':
      return Promise.reject(new StoreError('a fault'))
    default:
      return replyPage(exchange, { status: 200, page: PAGE })
  }
}

test('a page says that the database does not answer, and other errors pass', async (t) => {
  for (const rig of rigs) {
    const { port, faults } = await rig.listen(t, withUnavailablePage(answer))
    const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`)
    for (const [path, words] of [
      ['/thrown', 'Nothing was changed, and sessions stay valid.'],
      ['/rejected', 'Nothing was changed, and sessions stay valid.'],
      ['/lost', 'It may or may not have been saved: check before you repeat it.'],
    ] as const) {
      const reply = await ask(path)
      t.equal(reply.status, 503, path)
      t.equal(reply.headers.get('content-type'), 'text/html; charset=utf-8')
      t.equal(reply.headers.get('retry-after'), '1')
      t.match(await reply.text(), words)
    }
    t.equal((await ask('/')).status, 200)
    t.same(faults, [])
    t.equal((await ask('/another')).status, 500)
    t.equal(faults.length, 1)
  }
})
