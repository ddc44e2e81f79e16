import { makeBackup } from '../backup/make-backup.js'
import { CommandError } from '../errors.js'
import { openDataDirectory } from '../store/data-directory.js'
import { defineCommand } from './command.js'
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
    'Copies every workspace and control.db to a new folder in DIR, named after the time,\n' +
    'while a service runs and programs write. Each copy is one state of its file, and is\n' +
    "checked in full: SQLite's integrity check, the number of rows in each table.\n" +
    'manifest.json in it says what is there, with a SHA-256 for each file. The folder has its\n' +
    'name when it is whole and on the disk; a backup that is killed leaves the older ones as\n' +
    'they are. A file that cannot be copied is named, the others are backed up, nothing is\n' +
    'deleted, and the exit code is 1.\n\n' +
    'A backup holds all transactions, and hashes of keys and passwords: it is as confidential\n' +
    'as the data directory, and for its owner alone.',
  flags: {
    keep: {
      kind: 'count',
      placeholder: 'N',
      min: 1,
      max: BACKUPS_KEPT_MAX,
      summary: 'keep the newest N backups in DIR and delete the others; all are kept without it',
    },
  },
  positionals: {
    placeholder: 'DIR',
    summary: 'folder of backups, made if missing',
    min: 1,
    max: 1,
  },
  examples: [
    'kontor backup /var/backups/kontor',
    'kontor backup /var/backups/kontor --keep 30 --data-dir /var/lib/kontor --json',
  ],
  run: async ({ flags, positionals, stdout, stderr, clock }) => {
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
    const { path, manifest, dangling, deleted } = report
    const { files, missing } = manifest
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    if (flags.json) {
      await stdout.write(`${JSON.stringify({ path, bytes, ...manifest, dangling, deleted })}\n`)
    } else {
      const lines = [`${path}: ${files.length} files, ${megabytesText(bytes)} MB`]
      if (deleted.length > 0) lines.push(`deleted: ${deleted.join(', ')}`)
      await stdout.write(`${lines.join('\n')}\n`)
    }
    for (const { path: name, count } of dangling) {
      const what = `${count} rows in ${name} refer to rows that are not there`
      await stderr.write(`kontor: ${what}; kontor check names their tables\n`)
    }
    for (const { path: name, reason } of missing.filter(({ isDeleted }) => isDeleted)) {
      await stderr.write(`kontor: ${name} was deleted meanwhile (${reason})\n`)
    }
    const failed = missing.filter(({ isDeleted }) => !isDeleted)
    if (failed.length === 0) return
    const reasons = failed.map(({ reason }) => reason).join('; ')
    const advice = 'kontor check says what to do; no older backup was deleted'
    throw new CommandError('failed', `not in the backup: ${reasons}; ${advice}`)
  },
})
