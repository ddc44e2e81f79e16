import { mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { entry, message } from '../../../fixtures/camt-text.js'
import { overOneDashboard } from '../../../fixtures/dashboard-fixture.js'
import { withDirectory } from '../../../fixtures/files.js'
import { wordsOf } from '../../../fixtures/page-visitor.js'

test('a service imports the files of its import folder, and its page shows them', async (t) => {
  await withDirectory(async (folder) => {
    const run = overOneDashboard(
      async (t, fixture) => {
        const visitor = await fixture.signedIn()
        const see = async (): Promise<string> =>
          wordsOf(await visitor.get(`${fixture.url}/dashboard/workspaces/w`))
        t.match(await see(), `create the folder ${join(folder, 'w')} and put them there`)
        mkdirSync(join(folder, 'w'))
        const put = (name: string, text: string): void => {
          writeFileSync(join(folder, 'w', `.${name}`), text)
          utimesSync(join(folder, 'w', `.${name}`), 1, 1)
          renameSync(join(folder, 'w', `.${name}`), join(folder, 'w', name))
        }
        put('a.xml', message(entry() + entry({ amount: '7.5' })))
        put('b.txt', 'what is this')
        const { log } = fixture.service
        await fixture.service.until(() => log.some((line) => /^file not imported/.test(line)))
        const page = await see()
        t.match(page, 'None is waiting.')
        t.match(page, /a\.xml Done 2 new transactions.*found .* in the import folder/)
        t.match(page, /b\.txt Failed Unknown format; specify it.* kontor import --format/)
        t.match(page, `Files in ${join(folder, 'w')} are imported automatically.`)
        t.match(page, /Last imports In the audit log.*import folder.*Failed unknown format/)
        t.match(page, /import folder CAMT\.053, [\d.]+ (KB|bytes) Done 2 new transactions/)
        t.same(readdirSync(join(folder, 'w')).sort(), ['done', 'failed'])
        t.match(
          log.filter((line) => line.startsWith('file ')),
          [
            /^file imported workspaceId=w format=camt053 bytes=\d+ added=2 unchanged=0 skipped=0/,
            /^file not imported workspaceId=w bytes=12 reason="unknown format"/,
          ],
        )
        put('import.json', '{"lenjent": true}')
        mkdirSync(join(folder, 'zz'))
        put('c.xml', message(entry()))
        await fixture.service.until(async () => /lenjent.*1 file is waiting/.test(await see()))
        t.match(await see(), /Files are not imported .*no option &quot;lenjent&quot;; did you mean/)
        t.match(log.join('\n'), /import folder has an invalid import\.json path=/)
        t.match(log.join('\n'), /import folder belongs to no workspace path=.*zz/)
      },
      { service: { inboxPath: folder } },
    )
    await run(t)
  })
})
