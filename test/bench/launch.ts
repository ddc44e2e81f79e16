import { test } from 'tap'
import { LAUNCHES, launchTargets, measureLaunches, reportLaunches } from '../../bench/launch.js'
import { smokeSettings } from '../fixtures/bench-settings.js'
import { withDirectory } from '../fixtures/files.js'

test('a smoke run of the launch bench reads from each way to start', async (t) => {
  await withDirectory(async (folder) => {
    // Not npm start: it builds, and other tests read the build output.
    const names = LAUNCHES.map(({ name }) => name).filter((name) => name !== 'npm start')
    const options = { names, settleSeconds: 0.2, readSeconds: 0.5 }
    const launches = await measureLaunches({ ...smokeSettings(folder), rounds: 1 }, options)
    t.strictSame(
      launches.map(({ name }) => name),
      names,
    )
    for (const { rounds } of launches) {
      t.equal(rounds.length, 1)
      for (const { p50, p99 } of rounds) t.ok(p50 > 0 && p99 >= p50)
    }
    t.equal(launchTargets(launches).length, 1)
    t.match(
      reportLaunches(launches),
      /\| p99 of reads .* against npm start \| - × \| ≤ 1.1 × \| - \|/,
    )
  })
})
