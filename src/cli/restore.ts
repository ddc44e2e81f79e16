import { type RestoreReport, restoreBackup } from '../backup/restore-backup.js'
import { defineCommand } from './command.js'
import { refuseStore } from './control.js'
import { megabytesText } from './progress.js'
import { showingFiles } from './showing-files.js'
import type { Output } from './terminal.js'

/** `kontor restore`. */
export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'restore a backup to a data directory',
  description:
    'Restores a backup to a new data directory. DIR is one backup, or a folder of backups: then\n' +
    'the newest complete one is used. Every file is compared with the manifest and verified in\n' +
    'full before the directory can be used; a directory that is not empty is left unchanged.\n' +
    'Keys, tokens and operators are as they were at the time of the backup, so credentials that\n' +
    'were revoked later are valid again: kontor audit of the old directory, if it can still be\n' +
    'read, shows them.',
  flags: {},
  positionals: {
    placeholder: 'DIR',
    summary: 'a backup, or a folder that kontor backup writes to',
    min: 1,
    max: 1,
  },
  examples: [
    'kontor restore /var/backups/kontor --data-dir /var/lib/kontor',
    'kontor restore /var/backups/kontor/2026-11-22T22-30-00-000Z --data-dir ./restored',
  ],
  run: async ({ flags, positionals, stdout, stderr, clock }) => {
    refuseStore(
      flags,
      'kontor restore fills a data directory; pg_restore restores what pg_dump copied',
    )
    const from = positionals[0] ?? ''
    const to = flags['data-dir']
    const report = await showingFiles('restore', { stderr, clock }, (onProgress) =>
      restoreBackup({ from, to, onProgress }),
    )
    const { backup, manifest } = report
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
    const text = `${to}: ${manifest.files.length} files, ${megabytesText(bytes)} MB, of ${backup}`
    const { passedOver } = report
    const json = JSON.stringify({ path: to, backup, bytes, ...manifest, passedOver })
    await stdout.write(`${flags.json ? json : text}\n`)
    await warn(stderr, report)
  },
})

async function warn(stderr: Output, { manifest, passedOver }: RestoreReport): Promise<void> {
  for (const { backup, reason } of passedOver) {
    await stderr.write(`kontor: skipped ${backup}, which is newer but not complete: ${reason}\n`)
  }
  for (const { path, reason } of manifest.missing.filter(({ isDeleted }) => !isDeleted)) {
    const advice = 'look for it in an older backup'
    await stderr.write(`kontor: the backup does not contain ${path} (${reason}); ${advice}\n`)
  }
}
