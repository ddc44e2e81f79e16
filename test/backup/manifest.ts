import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { sha256Of } from '../../src/backup/durable.js'
import { type Manifest, readManifest, verifyFiles } from '../../src/backup/manifest.js'

const FILE = { bytes: 3, sha256: '', schemaVersion: 1, uid: 'u', sequence: 1, rows: {} }

function manifestOf(...paths: string[]): Manifest {
  const files = paths.map((path) => ({ ...FILE, path }))
  return { format: 1, kontor: '1', createdAt: '', files, missing: [] }
}

test('a manifest is read back as written; anything else is refused', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'manifest.json')
  const read = (content: unknown): Manifest => {
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return readManifest(folder)
  }
  t.throws(() => readManifest(folder), /manifest\.json cannot be read: ENOENT/)
  const plain = manifestOf('workspaces/a.db', 'control.db')
  t.same(read(plain), plain)
  for (const [content, why] of [
    ['{"format":1', /cannot be read/],
    ['null', /not a manifest/],
    [{ ...plain, format: 2 }, /has format 2, newer than the supported 1; use a newer version/],
    [{ ...plain, files: [{ path: 'control.db' }] }, /not a manifest.*\.files\[0\]/],
    [manifestOf('../control.db'), /names "\.\.\/control\.db"/],
    [manifestOf('workspaces/../../x.db'), /names/],
    [manifestOf('/etc/passwd'), /names/],
    [manifestOf('workspaces/a.db', 'workspaces/a.db'), /names/],
  ] as const) {
    t.throws(() => read(content), { name: 'CommandError', message: why })
  }
})

test('the digest covers every byte of the files', async (t) => {
  const folder = t.testdir({ 'control.db': 'abc' })
  const path = join(folder, 'control.db')
  const sha256 = await sha256Of(path)
  t.equal(sha256, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', 'FIPS 180-2')
  const manifest = { ...manifestOf(), files: [{ ...FILE, path: 'control.db', sha256 }] }
  const verify = (): Promise<void> => verifyFiles(folder, manifest, () => undefined)
  await verify()
  writeFileSync(path, 'abd')
  await t.rejects(verify(), /control\.db was changed: its SHA-256/)
  writeFileSync(path, 'abcd')
  await t.rejects(verify(), /control\.db has 4 bytes, but 3 in the manifest/)
  rmSync(path)
  await t.rejects(verify(), /control\.db cannot be read: ENOENT/)
  mkdirSync(path)
  await t.rejects(verify(), { name: 'CommandError' })
  const newer = { ...manifest, files: [{ ...FILE, path: 'control.db', schemaVersion: 99 }] }
  await t.rejects(
    verifyFiles(folder, newer, () => undefined),
    /schema version 99, newer than the supported/,
  )
})
