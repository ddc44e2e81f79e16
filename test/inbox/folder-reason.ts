import { test } from 'tap'
import { reasonForFolder } from '../../src/inbox/folder-reason.js'
import { parseSettings } from '../../src/inbox/import-settings.js'

/** Ends of sentences as the readers write them. */
const SENTENCES: readonly (readonly [reason: string, member: string])[] = [
  ['specify it with --account IBAN', '"account": "DE89370400440532013000"'],
  ['specify it, for example --account 123456789', '"account": "123456789"'],
  ['one, for example --account DE02120300000000202051; x', '"account": "DE02120300000000202051"'],
  ['specify one, for example --currency EUR', '"currency": "EUR"'],
  ['name it, for example --encoding utf-16le', '"encoding": "utf-16le"'],
  ['left out; --include notifications imports it', '"include": "notifications"'],
  ['the sum is wrong (--lenient skips it)', '"lenient": true'],
  ['it, for example --columns dateFormat=dmy', '"columns": "dateFormat=dmy"'],
  [
    `for example --columns 'bookingDate=Day,amount="A, ""B"" \\u0085"'`,
    String.raw`"columns": "bookingDate=Day,amount=\"A, \"\"B\"\" \\u0085\""`,
  ],
]

test('a flag with a value becomes the member of import.json, ready to paste', async (t) => {
  for (const [reason, member] of SENTENCES) {
    const shown = reasonForFolder(reason)
    t.match(shown, `${member} in import.json`, reason)
    t.notMatch(shown, '--', reason)
    t.match(await parseSettings(`{${member}}`), { settings: {} }, reason)
  }
  const columns = reasonForFolder(SENTENCES.at(-1)?.[0] ?? '')
  const member = /"columns": ".*"(?= in)/.exec(columns)?.[0] ?? ''
  t.same(await parseSettings(`{${member}}`), {
    settings: { columns: String.raw`bookingDate=Day,amount="A, ""B"" \u0085"` },
  })
})

test('a flag without a value is named, and a format is for kontor import', async (t) => {
  t.equal(
    reasonForFolder('no header has the column "x" that --columns names; add --account'),
    'no header has the column "x" that "columns" in import.json names; ' +
      'add "account" in import.json',
  )
  t.equal(
    reasonForFolder('USD is assumed; --currency decides'),
    'USD is assumed; ' + '"currency" in import.json decides',
  )
  t.equal(
    reasonForFolder('specify it, for example --format mt940 (--help lists the formats)'),
    'specify it, for example with kontor import --format mt940 ' +
      '(kontor import --help lists the formats)',
  )
  t.equal(
    reasonForFolder('import it with --format camt054'),
    'import it with kontor import --format camt054',
  )
})
