// More workspaces than fit in memory, requested by several callers, while some are deleted and
// created again and others are written to.
import { strict as assert } from 'node:assert'
import { renameSync, rmSync } from 'node:fs'
import { test } from 'tap'
import { randomOf } from '../../src/demo/random.js'
import { indexesOfSegment } from '../../src/snapshot/segment-indexes.js'
import { snapshotBytes } from '../../src/snapshot/snapshot-bytes.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { rigs } from '../fixtures/http-rig.js'
import { SAMPLE, transactionRow } from '../fixtures/sample-workspace.js'
import { Client, outcomeOf, RunningService } from '../fixtures/service.js'
import { segmentOf, snapshotOf } from '../fixtures/snapshots.js'
import { writeWorkspace } from '../fixtures/workspaces.js'

const WORKSPACE_COUNT = 24
const RESIDENT_COUNT = 5
const CALLER_COUNT = 4
const REQUESTS_PER_CALLER = 40

const indexes = indexesOfSegment(segmentOf(SAMPLE))
const sample = snapshotOf(SAMPLE)
const BYTES_OF_ONE = snapshotBytes({
  ...sample,
  segments: sample.segments.map((live) => ({ ...live, ...indexes })),
})

test('many workspaces are served with memory for a few', async (t) => {
  const [rig] = rigs
  assert.ok(rig)
  const service = await RunningService.start(t, rig, {
    memoryBudgetBytes: BYTES_OF_ONE * RESIDENT_COUNT,
  })
  const keys = new Map<string, string>()
  for (let i = 0; i < WORKSPACE_COUNT; i++) {
    await service.write(`w${i}`, SAMPLE)
    keys.set(`w${i}`, (await service.newKey(`w${i}`)).key)
  }
  const call = async (caller: number): Promise<void> => {
    const random = randomOf(caller)
    const client = new Client(service.client.port)
    for (let i = 0; i < REQUESTS_PER_CALLER; i++) {
      // Squaring prefers the first ones, like a skewed load.
      const drawn = random.below(1_000) / 1_000
      const id = `w${Math.floor(drawn * drawn * WORKSPACE_COUNT)}`
      const reply = await client.ask(`/v1/${id}/transactions?limit=3`, { key: keys.get(id) })
      assert.equal(outcomeOf(reply), '200')
      assert.ok(Number(reply.fields['x-total-count']) >= 302)
    }
    client.close()
  }
  const renew = async (): Promise<void> => {
    for (let i = 0; i < WORKSPACE_COUNT; i++) {
      const path = service.pathOf(`w${i}`)
      if (i % 2 === 0) {
        const file = WorkspaceFile.open(path)
        file.insertTransaction(transactionRow(400, 1), null)
        file.close()
        continue
      }
      await writeWorkspace(`${path}.new`, SAMPLE)
      for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
      renameSync(`${path}.new`, path)
    }
  }
  await Promise.all([...Array.from({ length: CALLER_COUNT }, (_, i) => call(i)), renew()])
  t.ok(service.log.filter((line) => line.includes('memory budget')).length > WORKSPACE_COUNT)
  t.strictSame(
    service.log.filter((line) => /fault|cannot be loaded/.test(line)),
    [],
  )
  for (let i = 0; i < WORKSPACE_COUNT; i++) {
    const expected = i % 2 === 0 ? '303' : '302'
    await service.until(async () => {
      const reply = await service.ask(`/v1/w${i}/transactions?limit=0`, { key: keys.get(`w${i}`) })
      return reply.fields['x-total-count'] === expected
    })
  }
  await t.test('a deleted workspace is unknown, and a new one of its name is served', async (t) => {
    const path = service.pathOf('w1')
    const ask = async (): Promise<string> =>
      outcomeOf(await service.ask('/v1/w1/transactions?limit=0', { key: keys.get('w1') }))
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    await service.until(async () => (await ask()) === '401 unauthorized')
    await service.write('w1', SAMPLE)
    service.nowMs += 60_000
    await service.until(async () => (await ask()) === '200')
    t.pass()
  })
})
