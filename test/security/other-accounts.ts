// Entity-tags reveal nothing about other accounts to a credential with a list of accounts.
import { strict as assert } from 'node:assert'
import { test } from 'tap'
import { Database } from '../../src/store/sqlite/sqlite-driver.js'
import { SAMPLE } from '../fixtures/sample-workspace.js'
import { overEngines } from '../fixtures/service.js'

const TARGETS = [
  '/transactions',
  '/transactions?limit=3&offset=6&sortBy=amount',
  '/transactions?category=Miete',
  '/transactions/search?query=re',
  '/transactions/match?query=RE-300&threshold=0.1',
  '/accounts',
  '/accounts/1',
  '/accounts/1/transactions',
  '/categories',
  '/key/scope',
]

test(
  'a change in another account keeps each 304, one in its own does not',
  overEngines(async (t, service) => {
    await service.write('w', SAMPLE)
    const { key } = await service.newKey('w', { accountIds: [1] })
    const all = (await service.newKey('w')).key
    const writer = new Database(service.pathOf('w'))
    t.teardown(() => writer.close())
    const ask = (target: string, etag?: string) => {
      const headers = etag === undefined ? {} : { 'If-None-Match': etag }
      return service.ask(`/v1/w${target}`, { key, headers })
    }
    const idOf = (accountId: number): number => {
      const row = SAMPLE.transactions.find((one) => one.accountId === accountId)
      assert(row !== undefined)
      return row.id
    }
    const write = async (accountId: number, purpose: string): Promise<void> => {
      const sql = 'UPDATE transactions SET purpose = ? WHERE id = ?'
      writer.prepare(sql).run(purpose, idOf(accountId))
      await service.until(async () => {
        const reply = await service.ask(`/v1/w/transactions/${idOf(accountId)}`, { key: all })
        return reply.text.includes(purpose)
      })
    }
    const tags = new Map<string, string>()
    for (const target of TARGETS) {
      const reply = await ask(target)
      t.equal(reply.status, 200, target)
      tags.set(target, reply.fields['etag'] ?? '')
      t.equal((await ask(target, '*')).status, 304, `${target} *`)
    }
    const before = await service.ask('/v1/w/transactions', { key: all })
    await write(2, 'changed where it cannot be seen')
    for (const target of TARGETS) {
      const known = await ask(target, tags.get(target))
      t.equal(known.status, 304, target)
      t.equal(known.fields['etag'], tags.get(target))
      t.equal((await ask(target)).fields['etag'], tags.get(target))
    }
    const after = await service.ask('/v1/w/transactions', { key: all })
    t.not(after.fields['etag'], before.fields['etag'], 'an unrestricted credential sees the change')
    await write(1, 'changed where it can be seen')
    const list = '/accounts/1/transactions?sortBy=_id&order=asc&limit=1'
    t.match((await ask(list)).text, 'changed where it can be seen')
    t.equal((await ask('/accounts/1', tags.get('/accounts/1'))).status, 304)
    const rows = await ask('/accounts/1/transactions?order=asc&limit=9')
    await write(1, 'and once more')
    t.equal(
      (await ask('/accounts/1/transactions?order=asc&limit=9', rows.fields['etag'])).status,
      200,
    )
    t.equal((await ask('/transactions?limt=1', '*')).status, 400, 'an error has no tag')
  }),
)
