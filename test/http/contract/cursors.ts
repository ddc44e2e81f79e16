// Pages by cursor (docs/extensions/cursors.md), over both engines.
import { copyFileSync } from 'node:fs'
import { test } from 'tap'
import { Database } from '../../../src/store/sqlite/sqlite-driver.js'
import type { Reply } from '../../fixtures/contract-check.js'
import { OTHER_IBAN, OWN_IBAN, SAMPLE } from '../../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, overEngines, RunningService } from '../../fixtures/service.js'

function idsOf(reply: Reply): number[] {
  return (bodyOf(reply) as { id: number }[]).map(({ id }) => id)
}

/** The cursor of the next page; undefined on the last one. */
function nextOf({ fields }: Reply): string | undefined {
  return fields['x-next-cursor']
}

/** Target of the one link of a page. */
function linkOf({ fields }: Reply): string | undefined {
  const { link } = fields
  return link === undefined ? undefined : /^<([^>]*)>; rel="next"$/.exec(link)?.[1]
}

const LISTS = [
  'transactions?',
  'transactions?sortBy=bookingDate&order=asc&',
  'transactions?sortBy=amount&direction=out&',
  'transactions/search?query=RE-1&sortBy=valueDate&',
  'accounts/1/transactions?uncategorized=true&',
  `counterpart/${OTHER_IBAN}/transactions/search?`,
]

test(
  'the pages are those by offset, and the links lead through them',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    for (const path of LISTS) {
      let target: string | undefined = `/v1/w/${path}limit=17&cursor=`
      let offset = 0
      while (target !== undefined) {
        const reply: Reply = await service.ask(target, { key })
        const same = await service.ask(`/v1/w/${path}limit=17&offset=${offset}`, { key })
        t.equal(reply.text, same.text, target)
        t.equal(reply.fields['x-total-count'], same.fields['x-total-count'])
        t.equal(nextOf(same), undefined, 'a page by offset has no cursor')
        const next = nextOf(reply)
        target = linkOf(reply)
        t.equal(target, next === undefined ? undefined : `/v1/w/${path}limit=17&cursor=${next}`)
        offset += 17
        t.equal(next === undefined, offset >= Number(same.fields['x-total-count']))
      }
    }
  }),
)

test(
  'limit, customSchema, and which key of equal view asks may change',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    const path = '/v1/w/transactions?sortBy=amount'
    const first = await service.ask(`${path}&limit=3&cursor=`, { key })
    const cursor = nextOf(first)
    const expected = await service.ask(`${path}&limit=7&offset=3`, { key })
    const others = [
      `${path}&limit=7&cursor=${cursor}`,
      `/v1/w/transactions?cursor=${cursor}&order=desc&limit=7&sort%42y=amount`,
      `${path}&limit=7&cursor=${cursor}&ownTransfers=include`,
    ]
    for (const target of others) {
      t.equal((await service.ask(target, { key })).text, expected.text, target)
    }
    const schema = encodeURIComponent('{"amount":null}')
    const reply = await service.ask(`${others[0]}&customSchema=${schema}`, { key })
    t.same(idsOf(reply), idsOf(expected))
    const twin = await service.newKey('w')
    t.same(idsOf(await service.ask(others[0] ?? '', { key: twin.key })), idsOf(expected))
    const head = await service.ask(others[0] ?? '', { key, method: 'HEAD' })
    t.ok(nextOf(head))
    const count = await service.ask(`${path}&limit=0&cursor=${cursor}`, { key })
    t.equal(count.fields['x-total-count'], '302')
    t.notOk(nextOf(count) ?? count.fields['link'])
  }),
)

test(
  'a cursor of another list is refused',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    await service.write('x', SAMPLE)
    const { key } = await service.newKey('w')
    const list = 'transactions?category=2&sortBy=amount'
    const cursor = nextOf(await service.ask(`/v1/w/${list}&limit=2&cursor=`, { key }))
    const refused = async (path: string, ownKey = key, workspaceId = 'w') => {
      const reply = await service.ask(`/v1/${workspaceId}/${path}&cursor=${cursor}`, {
        key: ownKey,
      })
      t.equal(outcomeOf(reply), '400 invalid_cursor', path)
      t.match(bodyOf(reply), { message: /^cursor belongs to another list: .*for example cursor=$/ })
    }
    t.equal(outcomeOf(await service.ask(`/v1/w/${list}&cursor=${cursor}`, { key })), '200')
    await refused('transactions?sortBy=amount')
    await refused('transactions?category=3&sortBy=amount')
    await refused('transactions?category=2')
    await refused(`${list}&order=asc`)
    await refused(`${list}&direction=out`)
    await refused('transactions/search?category=2&sortBy=amount')
    await refused('transactions/search?category=2&sortBy=amount&query=RE')
    await refused('accounts/1/transactions?category=2&sortBy=amount')
    await refused(`counterpart/${OWN_IBAN}/transactions?category=2&sortBy=amount`)
    await refused(list, (await service.newKey('w', { accountIds: [1] })).key)
    await refused(list, (await service.newKey('x')).key, 'x')
    const narrow = await service.newKey('w', { accountIds: [1, 2] })
    const own = nextOf(await service.ask(`/v1/w/${list}&limit=2&cursor=`, { key: narrow.key }))
    const alike = await service.newKey('w', { accountIds: [2, 1] })
    const reply = await service.ask(`/v1/w/${list}&cursor=${own}`, { key: alike.key })
    t.equal(outcomeOf(reply), '200', 'the same accounts in another order')
    const some = nextOf(
      await service.ask('/v1/w/transactions?accountIds=1,2&limit=2&cursor=', { key }),
    )
    const accounts = (ids: string): string => `/v1/w/transactions?accountIds=${ids}&cursor=${some}`
    const sorted = await service.ask(accounts('1,2'), { key })
    t.same(idsOf(await service.ask(accounts('2,1,2'), { key })), idsOf(sorted))
    t.equal(outcomeOf(await service.ask(accounts('2'), { key })), '400 invalid_cursor')
  }),
)

test(
  'what is no cursor is refused, and so is an offset beside one',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    const ask = async (path: string): Promise<Reply> => service.ask(`/v1/w/${path}`, { key })
    const cursor = nextOf(await ask('transactions?limit=2&cursor=')) ?? ''
    const wrong = ['x', '0', cursor.slice(1), `${cursor}A`, `${cursor}=`, '%00', '%C3%A4', 'null']
    for (const path of ['transactions', 'accounts/1/transactions', 'transactions/search']) {
      for (const text of wrong) {
        const reply = await ask(`${path}?cursor=${text}`)
        t.equal(outcomeOf(reply), '400 invalid_cursor', `${path} ${text}`)
        t.match(bodyOf(reply), { message: /^cursor must be the value of .*; for example cursor=$/ })
      }
      for (const pair of ['offset=0&cursor=', `cursor=${cursor}&offset=2`]) {
        const reply = await ask(`${path}?${pair}`)
        t.equal(outcomeOf(reply), '400 invalid_parameter', pair)
        t.match(bodyOf(reply), { message: /^offset cannot be combined with cursor: .*offset=/ })
      }
      t.equal(outcomeOf(await ask(`${path}?cursor=&cursor=`)), '400 repeated_parameter')
    }
    for (const path of ['accounts', 'categories', 'transactions/1']) {
      t.equal(outcomeOf(await ask(`${path}?cursor=`)), '400 unknown_parameter', path)
    }
    const match = await ask('transactions/match?query=RE-1&cursor=')
    t.equal(outcomeOf(match), '400 unknown_parameter')
  }),
)

test(
  'a writer between the pages: nothing is skipped or sent twice',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    const writer = new Database(service.pathOf('w'))
    const countOf = async (): Promise<string | undefined> =>
      (await service.ask('/v1/w/transactions?limit=0', { key })).fields['x-total-count']
    const write = async (sql: string): Promise<void> => {
      writer.exec(sql)
      const { n } = writer.prepare('SELECT count(*) AS n FROM transactions').get() as { n: number }
      await service.until(async () => (await countOf()) === String(n))
    }
    const columns = 'account_id, amount_unscaled, amount_scale, currency, created_at, updated_at'
    const insert = (id: number): string =>
      `INSERT INTO transactions (id, ${columns}, import_date)
        SELECT ${id}, ${columns}, import_date FROM transactions WHERE id = 302`
    const page = async (cursor: string): Promise<Reply> =>
      service.ask(`/v1/w/transactions?limit=100&cursor=${cursor}`, { key })
    const first = await page('')
    await write(`${insert(400)}; ${insert(401)}`)
    const second = await page(nextOf(first) ?? '')
    // The row that the cursor names, one that was sent, and two that were not.
    await write('DELETE FROM transactions WHERE id IN (103, 250, 101, 50)')
    const third = await page(nextOf(second) ?? '')
    const found = [first, second, third].flatMap(idsOf)
    const everyId = Array.from({ length: 302 }, (_, i) => 302 - i)
    t.same(
      found,
      everyId.filter((id) => id !== 101 && id !== 50),
    )
    t.equal(nextOf(third), undefined)
    writer.close()
  }),
)

test(
  'a cursor outlives the service that made it',
  overEngines(async (t, service, rig) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w')
    const target = '/v1/w/transactions?sortBy=valueDate&limit=5&cursor='
    const cursor = nextOf(await service.ask(target, { key }))
    const expected = await service.ask(target + cursor, { key })
    await service.end()
    const later = await RunningService.start(t, rig)
    copyFileSync(service.pathOf('w'), later.pathOf('w'))
    const reply = await later.ask(target + cursor, { key: (await later.newKey('w')).key })
    t.equal(reply.text, expected.text)
  }),
)
