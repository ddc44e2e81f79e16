import { checkDirectory } from '../backup/check-directory.js'
import type { CheckFinding } from '../backup/finding.js'
import { CommandError } from '../errors.js'
import { layoutVersion } from '../snapshot/layout-version.js'
import { openDataDirectory } from '../store/data-directory.js'
import { defineCommand } from './command.js'
import { refuseStore } from './control.js'
import { showingFiles } from './showing-files.js'

/** `kontor check`. */
export const checkCommand = defineCommand({
  name: 'check',
  summary: 'check the data directory for damage',
  description:
    'Reads every file in full and changes nothing; the server may be running. Checks integrity,\n' +
    'foreign keys, schema and change log of each workspace and of control.db, keys and\n' +
    'integrations of deleted workspaces, the cache, leftovers of interrupted processes, and\n' +
    'permissions. Prints one line for each finding: ok, warn (the service works, but something\n' +
    'is missing) or fail (then the exit code is 1), and below it how to fix it.',
  flags: {},
  examples: ['kontor check', 'kontor check --data-dir /var/lib/kontor --json'],
  run: async ({ flags, stdout, stderr, clock }) => {
    refuseStore(
      flags,
      'kontor check reads a data directory; pg_amcheck and pg_dump read a database',
    )
    const directory = openDataDirectory(flags['data-dir'])
    const findings: CheckFinding[] = []
    await showingFiles('check', { stderr, clock }, async (onProgress) => {
      const onFile = (path: string): void => onProgress({ path, step: 'checking' })
      for (const finding of checkDirectory({ directory, layout: layoutVersion(), onFile })) {
        findings.push(finding)
      }
    })
    const failures = findings.filter(({ level }) => level === 'fail')
    const isOk = failures.length === 0
    const text = flags.json
      ? JSON.stringify({ ok: isOk, findings })
      : findings.map(linesOf).join('\n')
    await stdout.write(`${text}\n`)
    const [first] = failures
    if (first === undefined) return
    const count = failures.length === 1 ? '1 fault' : `${failures.length} faults`
    const summary = `${count} in ${directory.path}: ${first.subject} ${first.what}`
    throw new CommandError('failed', summary)
  },
})

function linesOf(finding: CheckFinding): string {
  const line = `${finding.level.padEnd(4)}  ${finding.subject}: ${finding.what}`
  return finding.level === 'ok' ? line : `${line}\n      ${finding.advice}`
}
