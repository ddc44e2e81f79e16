import { makeBackup } from '../backup/make-backup.js'
import { CommandError } from '../errors.js'
import { openDataDirectory } from '../store/data-directory.js'
import { defineCommand } from './command.js'
import { refuseStore } from './control.js'
import { programVersion } from './program-version.js'
import { megabytesText } from './progress.js'
import { showingFiles } from './showing-files.js'

/** Upper bound of `--keep`: ten years of hourly backups. */
const BACKUPS_KEPT_MAX = 100_000

/** `kontor backup`. */
export const backupCommand = defineCommand({
  name: 'backup',
  summary: 'copy the data directory while it is in use',
  description:
    'Copies every workspace and control.db to a new folder in DIR, named after the current\n' +
    'time, while the server runs and programs write. Each copy is one consistent state of its\n' +
    "file and is verified in full: SQLite's integrity check and the number of rows in each\n" +
    'table. manifest.json lists the files with their SHA-256. The folder gets its final name\n' +
    'once it is complete and on disk; an interrupted backup leaves earlier ones unchanged. If a\n' +
    'workspace cannot be copied, it is reported, the others are backed up, no old backup is\n' +
    'deleted, and the exit code is 1. The same happens when a file seems to be lost: control.db\n' +
    'of an older backup, or the workspace file of a key or integration in force. Without a\n' +
    'readable control.db there is no backup.\n\n' +
    'A backup holds all transactions and the hashes of keys and passwords: it is as\n' +
    'confidential as the data directory, and is readable by its owner only.',
  flags: {
    keep: {
      kind: 'count',
      placeholder: 'N',
      min: 1,
      max: BACKUPS_KEPT_MAX,
      summary: 'keep the newest N backups in DIR and delete the others; by default all are kept',
    },
  },
  positionals: {
    placeholder: 'DIR',
    summary: 'folder for backups; created if missing',
    min: 1,
    max: 1,
  },
  examples: [
    'kontor backup /var/backups/kontor',
    'kontor backup /var/backups/kontor --keep 30 --data-dir /var/lib/kontor --json',
  ],
  run: async ({ flags, positionals, stdout, stderr, clock }) => {
    refuseStore(flags, 'kontor backup copies a data directory; pg_dump copies a database')
    const directory = openDataDirectory(flags['data-dir'])
    const report = await showingFiles('backup', { stderr, clock }, (onProgress) =>
      makeBackup({
        directory,
        folder: positionals[0] ?? '',
        keep: flags.keep,
        version: programVersion(),
        now: clock(),
        onProgress,
      }),
    )
    const { path, manifest, dangling, deleted, losses } = report
    const { files, missing } = manifest
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    if (flags.json) {
      await stdout.write(
        `${JSON.stringify({ path, bytes, ...manifest, dangling, deleted, losses })}\n`,
      )
    } else {
      const lines = [`${path}: ${files.length} files, ${megabytesText(bytes)} MB`]
      if (deleted.length > 0) lines.push(`deleted: ${deleted.join(', ')}`)
      await stdout.write(`${lines.join('\n')}\n`)
    }
    for (const { path: name, count } of dangling) {
      const what = `${count} rows in ${name} refer to rows that do not exist`
      await stderr.write(`kontor: ${what}; kontor check lists the tables\n`)
    }
    for (const { path: name, reason } of missing.filter(({ isDeleted }) => isDeleted)) {
      await stderr.write(`kontor: ${name} was deleted during the backup (${reason})\n`)
    }
    for (const loss of losses) {
      const advice = 'restore it, or revoke or deactivate what it was for, or use another folder'
      await stderr.write(`kontor: ${loss}; ${advice}\n`)
    }
    const failed = missing.filter(({ isDeleted }) => !isDeleted)
    if (failed.length === 0 && losses.length === 0) return
    const reasons = [...failed.map(({ reason }) => reason), ...losses].join('; ')
    const advice = 'run kontor check for details; no older backup was deleted'
    throw new CommandError('failed', `not in the backup: ${reasons}; ${advice}`)
  },
})
