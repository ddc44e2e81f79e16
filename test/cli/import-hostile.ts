// Damaged and hostile files through `kontor import`: one sentence, exit code 1, nothing imported.
import { accessSync, chmodSync, constants, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { messageOf } from '../../src/errors.js'
import { countNaively } from '../fixtures/bank-file-counts.js'
import { type BankFixture, withBankFixture } from '../fixtures/bank-fixture.js'
import {
  FOREIGN_FILES,
  GOOD_FILES,
  HOSTILE_LINES,
  HOSTILE_XML,
  type HostileFile,
} from '../fixtures/hostile-files.js'
import { realFiles } from '../fixtures/statement-reading.js'

/** Longer sentences would not be read to their end. */
const SENTENCE_CHARS_MAX = 1_000

/** Imports the file, which has to be refused in one sentence. @returns the sentence */
async function refusal(
  t: Test,
  fixture: BankFixture,
  file: Omit<HostileFile, 'said'>,
): Promise<string> {
  const path = fixture.path(file.name, file.content)
  const ended = await fixture.run([...(file.words ?? []), path])
  t.equal(ended.code, 1, `${file.name}: exit code`)
  t.equal(ended.stdout, '', `${file.name}: no output on stdout`)
  t.same(fixture.workspaceFiles(), [], `${file.name}: nothing was imported`)
  const said = ended.stderr.replace(`kontor: ${path}: `, '').replace('; nothing was imported\n', '')
  t.equal(ended.stderr, `kontor: ${path}: ${said}; nothing was imported\n`, file.name)
  t.notMatch(said, /[\n\0]|unexpected error/, `${file.name}: one sentence`)
  t.ok(ended.stderr.length < SENTENCE_CHARS_MAX + path.length, `${file.name}: a short sentence`)
  rmSync(path)
  return said
}

async function checkRefusals(t: Test, files: readonly HostileFile[]): Promise<void> {
  await withBankFixture(async (fixture) => {
    for (const file of files) {
      const said = await refusal(t, fixture, file)
      t.comment(`${file.name}: ${said}`)
      t.match(said, file.said, file.name)
    }
  })
}

test('hostile XML is refused with its line', (t) => checkRefusals(t, HOSTILE_XML))
test('hostile lines are refused with their number', (t) => checkRefusals(t, HOSTILE_LINES))
test('a foreign file format is named', (t) => checkRefusals(t, FOREIGN_FILES))

test('a file of each format is refused with NUL bytes, and imported without them', async (t) => {
  await withBankFixture(async (fixture) => {
    for (const { name, content, words = [] } of GOOD_FILES) {
      const bytes = Buffer.from(content)
      for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
        const damaged = Buffer.concat([bytes.subarray(0, at), Buffer.of(0), bytes.subarray(at)])
        const said = await refusal(t, fixture, { name, content: damaged, words })
        t.match(said, new RegExp(`^byte ${at}: is NUL`), name)
      }
      // Both halves of every code unit of ASCII text: one of them is NUL.
      for (const utf16 of [Buffer.from(bytes.toString('latin1'), 'utf16le')]) {
        const said = await refusal(t, fixture, { name, content: utf16, words })
        t.equal(
          said,
          'byte 1: is NUL: the file is not text, or it is UTF-16; if so, name it, for example ' +
            '--encoding utf-16le',
          name,
        )
        const swapped = Buffer.from(utf16).swap16()
        t.match(
          await refusal(t, fixture, { name, content: swapped, words }),
          /^byte 0: is NUL/,
          name,
        )
      }
      t.match(await fixture.add([...words, fixture.path(name, content)], `good-${name.slice(5)}`), {
        added: 1,
      })
      rmSync(join(fixture.directory, 'data'), { recursive: true })
    }
  })
})

test('Latin-1 after a long span of UTF-8 is refused with its byte', async (t) => {
  await withBankFixture(async (fixture) => {
    for (const { name, content, words = [] } of GOOD_FILES) {
      const text = content.toString()
      const place = name.endsWith('.xml') ? text.indexOf('</Document>') : text.length
      const before = Buffer.from(`${text.slice(0, place)}\n${'ü€\n'.repeat(20_000)}`)
      const after = Buffer.from(text.slice(place))
      const damaged = Buffer.concat([before, Buffer.of(0xfc), after])
      const said = await refusal(t, fixture, { name, content: damaged, words })
      const isByte = said.startsWith(`byte ${before.length}: is not UTF-8, unlike the text before`)
      // A reader that stops at the first wrong line does not get this far.
      t.ok(isByte || /^(line|entry|transaction) \d/.test(said), `${name}: ${said}`)
      t.comment(`${name}: ${said}`)
    }
  })
})

/** Cuts a valid camt.053 or NDJSON file where any text may occur: in a comment, in a purpose. */
function aroundText(name: string, content: string): [before: string, after: string] {
  const mark = name.endsWith('.xml') ? '<NtryDtls>' : '"amount":1'
  const at = content.indexOf(mark)
  const [open, close] = name.endsWith('.xml') ? ['<!--', '-->'] : ['"purpose":"', '",']
  return [content.slice(0, at) + open, close + content.slice(at)]
}

test('Latin-1 in camt.053 and NDJSON is refused, and nothing is imported', async (t) => {
  await withBankFixture(async (fixture) => {
    for (const { name, content } of GOOD_FILES) {
      if (!/\.(?:xml|ndjson)$/.test(name)) continue
      const text = content.toString()
      const [before, after] = aroundText(name, text)
      for (const good of ['', 'Müller ', 'Müller '.repeat(20)]) {
        for (const bad of [0xfc, 0xff]) {
          const start = Buffer.from(before + good)
          const damaged = Buffer.concat([start, Buffer.of(bad), Buffer.from(after)])
          for (const words of [[], ['--lenient'], ['--format', formatOf(name)]]) {
            const said = await refusal(t, fixture, { name, content: damaged, words })
            t.match(said, new RegExp(`^byte ${start.length}: is not UTF-8.* convert the file`))
          }
        }
      }
      const words = [fixture.path(name, `${before}Müller${after}`)]
      t.match(await fixture.add(words, name.slice(5)), { added: 1 }, `${name}: UTF-8 is imported`)
      rmSync(join(fixture.directory, 'data'), { recursive: true })
    }
  })
})

test('one line of Latin-1 far down in NDJSON rolls back the lines before it', async (t) => {
  await withBankFixture(async (fixture) => {
    const line = String(GOOD_FILES.find(({ name }) => name === 'good.ndjson')?.content)
    const before = Buffer.from(line.repeat(20_000))
    const after = Buffer.from(
      line.replace('"amount":1', '"purpose":"M\xfcller","amount":1'),
      'latin1',
    )
    const at = before.length + after.indexOf(0xfc)
    for (const words of [[], ['--lenient']]) {
      const content = Buffer.concat([before, after])
      const said = await refusal(t, fixture, { name: 'far.ndjson', content, words })
      t.match(said, new RegExp(`^byte ${at}: is not UTF-8.*UTF-8, which NDJSON requires`))
    }
  })
})

function formatOf(name: string): string {
  return name.endsWith('.xml') ? 'camt053' : 'ndjson'
}

test('a text that resembles an entity is not expanded', async (t) => {
  await withBankFixture(async (fixture) => {
    const found = GOOD_FILES.find(({ name }) => name === 'good.ofx')
    const text = String(found?.content)
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]>'
    const path = fixture.path(
      'a.ofx',
      text.replace('<OFX>', `${bomb}<OFX>`).replace('-1.50', '-1.50<NAME>&b;'),
    )
    t.match(await fixture.add([path]), { added: 1 })
    t.equal(fixture.held().transactions[0]?.counterpartName, '&b;')
  })
})

test('files that cannot be opened, or vanish before they are read', async (t) => {
  await withBankFixture(async (fixture) => {
    const good = fixture.path(
      'good',
      '{"kind":"account","id":1,"accountNumber":"7","currency":"EUR"}\n',
    )
    const folder = join(fixture.directory, 'folder')
    mkdirSync(folder)
    const locked = fixture.path('locked', 'x')
    chmodSync(locked, 0)
    const cases: [path: string, said: string][] = [
      [folder, `${folder} is a directory; name the files in it`],
      [join(fixture.directory, 'none'), `there is no file ${join(fixture.directory, 'none')}`],
      [fixture.path('empty', ''), `${join(fixture.directory, 'empty')} is empty`],
    ]
    if (isReadable(locked)) t.comment('this user may read every file: permissions are not tested')
    else cases.push([locked, `${locked} cannot be read: permission denied`])
    for (const [path, said] of cases) {
      t.same(await fixture.run([good, path]), { code: 1, stdout: '', stderr: `kontor: ${said}\n` })
      t.same(fixture.workspaceFiles(), [], path)
    }

    // The file comes before standard input: once that is read, all files have been opened.
    const gone = fixture.path('gone', 'x')
    async function* vanishing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"kind":"account","id":1,"accountNumber":"7","currency":"EUR"}\n')
      rmSync(gone)
    }
    t.same(await fixture.run(['-', gone], { stdin: vanishing() }), {
      code: 1,
      stdout: '',
      stderr:
        `kontor: there is no file ${gone}; nothing was imported from it; ` +
        'imported before it: standard input\n',
    })
  })
})

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch (error) {
    if (messageOf(error).includes('EACCES')) return false
    throw error
  }
}

test('standard input: every format is detected, and a broken file imports nothing', async (t) => {
  await withBankFixture(async (fixture) => {
    for (const { name, content, words = [] } of GOOD_FILES) {
      const stdin = [Buffer.from(content)]
      const given = /\.(?:csv|qif)$/.test(name) ? words : []
      t.match(await fixture.run([...given, '--json', '-'], { stdin }, name.slice(5)), {
        code: 0,
        stdout: /"added":1,/,
        stderr: '',
      })
    }
    rmSync(join(fixture.directory, 'data'), { recursive: true })
    for (const { name, content, words = [] } of GOOD_FILES) {
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield Buffer.from(content).subarray(0, -40)
        throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
      }
      const ended = await fixture.run([...words, '-'], { stdin: broken() })
      const said = 'standard input cannot be read: read ECONNRESET; nothing was imported'
      t.same(ended, { code: 1, stdout: '', stderr: `kontor: ${said}\n` }, name)
      t.same(fixture.workspaceFiles(), [], name)
    }
  })
})

test('an id twice in a file is one resource, which moves to the last account', async (t) => {
  await withBankFixture(async (fixture) => {
    const account = (id: number): string =>
      `{"kind":"account","id":${id},"accountNumber":"${id}","currency":"EUR"}\n`
    const row = (accountId: number, amount: number): string =>
      `{"id":5,"accountId":${accountId},"amount":${amount},"currency":"EUR"}\n`
    const path = fixture.path(
      'a.ndjson',
      account(1) + account(2) + row(1, 1) + row(1, 1) + row(2, 3),
    )
    t.match(await fixture.add([path]), { added: 1, unchanged: 1, updated: 1 })
    t.match(fixture.held().transactions, [{ id: 5, accountId: 2, amountUnscaled: 3 }])
    t.equal(fixture.held().transactions.length, 1)
  })
})

test('truncated real files are refused, imported with a warning, or a valid prefix', async (t) => {
  const own = ['--account', 'DE89370400440532013000']
  for (const format of ['camt053', 'mt940', 'csv', 'ofx']) {
    const counts = { refused: 0, warned: 0, taken: 0 }
    for (const { name, bytes } of realFiles(t, format)) {
      for (const fifth of [1, 2, 3, 4]) {
        await withBankFixture(async (fixture) => {
          const place = Math.floor((bytes.length * fifth) / 5)
          const path = fixture.path(name, bytes.subarray(0, place))
          const words = ['--json', '--format', format, ...(format === 'csv' ? own : []), path]
          if (format === 'csv') words.unshift('--currency', 'EUR')
          const ended = await fixture.run(words)
          const at = `${name} cut at ${place}`
          if (ended.code === 1) {
            counts.refused += 1
            t.match(ended.stderr, /^kontor: [^\n]*: [^\n]+; nothing was imported\n$/, at)
            t.notMatch(ended.stderr, 'unexpected error', at)
            t.same(fixture.workspaceFiles(), [], `${at}: nothing was imported`)
            return
          }
          const { added, warnings } = JSON.parse(ended.stdout)
          t.not(format, 'camt053', `${at}: unterminated XML is refused`)
          t.not(format, 'ofx', `${at}: unterminated OFX is refused`)
          t.ok(added <= countNaively(format, name, bytes.toString('latin1')).entries, at)
          if (warnings.length > 0) {
            counts.warned += 1
            return
          }
          counts.taken += 1
          // A missing statement, or a missing end of a line's last cell, cannot be detected.
          const balances = bytes
            .subarray(0, place)
            .toString('latin1')
            .match(/^:6[012].:/gm)
          if (format === 'mt940') t.match(balances?.at(-1), /^:62/, `${at}: a whole statement`)
        })
      }
    }
    t.comment(`${format}: ${JSON.stringify(counts)}`)
  }
})

test('no character of a file or its name steers the terminal', async (t) => {
  await withBankFixture(async (fixture) => {
    const words = ['--account', '4711', '--currency', 'EUR', '--lenient']
    const columns = ['--columns', 'bookingDate=Day,amount=Sum,purpose=Text']
    const rows = 'Day;Sum;Text\n2026-07-01;-3,20;Tea\n2026-07-02;\u009b2J\u202e9;Tea\n'
    const skipped = await fixture.run([...words, ...columns, fixture.path('\u009b31m.csv', rows)])
    t.equal(skipped.code, 0, skipped.stderr)
    const failed = await fixture.run([fixture.path('\u009b32m\u202e.txt', 'what is this')])
    t.equal(failed.code, 1)
    for (const { stdout, stderr } of [skipped, failed]) {
      t.notMatch(stdout + stderr, /[\u0080-\u009f\u202e]/)
      t.match(stderr, '\\u009b3')
    }
  })
})
