import { setTimeout as pause } from 'node:timers/promises'
import { CommandError } from '../errors.js'
import { Imports } from '../inbox/imports.js'
import { Inbox, type InboxParts } from '../inbox/inbox.js'
import { InboxWatch } from '../inbox/inbox-watch.js'
import type { EpochMs } from '../instant.js'
import type { Store } from '../store/store.js'
import { ImportPool } from '../threads/import-pool.js'
import { readByteSize } from './byte-size.js'
import { type Context, defineCommand } from './command.js'
import { withStore } from './control.js'
import { readDuration } from './credential-flags.js'
import { checkInboxFolder } from './inbox-folder.js'
import { InboxReport } from './inbox-report.js'
import { type StopSignals, stopSignals } from './stop-signal.js'

const FLAGS = {
  once: { kind: 'switch', summary: 'import the files that are there, and end' },
  settle: {
    kind: 'text',
    placeholder: 'T',
    default: '5s',
    summary: 'how long a file must not have changed, such as 5s or 2m',
  },
  'upload-max': {
    kind: 'text',
    placeholder: 'SIZE',
    default: '250MB',
    summary: 'size of the largest file that is imported',
  },
} as const

type InboxContext = Context<typeof FLAGS>

/** Of --settle: a slow upload may stall for minutes, not for hours. */
const SETTLE_RANGE = { minMs: 0, maxMs: 3_600_000 }

export const inboxCommand = defineCommand({
  name: 'inbox',
  summary: 'import the bank files that appear in a folder',
  description:
    'DIR contains a folder for each workspace, named like the workspace. A file in it is\n' +
    'imported as by kontor import once it has not changed for the time of --settle and no\n' +
    'process writes to it, and is then moved:\n' +
    '\n' +
    '  DIR/acme/statement.xml      is imported into the workspace acme\n' +
    '  DIR/acme/import.json        options of the files in this folder, for example\n' +
    '                              {"account": "DE02120300000000202051", "currency": "EUR",\n' +
    '                               "columns": "amount=Betrag,bookingDate=Tag",\n' +
    '                               "encoding": "windows-1252",\n' +
    '                               "include": "notifications", "lenient": true}\n' +
    '  DIR/acme/done/2026-11/      files that were imported in that month (UTC)\n' +
    '  DIR/acme/failed/            files that failed, each with a .txt that gives the reason\n' +
    '\n' +
    'Hidden files and names that end in .part, .partial, .filepart, .tmp, .crdownload,\n' +
    '.download or ~ are left alone: write a file under such a name and rename it. A folder\n' +
    'without a workspace is reported, and no workspace is created. Links are not followed.\n' +
    'kontor serve --inbox DIR does the same within the server. Several processes, on several\n' +
    'machines too, may watch one folder: each file is imported by one of them. A process may\n' +
    'be killed at any moment: the next one finishes its files, and adds no row twice.\n' +
    '\n' +
    'Without --once the command runs until SIGTERM or SIGINT; it then returns unfinished\n' +
    'files to their folder. Exit codes: 0 success, 1 a file or folder failed (--once),\n' +
    '2 wrong usage.',
  flags: FLAGS,
  positionals: {
    placeholder: 'DIR',
    summary: 'folder that contains a folder for each workspace',
    min: 1,
    max: 1,
  },
  examples: ['kontor inbox /srv/inbox', 'kontor inbox /srv/inbox --once --json'],
  run: async (context: InboxContext) => {
    const { flags, positionals } = context
    const path = positionals[0] ?? ''
    const settleMs = readDuration('--settle', flags.settle, SETTLE_RANGE)
    const bytesMax = readByteSize('--upload-max', flags['upload-max'])
    checkInboxFolder(path)
    await withStore(context, (store) => runInbox(context, store, { path, settleMs, bytesMax }))
  },
})

async function runInbox(
  context: InboxContext,
  store: Store,
  { settleMs, ...options }: Pick<InboxParts, 'path' | 'settleMs' | 'bytesMax'>,
): Promise<void> {
  const { flags } = context
  const { catalog, control } = store
  const clock = (): EpochMs => store.clock()
  const pool = new ImportPool()
  const imports = new Imports({ control, clock, run: (task, signal) => pool.run(task, signal) })
  const report = new InboxReport(context, imports)
  const ticks = (): number => performance.now()
  const onEvent = report.add.bind(report)
  const inbox = new Inbox({ ...options, catalog, imports, settleMs, clock, ticks, onEvent })
  const stop = stopSignals()
  try {
    if (flags.once) await importOnce(inbox, settleMs, { stop, report })
    else await watchOn(inbox, settleMs, { stop, report })
  } finally {
    stop.release()
    await inbox.close()
    await pool.close()
    report.end()
  }
  await report.written()
  if (flags.once) report.check()
}

interface RunParts {
  readonly stop: StopSignals
  readonly report: InboxReport
}

async function watchOn(inbox: Inbox, settleMs: number, { stop, report }: RunParts): Promise<void> {
  let fail: (error: unknown) => void = () => undefined
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  const watch = new InboxWatch({ inbox, settleMs, onFault: (error) => fail(error) })
  watch.begin()
  try {
    await Promise.race([stop.first, failed, report.broken])
  } finally {
    await watch.end()
  }
}

/** Imports the complete files, and then those that proved complete after `settleMs`. */
async function importOnce(
  inbox: Inbox,
  settleMs: number,
  { stop, report }: RunParts,
): Promise<void> {
  const ended = new AbortController()
  const isStopped = stop.first.then(() => ended.abort())
  const work = async (): Promise<void> => {
    await inbox.scan()
    await inbox.idle()
    if (!inbox.isUnsettled || ended.signal.aborted) return
    await pause(settleMs, undefined, { signal: ended.signal }).catch(ignoreAbort)
    await inbox.scan()
    await inbox.idle()
  }
  await Promise.race([work(), isStopped, report.broken])
  if (ended.signal.aborted) throw new CommandError('failed', 'stopped before all files were done')
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error
}
