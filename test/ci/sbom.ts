// The bill of materials of a release, against the lock file and against itself.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'tap'

const ROOT = resolve(import.meta.dirname, '../../..')

interface Component {
  readonly 'bom-ref': string
  readonly type: string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes: readonly { readonly alg: string; readonly content: string }[]
}

interface Bom {
  readonly bomFormat: string
  readonly specVersion: string
  readonly version: number
  readonly metadata: { readonly component: Omit<Component, 'hashes'> }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

interface Locked {
  readonly name?: string
  readonly version: string
  readonly dev?: boolean
  readonly integrity: string
}

const text = execFileSync(process.execPath, [join(ROOT, 'sbom.mjs')], { encoding: 'utf8' })
const bom = JSON.parse(text) as Bom
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>
}

test('the document is CycloneDX for this version of kontor', async (t) => {
  t.match(bom, { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 })
  t.match(bom.metadata.component, {
    ...{ type: 'application', name: 'kontor', version: manifest.version },
    purl: `pkg:npm/kontor@${manifest.version}`,
  })
})

test('the document has every production package, as locked, and the copied files', async (t) => {
  const expected = new Map<string, string>()
  for (const [path, { name, version, dev, integrity }] of Object.entries(lock.packages)) {
    const isCopied = /^node_modules\/(swagger-ui-dist|typia)$/.test(path)
    if (path === '' || (dev === true && !isCopied)) continue
    const plainName = name ?? path.split('node_modules/').at(-1)
    const hex = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
    expected.set(`pkg:npm/${plainName?.replace('@', '%40')}@${version}`, hex)
  }
  const listed = bom.components.map(({ purl, hashes }) => [purl, hashes[0]?.content] as const)
  t.same([...listed].sort(), [...expected].sort())
  t.ok(bom.components.every(({ hashes }) => /^[0-9a-f]{128}$/.test(hashes[0]?.content ?? '')))
})

test('every reference resolves, and all direct dependencies are listed', async (t) => {
  const refs = bom.components.map((component) => component['bom-ref'])
  t.equal(new Set(refs).size, refs.length, 'each is listed once')
  const [root, ...others] = bom.dependencies
  t.equal(root?.ref, `kontor@${manifest.version}`)
  for (const { ref, dependsOn } of others) {
    t.ok(refs.includes(ref), ref)
    for (const on of dependsOn) if (!refs.includes(on)) t.fail(`${ref} depends on ${on}`)
  }
  t.ok((root?.dependsOn.length ?? 0) >= Object.keys(manifest.dependencies).length)
  for (const on of root?.dependsOn ?? []) t.ok(refs.includes(on), on)
})
