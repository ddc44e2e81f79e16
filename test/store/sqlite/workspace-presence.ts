import { writeFileSync } from 'node:fs'
import { type Test, test } from 'tap'
import {
  type DataDirectory,
  deleteWorkspaceFile,
  makeDataDirectory,
  workspacePath,
} from '../../../src/store/data-directory.js'
import { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import {
  WORKSPACE_UID_TRUST_MS,
  WorkspacePresence,
  workspaceUid,
} from '../../../src/store/sqlite/workspace-presence.js'

/** Replaces the existing file by a new one. @returns its uid */
function newFile(directory: DataDirectory, workspaceId: string): string {
  deleteWorkspaceFile(directory, workspaceId)
  const file = WorkspaceFile.open(workspacePath(directory, workspaceId))
  const { uid } = file.version()
  file.close()
  return uid
}

function opened(t: Test): DataDirectory {
  return makeDataDirectory(t.testdir())
}

test('the uid of a file is read from it, if possible', async (t) => {
  const directory = opened(t)
  t.equal(workspaceUid(directory, 'w'), undefined)
  t.equal(workspaceUid(directory, '../w'), undefined)
  const uid = newFile(directory, 'w')
  t.match(uid, /^.{16,}$/)
  t.equal(workspaceUid(directory, 'w'), uid)
  t.not(newFile(directory, 'w'), uid)
  writeFileSync(workspacePath(directory, 'broken'), 'no database')
  t.equal(workspaceUid(directory, 'broken'), null)
})

test('a replacement of a file is detected, a moment later at most', async (t) => {
  const directory = opened(t)
  const now = { ms: 0 }
  const presence = new WorkspacePresence(directory, () => now.ms)
  t.notOk(presence.has('w', null))
  const first = newFile(directory, 'w')
  t.ok(presence.has('w', first))
  t.ok(presence.has('w', null))
  t.notOk(presence.has('w', 'other'))
  const second = newFile(directory, 'w')
  now.ms += WORKSPACE_UID_TRUST_MS
  t.notOk(presence.has('w', first))
  t.ok(presence.has('w', second))
  deleteWorkspaceFile(directory, 'w')
  t.notOk(presence.has('w', second), 'a missing one is detected at once')
  writeFileSync(workspacePath(directory, 'broken'), 'no database')
  t.ok(presence.has('broken', second), 'a later reader checks again')
})
