import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { test } from 'tap'
import { callTexts, KEY_PLACEHOLDER } from '../../../../src/dashboard/pages/explorer/call-text.js'
import { listRequest, targetOf } from '../../../../src/dashboard/pages/explorer/rest-request.js'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'

const run = promisify(execFile)

/** The command that runs the text of a language; its output is JSON. */
const RUNNERS: Readonly<Record<string, (code: string) => [program: string, ...args: string[]]>> = {
  curl: (code) => ['sh', '-c', code],
  JavaScript: (code) => [process.execPath, '--input-type=module', '-e', code],
  Python: (code) => ['python3', '-c', code],
}

function isThere(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}

test(
  "each text, run unchanged except for the key, prints the service's answer",
  overOneDashboard(async (t, fixture) => {
    const { key } = await fixture.service.newKey('w')
    const values = [
      {},
      { query: `büro 'quoted" $HOME \`id\` \\ {a,b} [1-3]`, bookedFrom: '2026-01-02' },
      { account: '1', category: 'Telefon', sortBy: 'amount', order: 'asc', limit: '3' },
      { customSchema: `{"amount":"it's \\"value\\"","purpose":null}`, limit: '2' },
    ]
    const programs: Record<string, boolean> = { curl: isThere('curl'), Python: isThere('python3') }
    let count = 0
    for (const set of values) {
      const target = targetOf('w', listRequest(set))
      const wanted = JSON.parse((await fixture.service.ask(target, { key })).text)
      for (const { language, code } of callTexts(fixture.url + target)) {
        if (programs[language] === false) continue
        const [program, ...args] = RUNNERS[language]?.(code.replace(KEY_PLACEHOLDER, key)) ?? ['']
        const { stdout } = await run(program, args)
        t.same(JSON.parse(stdout), wanted, `${language}: ${target}`)
        count += 1
      }
    }
    t.ok(count >= values.length, 'at least JavaScript')
  }),
)
