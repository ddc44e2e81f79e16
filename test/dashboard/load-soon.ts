import { test } from 'tap'
import { loadSoon } from '../../src/dashboard/load-soon.js'

test('an absent workspace is loaded and awaited, for a moment only', async (t) => {
  const asked: string[] = []
  const snapshots = (load: (id: string) => Promise<unknown>): never =>
    ({
      snapshots: {
        stateOf: (id: string) => ({ kind: id === 'here' ? 'loaded' : 'absent' }),
        load: (id: string) => {
          asked.push(id)
          return load(id)
        },
      },
    }) as never
  await loadSoon(
    snapshots(async () => undefined),
    ['here', 'a', 'b'],
  )
  t.same(asked, ['a', 'b'])
  await loadSoon(
    snapshots(() => Promise.reject(new Error('torn'))),
    ['a'],
  )
  await loadSoon(
    snapshots(() => new Promise(() => undefined)),
    ['a'],
  )
  t.pass('it is there again')
})
