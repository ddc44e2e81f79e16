import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { fieldsText } from '../../src/cli/log-text.js'
import { openServiceInbox } from '../../src/cli/service-inbox.js'
import { Imports } from '../../src/inbox/imports.js'
import { makeDataDirectory, workspacePath } from '../../src/store/data-directory.js'
import { catalogOf } from '../../src/store/open-workspace.js'
import { ControlFile } from '../../src/store/sqlite/control-file.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'
import { importFile } from '../../src/threads/workers/import-file.js'
import { entry, message } from '../fixtures/camt-text.js'

/** Later than the last change of any file by more than a minute, so that one scan is enough. */
const LATE_MS = 4_000_000_000_000

test('the import folders of a service are logged without names of files', async (t) => {
  const folder = t.testdir({ inbox: { a: {}, DE89370400440532013000: {} }, data: {} })
  const inbox = join(folder, 'inbox')
  const directory = makeDataDirectory(join(folder, 'data'))
  WorkspaceFile.open(workspacePath(directory, 'a')).close()
  const control = ControlFile.open(directory.controlPath)
  t.teardown(() => control.close())
  const clock = (): number => LATE_MS
  const imports = new Imports({ control, clock, run: importFile })
  mkdirSync(join(inbox, 'a/DE89370400440532013000'))
  writeFileSync(join(inbox, 'a/4711.xml'), message(entry()))
  writeFileSync(join(inbox, 'a/4712.xml'), 'what is this')
  const lines: string[] = []
  const isDone = (): boolean => lines.filter((line) => line.includes(' file ')).length === 2
  const log: Parameters<typeof openServiceInbox>[2]['log'] = (level, component, text, fields) => {
    lines.push(`${level} ${component} ${text}${fieldsText(fields)}`)
  }
  const owner = { catalog: catalogOf(directory), imports, bytesMax: 1_000_000 }
  const service = openServiceInbox(inbox, owner, { clock, log })
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve))
  await service.close()
  t.same(service.inbox.stateOf('a').folder?.waitingCount, 0)
  t.same(readdirSync(join(inbox, 'a/failed')), ['4712.xml', '4712.xml.txt'])
  t.match(lines.sort(), [
    /^info inbox file imported workspaceId=a format=camt053 bytes=\d+ added=1 unchanged=0/,
    /^warn inbox file not imported workspaceId=a bytes=12 reason="unknown format"/,
    /^warn inbox import folder belongs to no workspace path=.*\(IBAN withheld\)/,
    /^warn inbox import folder has entries that are not regular files path=/,
  ])
  t.notMatch(lines.join('\n'), /471|DE89/)
})
