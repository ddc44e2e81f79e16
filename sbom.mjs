// Prints what a release is made of, as CycloneDX 1.5 (cyclonedx.org/docs/1.5/json): the packages of
// the lock file that a run may have, and those of which the build copies files. `npm sbom` (11.19)
// leaves out every package that the tests need as well, pino and zod among them.
import { readFileSync } from 'node:fs'

/** build.mjs copies files of these into the package. */
const COPIED = ['node_modules/swagger-ui-dist', 'node_modules/typia']

const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', import.meta.url)))
const { '': kontor, ...locked } = packages

const nameOf = (path) => locked[path].name ?? path.split('node_modules/').at(-1)
const refOf = (path) => `${nameOf(path)}@${locked[path].version}`
const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** Where Node.js finds a package that the one at `from` imports; undefined = it is not installed. */
function found(name, from) {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (locked[path] !== undefined) return path
  return from === ''
    ? undefined
    : found(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))))
}

function licensesOf(license) {
  if (license === undefined) return {}
  const isExpression = / (OR|AND|WITH) /.test(license)
  return { licenses: [isExpression ? { expression: license } : { license: { id: license } }] }
}

function componentOf(path) {
  const { version, integrity, license, optional } = locked[path]
  const [, base64] = /^sha512-(.*)$/.exec(integrity)
  return {
    type: 'library',
    'bom-ref': refOf(path),
    name: nameOf(path),
    version,
    scope: optional || locked[path].devOptional ? 'optional' : 'required',
    hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }],
    ...licensesOf(license),
    purl: purlOf(nameOf(path), version),
  }
}

function dependencyOf(ref, path, { dependencies = {}, optionalDependencies = {} }) {
  const names = Object.keys({ ...dependencies, ...optionalDependencies })
  const paths = names.map((name) => found(name, path)).filter((at) => at !== undefined)
  return { ref, dependsOn: [...new Set(paths.map(refOf))].sort() }
}

const run = Object.keys(locked).filter((path) => locked[path].dev !== true)
// One place is enough of a package that stands in several.
const places = [...new Map([...run, ...COPIED].map((path) => [refOf(path), path])).values()]
const root = `${kontor.name}@${kontor.version}`
const bom = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    component: {
      type: 'application',
      'bom-ref': root,
      name: kontor.name,
      version: kontor.version,
      ...licensesOf(kontor.license),
      purl: purlOf(kontor.name, kontor.version),
    },
  },
  components: places.map(componentOf),
  dependencies: [
    dependencyOf(root, '', kontor),
    ...places
      .filter((path) => !COPIED.includes(path))
      .map((path) => dependencyOf(refOf(path), path, locked[path])),
  ],
}
process.stdout.write(`${JSON.stringify(bom, undefined, 2)}\n`)
