import { test } from 'tap'
import { verifyOperator } from '../../src/auth/operators.js'
import { beginSession, findSession } from '../../src/auth/sessions.js'
import { CommandError } from '../../src/errors.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { listOperators } from '../../src/store/operator-rows.js'
import { NOW_MS } from '../fixtures/control.js'
import { controlCommands } from '../fixtures/control-commands.js'
import type { Surroundings } from '../fixtures/terminal.js'

function typed(text: string): Surroundings {
  return { stdin: [...Buffer.from(text)].map((byte) => Uint8Array.of(byte)) }
}

/** A user at a terminal who answers with these lines. */
function sitting(...answers: string[]): { around: Surroundings; asked: string[] } {
  const asked: string[] = []
  const readSecret = async (prompt: string): Promise<string> => {
    asked.push(prompt)
    const answer = answers.shift()
    if (answer === undefined) throw new CommandError('failed', 'cancelled; nothing was changed')
    return answer
  }
  return { around: { keyboard: { readSecret } }, asked }
}

test('an operator is created with the password from standard input', async (t) => {
  const { run, json, control } = await controlCommands(t)
  const made = await run(['operators', 'create', 'anna', '--json'], typed('Gr\u00fc\u00dfe 2026\n'))
  t.same(made, { code: 0, stdout: '{"id":1,"name":"anna"}\n', stderr: '' })
  t.match(await verifyOperator(control, 'anna', 'Grüße 2026'), { id: 1 })
  const crlf = await run(['operators', 'create', '--name', 'ben'], typed('correct horse\r\n'))
  t.same(crlf, { code: 0, stdout: 'operator 2 can sign in as ben\n', stderr: '' })
  t.ok(await verifyOperator(control, 'ben', 'correct horse'))
  t.same(await json('operators', 'list'), [
    { id: 1, name: 'anna', createdAt: '2026-07-01T00:00:00.000Z' },
    { id: 2, name: 'ben', createdAt: '2026-07-01T00:00:00.000Z' },
  ])
  const lines = (await run(['operators', 'list'])).stdout.split('\n')
  t.match(lines[0], /^ID +CREATED +NAME$/)
  t.equal(lines[2], '2   2026-07-01T00:00:00.000Z  ben')
  t.notMatch(JSON.stringify(await control.look(() => listAuditRows({ limit: 9 }))), 'horse')
})

test('on a terminal the password is asked for twice', async (t) => {
  const { run, control } = await controlCommands(t)
  const right = sitting('correct horse', 'correct horse')
  t.match(await run(['operators', 'create', 'anna'], right.around), { code: 0 })
  t.same(right.asked, ['Password: ', 'Repeat password: '])
  t.ok(await verifyOperator(control, 'anna', 'correct horse'))
  const wrong = sitting('correct horse', 'correct house')
  t.match(await run(['operators', 'create', 'ben'], wrong.around), { code: 1, stderr: /differ/ })
  const gone = await run(['operators', 'create', 'ben'], sitting('correct horse').around)
  t.match(gone, { code: 1, stderr: /cancelled/ })
  t.equal((await control.look(listOperators)).length, 1)
})

test('an invalid name or password is refused', async (t) => {
  const { run, control } = await controlCommands(t)
  await run(['operators', 'create', 'anna'], typed('correct horse'))
  const refused: readonly (readonly [string[], string | Buffer, number, RegExp])[] = [
    [['ben'], '1234567\n', 1, /the password must have at least 8 characters/],
    [['ben'], '', 1, /at least 8/],
    [['ben'], 'correct\nhorse\n', 1, /one line/],
    [['ben'], 'x'.repeat(5_000), 1, /at most 1024 bytes/],
    [['ben'], Buffer.from([0xff, 0xfe, 0xff, 0xfe, 0xff, 0xfe, 0xff, 0xfe]), 1, /UTF-8/],
    [['anna'], 'correct horse', 1, /operator "anna" already exists; kontor operators list/],
    [[], 'correct horse', 2, /NAME is needed exactly once/],
    [['ben', '--name', 'ben'], 'correct horse', 2, /NAME is needed exactly once/],
    [['a\tb'], 'correct horse', 2, /NAME must not contain control characters/],
  ]
  for (const [words, password, code, stderr] of refused) {
    const ended = await run(['operators', 'create', ...words], { stdin: [Buffer.from(password)] })
    t.match(ended, { code, stdout: '', stderr }, words.join(' '))
  }
  t.equal((await control.look(listOperators)).length, 1)
})

test('an operator is deleted by id or by name', async (t) => {
  const { run, json, control } = await controlCommands(t)
  for (const name of ['anna', 'ben']) {
    await run(['operators', 'create', name], typed('correct horse'))
  }
  t.same(await json('operators', 'delete', '1'), { id: 1 })
  t.same(await run(['operators', 'delete', 'ben']), {
    code: 0,
    stdout: 'operator 2 is deleted\n',
    stderr: '',
  })
  for (const gone of ['1', 'ben', '99', '']) {
    t.match(await run(['operators', 'delete', gone]), { code: 1, stderr: /there is no operator/ })
  }
  t.same(await control.look(listOperators), [])
})

test('an operator gets a new password by name or id, and is signed out', async (t) => {
  const { run, control } = await controlCommands(t)
  await run(['operators', 'create', 'anna'], typed('correct horse'))
  const { token } = await control.atomically(() => beginSession(1, NOW_MS))
  const short = await run(['operators', 'password', 'anna'], typed('1234567'))
  t.match(short, { code: 1, stdout: '', stderr: /the password must have at least 8/ })
  t.ok(await control.look(() => findSession(token, NOW_MS)), 'nothing was changed')
  t.same(await run(['operators', 'password', 'anna'], typed('another horse\n')), {
    code: 0,
    stdout: 'password of operator 1 changed; the operator is signed out everywhere\n',
    stderr: '',
  })
  t.equal(await control.look(() => findSession(token, NOW_MS)), undefined)
  t.ok(await verifyOperator(control, 'anna', 'another horse'))
  const { around, asked } = sitting('third horse', 'third horse')
  const made = await run(['operators', 'password', '1', '--json'], around)
  t.same(made, { code: 0, stdout: '{"id":1}\n', stderr: '' })
  t.equal(asked.length, 2)
  t.ok(await verifyOperator(control, 'anna', 'third horse'))
  const unasked = sitting()
  const unknown = await run(['operators', 'password', 'ben'], unasked.around)
  t.match(unknown, { code: 1, stdout: '', stderr: /there is no operator "ben"/ })
  t.same(unasked.asked, [], 'an unknown name fails before the password prompt')
  t.match(await run(['operators', 'password']), { code: 2, stderr: /NAME is missing/ })
})
