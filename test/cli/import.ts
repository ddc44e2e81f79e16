import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { importCommand } from '../../src/cli/import.js'
import { FORMATS } from '../../src/statements/formats.js'
import type { StatementReader } from '../../src/statements/statement.js'
import { listAuditRows } from '../../src/store/audit-rows.js'
import { ControlFile } from '../../src/store/sqlite/control-file.js'
import { withDirectory } from '../fixtures/files.js'
import { type Ended, runHere, type Surroundings } from '../fixtures/terminal.js'

const ACCOUNT = '{"kind":"account","id":1,"accountNumber":"7","currency":"EUR"}\n'
const row = (id: number, more = ''): string =>
  `{"id":${id},"accountId":1,"amount":${id}.5,"currency":"EUR"${more}}\n`

/**
 * A minimal format: one amount per line. It shows the options that the command passes to a reader.
 */
const readAmounts: StatementReader = async function* (text, options) {
  let all = ''
  for await (const piece of text) all += piece
  yield [{ kind: 'account', account: { accountNumber: options.account ?? 'none' } }]
  for (const [i, line] of all.trim().split('\n').entries()) {
    const position = `line ${i + 1}`
    if (!/^\d+$/.test(line)) {
      const fault = { position, field: options.columns?.get('amount') ?? 'amount', message: 'no' }
      yield [{ kind: 'refused', fault }]
      continue
    }
    const amount = { unscaled: Number(line), scale: 0 }
    const currency = options.currency ?? ''
    yield [
      {
        kind: 'transaction',
        transaction: { amount, currency, bookedAt: 0, counterpart: {}, position },
      },
    ]
  }
}

const withAmounts = importCommand({ ...FORMATS, readers: { ...FORMATS.readers, csv: readAmounts } })

interface ImportFixture {
  readonly path: (name: string, text: string) => string
  readonly run: (words: readonly string[], around?: Surroundings) => Promise<Ended>
}

function withFixture<T>(
  use: (fixture: ImportFixture, directory: string) => Promise<T>,
): Promise<T> {
  return withDirectory((directory) => {
    const path = (name: string, text: string): string => {
      writeFileSync(join(directory, name), text)
      return join(directory, name)
    }
    const where = ['--workspace', 'w', '--data-dir', join(directory, 'data')]
    return use(
      { path, run: (words, around) => runHere(['import', ...where, ...words], around) },
      directory,
    )
  })
}

test('the summary is a line a count, or one JSON object, over all files', async (t) => {
  await withFixture(async ({ path, run }) => {
    const a = path('a.ndjson', ACCOUNT + row(1) + row(2))
    const b = path('b.ndjson', row(2) + row(3))
    t.same(await run([a]), {
      code: 0,
      stdout:
        'accounts       1\nadded          2\nalready there  0\n' +
        'updated        0\nskipped        0\nwarnings       0\n',
      stderr: '',
    })
    const { stdout, stderr } = await run(['--json', a, b])
    t.same(JSON.parse(stdout), {
      accounts: 1,
      added: 1,
      unchanged: 3,
      updated: 0,
      skipped: 0,
      kept: 0,
      changed: 0,
      changes: [],
      balances: {},
      warnings: [],
      files: [a, b],
    })
    t.equal(stderr, '')
    const c = path('c.jsonl', row(3, ',"type":"x"'))
    t.match(JSON.parse((await run(['--json', c])).stdout), { updated: 0, kept: 1, changed: 0 })
    t.match(JSON.parse((await run(['--json', '--update', c])).stdout), {
      ...{ updated: 1, kept: 0, changed: 1 },
      changes: [{ kind: 'transaction', id: 3, field: 'type', old: null, new: 'x' }],
    })
  })
})

test('differing rows are listed, and replaced with --update', async (t) => {
  await withFixture(async ({ path, run }) => {
    await run([path('a.ndjson', ACCOUNT + row(1) + row(2, ',"purpose":"a"'))])
    const b = path('b.ndjson', row(1) + row(2, ',"purpose":"\\u0085 b"'))
    const fields = `  transaction 2, purpose: "a" -> "\\u0085 b"\n`
    const kept = (await run([b])).stdout
    t.ok(
      kept.endsWith(
        `kept           1\nThese differ from the stored data; --update replaces it.\n${fields}`,
      ),
      kept,
    )
    const changed = (await run(['--update', b])).stdout
    t.ok(changed.endsWith(`changed        1\n${fields}`), changed)
    t.match((await run([b])).stdout, /already there {2}2\n/)
    const many = Array.from({ length: 101 }, (_, i) => row(i + 10))
    await run([path('c.ndjson', many.join(''))])
    const others = many.map((line) => line.replace('.5,', '.6,'))
    const { stdout } = await run([path('d.ndjson', others.join(''))])
    t.match(stdout, /kept {11}101\n.*\nThe first 100 fields:\n(?: {2}transaction .*\n){100}$/)
  })
})

test('standard input is detected like a file, in pieces of any size', async (t) => {
  await withFixture(async ({ run }) => {
    const bytes = Buffer.from(`\uFEFF\n${ACCOUNT}${row(1, ',"purpose":"Müller 😀"')}`)
    const stdin = Array.from(bytes, (byte) => Uint8Array.of(byte))
    t.match(await run(['-', '--json'], { stdin }), { code: 0, stdout: /"added":1,/ })
    const again = await run(['--format', 'ndjson', '-'], { stdin: [bytes] })
    t.match(again, { code: 0, stdout: /already there {2}1/ })
    t.match(await run(['-'], { stdin: [] }), {
      code: 1,
      stderr: 'kontor: standard input is empty; nothing was imported\n',
    })
    t.match(await run(['-', '-']), { code: 2, stderr: /standard input can be read only once/ })
  })
})

test('a failing file imports nothing and ends the command', async (t) => {
  await withFixture(async ({ path, run }) => {
    const good = path('good.ndjson', ACCOUNT + row(1))
    const bad = path('bad.ndjson', row(2) + row(3, ',"purpos":"x"'))
    const never = path('never.ndjson', row(4))
    const ended = await run([good, bad, never])
    t.equal(ended.code, 1)
    t.equal(ended.stdout, '')
    t.equal(
      ended.stderr,
      `kontor: ${bad}: line 2, purpos: transaction has no such member; did you mean purpose? ` +
        `(--lenient skips it); nothing was imported from it; imported before it: ${good}\n`,
    )
    const lenient = await run([bad, '--lenient', '--json'])
    const { added, skipped, warnings } = JSON.parse(lenient.stdout)
    t.same([lenient.code, added, skipped, warnings.length], [0, 1, 1, 1])
    t.match(warnings[0], `${bad}: skipped line 2, purpos: `)
    t.match(await run([bad, '--lenient']), { stderr: /^warning: .*bad.ndjson: skipped line 2/ })
  })
})

test("the README's example statement has five entries and a correct balance", async (t) => {
  await withFixture(async ({ run }) => {
    const path = fileURLToPath(new URL('../../../data/example/statement.xml', import.meta.url))
    const { code, stdout, stderr } = await run([path, '--json'])
    t.same([code, stderr], [0, ''])
    t.match(JSON.parse(stdout), { accounts: 1, added: 5, unchanged: 0, skipped: 0, warnings: [] })
    t.match(JSON.parse((await run([path, '--json'])).stdout), { added: 0, unchanged: 5 })
  })
})

test('each file is audited, refused ones too, without its name and text', async (t) => {
  await withFixture(async ({ path, run }, directory) => {
    const text = ACCOUNT + row(1)
    await run([path('salary-of-anna.ndjson', text), path('bad.ndjson', row(2, ',"purpos":"x"'))])
    await run(['--lenient', path('bad.ndjson', row(2, ',"purpos":"x"'))])
    await run([path('odd', '<html>')])
    const control = ControlFile.open(join(directory, 'data', 'control.db'))
    const rows = control.look(() => listAuditRows({ limit: 9 })).reverse()
    control.close()
    const sha256 = createHash('sha256').update(text).digest('hex')
    t.match(rows, [
      { action: 'workspace.import', actor: 'cli', subject: 'w', workspaceId: 'w', outcome: 'ok' },
      { outcome: 'refused', detail: /^\{"format":"ndjson",.*"reason":"line 1, purpos"\}$/ },
      { outcome: 'ok', detail: /"added":0,"unchanged":0,"updated":0,"skipped":1}$/ },
      {
        outcome: 'refused',
        detail: /"sha256":"[0-9a-f]{64}","reason":"unreadable file or unknown format"\}$/,
      },
    ])
    const counts = { accounts: 1, added: 1, unchanged: 0, updated: 0, skipped: 0 }
    t.strictSame(JSON.parse(rows[0]?.detail ?? ''), {
      ...{ format: 'ndjson', bytes: text.length, sha256 },
      ...counts,
    })
    t.equal(rows.length, 4)
    t.notMatch(JSON.stringify(rows), /anna|html/)
  })
})

test('unreadable files are reported before anything is written', async (t) => {
  await withFixture(async ({ path, run }, directory) => {
    const good = path('good.ndjson', ACCOUNT + row(1))
    const folder = join(directory, 'folder')
    mkdirSync(folder)
    const cases: [string, string][] = [
      [join(directory, 'nope'), `there is no file ${join(directory, 'nope')}`],
      [folder, `${folder} is a directory; name the files in it`],
      [path('empty', ''), `${join(directory, 'empty')} is empty`],
    ]
    for (const [file, sentence] of cases) {
      t.same(await run([good, file]), { code: 1, stdout: '', stderr: `kontor: ${sentence}\n` })
    }
    t.match(await run([good, '--json']), { stdout: /"added":1/ }, 'the good file was not imported')
    t.match(await run([path('other', '<html>')]), { code: 1, stderr: /other: .*; nothing was/ })
    t.match(await run([path('blank', ' \n \n')]), { code: 1, stderr: /blank: / })
  })
})

test('a first import that fails leaves no workspace', async (t) => {
  await withFixture(async ({ path, run }, directory) => {
    t.match(await run([path('bad', 'no json')]), { code: 1 })
    t.same(readdirSync(join(directory, 'data', 'workspaces')), [])
  })
})

test('flags are passed to the reader', async (t) => {
  await withFixture(async ({ path, run }) => {
    const around = { commands: [withAmounts] }
    const file = path('a.txt', '1\n2\nx\n')
    const given = [
      '--format',
      'csv',
      '--account',
      'A 7',
      '--columns',
      'amount=Betrag,valueDate=Tag',
      file,
    ]
    t.match(await run([...given, '--currency', 'CHF'], around), {
      code: 1,
      stderr: `kontor: ${file}: line 3, Betrag: no (--lenient skips it); nothing was imported\n`,
    })
    t.match(await run([...given, '--currency', 'CHF', '--lenient', '--json'], around), {
      code: 0,
      stdout: /"accounts":1,"added":2,"unchanged":0,"updated":0,"skipped":1,/,
    })
    t.match(await run(given, around), { code: 1, stderr: /specify one, for example --currency/ })
    const exported = await runHere([
      'export',
      '--workspace',
      'w',
      '--data-dir',
      join(file, '../data'),
    ])
    t.match(exported.stdout, /^\{"kind":"account","id":1,"currency":"CHF","accountNumber":"A 7"/)
  })
})

test('wrong flags are a usage error', async (t) => {
  await withFixture(async ({ path, run }) => {
    const file = path('a.ndjson', ACCOUNT)
    const cases: [string[], RegExp][] = [
      [[], /^kontor: FILE is missing: a bank file; - reads standard input\n$/],
      [
        ['--format', 'camt', file],
        /must be one of auto, camt052, camt053, camt054, mt940, mt942, csv, ofx, .* not camt/,
      ],
      [['--currency', 'eur', file], /^kontor: --currency "eur": three capital letters/],
      [
        ['--account', 'DE89370400440532013001', file],
        /^kontor: --account .*: the IBAN is not valid/,
      ],
    ]
    for (const [words, stderr] of cases) t.match(await run(words), { code: 2, stdout: '', stderr })
    const elsewhere = await runHere(['import', '--workspace', 'a/b', file])
    t.match(elsewhere, {
      code: 2,
      stderr: /--workspace "a\/b": a workspace id consists of letters/,
    })
  })
})

test('progress is shown on terminals only', async (t) => {
  await withFixture(async ({ path, run }) => {
    let now = 0
    const clock = (): number => (now += 1000)
    const file = path('a.ndjson', ACCOUNT + row(1))
    t.match(await run([file], { clock, isTerminal: true }), {
      stderr: /^\r.*a.ndjson: 0 MB, 2 rows, /,
    })
    t.equal((await run([file], { clock })).stderr, '')
    t.ok(readFileSync(file).length > 0, 'the file is being read')
  })
})

test('a file past the deadline is aborted, and earlier files stay imported', async (t) => {
  await withFixture(async ({ path, run }) => {
    let now = 0
    const clock = (): number => (now += 1_000)
    const rows = (count: number): string =>
      Array.from({ length: count }, (_, i) => row(i + 1)).join('')
    const one = path('one.ndjson', ACCOUNT + row(1))
    const many = path('many.ndjson', rows(300))
    const ended = await run(['--timeout', '2m', one, many], { clock })
    const late = 'the import took longer than 2m; allow more with --timeout 4m'
    t.same(ended, {
      code: 3,
      stdout: '',
      stderr:
        `kontor: ${many}: ${late}; nothing was imported from it; ` + `imported before it: ${one}\n`,
    })
    t.match(await run(['--timeout', '2h', many], { clock }), { code: 0, stdout: /added +299/ })
    const wrong = await run(['--timeout', '0', one])
    t.match(wrong, { code: 2, stderr: /--timeout "0": a time from 1s to 7d, such as 30s/ })
    t.match((await run(['--help'])).stdout, /Exit codes: 0 success, .* 3 a file took too/)
  })
})

test('--encoding decides; without it a guess is the first warning', async (t) => {
  await withFixture(async ({ path, run }, directory) => {
    const file = path('a.csv', '')
    writeFileSync(file, Buffer.from('Day;Sum;Text\n2026-11-02;-3,20;M\x81ller\n', 'latin1'))
    const words = ['--account', '4711', '--currency', 'EUR', '--columns']
    words.push('bookingDate=Day,amount=Sum,purpose=Text', file)
    const guessed = await run(words)
    t.equal(guessed.code, 0)
    t.match(guessed.stderr, /^warning: .*a\.csv: the encoding is guessed: CP850 .*"Müller"/)
    const named = await run(['--encoding', 'cp850', ...words])
    t.match(named, { code: 0, stderr: '', stdout: /already there {2}1\n/ })
    const wrong = await run(['--encoding', 'cp1047', ...words])
    t.match(wrong, { code: 2, stderr: /--encoding must be one of utf-8, .*, not cp1047/ })
    t.ok(readdirSync(directory).length > 0)
  })
})

test('QIF and BAI2 are imported, QIF with a currency', async (t) => {
  await withFixture(async ({ path, run }) => {
    const qif = path('a.qif', '!Type:Bank\nD4/5/2024\nT-5.00\nPBakery\n^\n')
    const words = ['--account', '4711', '--currency', 'USD']
    t.match((await run([qif])).stderr, /does not name its currency; specify it, .*--currency USD/)
    t.match((await run([...words, qif])).stderr, /could be day first or month first .*dateFormat/)
    const dated = await run([...words, '--columns', 'dateFormat=mdy', qif])
    t.match(dated, { code: 0, stdout: /added {10}1\n/ })
    const csv = path('a.csv', 'Day;Sum\n2026-11-02;-3,20\n')
    const nothing = await run([...words, '--columns', 'dateFormat=dmy', csv])
    t.match(nothing.stderr, /--columns: it names no columns of the CSV file; write for example/)
    const bai2 = path(
      'a.txt',
      '01,021,099,240301,0700,1,80,,2/\n02,099,021,1,240229,2359,USD,2/\n' +
        '03,4712,,010,10000,,,015,8766,,/\n16,475,1234,Z,,24108,CHECK PAID/\n' +
        '49,20000,3/\n98,20000,1,5/\n99,20000,1,7/\n',
    )
    t.match(await run([bai2]), { code: 0, stderr: '', stdout: /added {10}1\n/ })
    t.match(await run([bai2]), { code: 0, stderr: '', stdout: /already there {2}1\n/ })
  })
})
