import { test } from 'tap'
import { withServiceLog } from '../../src/cli/service-log.js'

const FLAGS = { log: 'text', 'log-level': 'info', 'access-log': false }

function contextOf(flags: Partial<typeof FLAGS> = {}) {
  const written: string[] = []
  const stderr = {
    isTerminal: false,
    write: async (text: string) => {
      written.push(text)
    },
  }
  return { written, context: { stderr, clock: () => 0, flags: { ...FLAGS, ...flags } } }
}

test('the log is flushed when the command ends and when it fails', async (t) => {
  for (const fault of [undefined, new Error('no port')]) {
    const { written, context } = contextOf()
    const run = withServiceLog<typeof context>(async (_, log) => {
      for (const message of ['one', 'two', 'three']) log('info', 'service', message)
      if (fault !== undefined) throw fault
    })
    const before = process.listenerCount('exit')
    if (fault === undefined) await run(context)
    else await t.rejects(run(context), fault)
    t.match(written.join(''), /one\n.* two\n.* three\n$/)
    t.ok(process.listenerCount('exit') <= before, 'nothing remains in the buffer')
  }
})

test('--access-log with a level that omits its lines is refused', async (t) => {
  const run = withServiceLog(async () => undefined)
  for (const level of ['warn', 'error']) {
    const { context } = contextOf({ 'access-log': true, 'log-level': level })
    const message = `--access-log logs at level info, which --log-level ${level} excludes`
    await t.rejects(run(context), { kind: 'usage', message: new RegExp(`^${message}`) })
  }
  const { context } = contextOf({ 'access-log': true, 'log-level': 'debug' })
  await run(context)
})
