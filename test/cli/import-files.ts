// Every real bank file through `kontor import` itself. A naive scan of its text counts the content
// (fixtures/bank-file-counts.ts); the table in the output shows both.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import { formatAmount } from '../../src/money.js'
import { detectFormat } from '../../src/statements/detect.js'
import type { TransactionRow } from '../../src/store/columns.js'
import { assertProperty } from '../fixtures/assert-property.js'
import {
  add,
  type BankFileCount,
  countNaively,
  difference,
  type Sums,
  sumsText,
  unitsOf,
} from '../fixtures/bank-file-counts.js'
import {
  type BankFixture,
  type Held,
  type ImportSummary,
  withBankFixture,
} from '../fixtures/bank-fixture.js'
import { balance, entry, message } from '../fixtures/camt-text.js'
import { realFiles } from '../fixtures/statement-reading.js'

const FOLDERS = ['camt053', 'mt940', 'csv', 'ofx'] as const

const ACCOUNT = ['--account', 'DE89370400440532013000']

/** Flags that a file needs for its import, because it names neither account nor currency. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  'bank2ynab__2019-03-02_11-50-46_bunq-statement.csv': ['--currency', 'EUR'],
  'bank2ynab__test_raiffeisen_01.csv': ACCOUNT,
  'bsparser__csv_french_headers.csv': ACCOUNT,
  'bsparser__csv_garbled_amount.csv': [...ACCOUNT, '--currency', 'EUR'],
  'n26-test_extract_multiple_transactions.csv': ACCOUNT,
  'n26-test_identify_french.csv': ACCOUNT,
  'n26-test_identify_german.csv': ACCOUNT,
}

/** Files with a wrong entry, on purpose or by their authors, and the message for it. */
const ENTRY_REFUSED: Readonly<Record<string, string>> = {
  'bsparser__camt053_garbled_amount.xml':
    'entry 1 (line 16), Amt: "12..34" is not a decimal number; expected for example 1234.56',
  'betterplace__sepa_snippet_broken.txt':
    'entry 1 (line 5), :25:: is inside an entry (line 6); expected :86: or :61:',
  'cmxl__mt940-headers.txt':
    'entry 1 (line 8), :61: value date: "362268" is not a date YYMMDD; ' +
    'expected for example 2405310531DR12,50NTRFNONREF',
  'wolph__multiline.sta':
    'entry 2 (line 38), :25:: the entry is not in a statement that names its account; ' +
    'specify one, for example --account DE89370400440532013000',
  'bsparser__csv_garbled_amount.csv':
    'line 3, Amount: "12..34" is not a decimal number; expected for example -1,234.56',
  'ofxparse__decimal_error.ofx':
    'transaction 1 (line 34), TRNAMT: "$120" is not a decimal number; ' +
    'expected for example -1234.56',
}

/** Files without any statement. */
const FILE_REFUSED: Readonly<Record<string, string>> = {
  'genkgo__camt053.v2.wrong.xml':
    'line 1, Stmt: the message has no statement; a camt.053 statement has at least one',
  'betterplace__empty_line.txt':
    'line 2, :25:: the message ends without naming its account; ' +
    'specify one, for example --account DE89370400440532013000',
  'wolph__invalid_statement.sta':
    'unknown format; specify it, for example --format mt940 (--help lists the formats)',
}

/** Malformed by its authors: the details of its entry are wrong, which a warning reports. */
const DETAILS_WARNED = {
  name: 'wolph__malformed_details.sta',
  warning: 'entry 1 (line 5): the details end in a "?" without a sub-field',
}

interface RealFile {
  readonly folder: string
  readonly name: string
  readonly text: string
  readonly words: readonly string[]
  readonly count: BankFileCount
}

/**
 * The files of one format, with the arguments that import each; written into the fixture's
 * directory.
 */
function filesOf(t: Test, fixture: BankFixture, folder: string): RealFile[] {
  return realFiles(t, folder).map(({ name, bytes }) => {
    const text = bytes.toString('latin1')
    const words = [...(FLAGS[name] ?? []), fixture.path(name, bytes)]
    return { folder, name, text, words, count: countNaively(folder, name, text) }
  })
}

/** A difference that no entry explains: the closing balance less what it should be. */
const DIFFERENCE = / ([A-Z]{3}): the difference is ([^\s;]+)(?:$|;)/
/** The sum of the entries that a closing balance does not include yet. */
const VALUED_LATER = /the entries valued later, (\S+) ([A-Z]{3}) together/

/** What the closing balances lack or have too much of, as the warnings tell it, by currency. */
function warnedDifferences({ warnings }: ImportSummary): Sums {
  const sums: Sums = new Map()
  for (const warning of warnings) {
    const [, currency, amount] = DIFFERENCE.exec(warning) ?? []
    if (currency !== undefined && amount !== undefined) add(sums, currency, unitsOf(amount))
    const [, later, currencyLater] = VALUED_LATER.exec(warning) ?? []
    if (later !== undefined && currencyLater !== undefined) {
      add(sums, currencyLater, -unitsOf(later))
    }
  }
  return sums
}

function sumsOf(transactions: readonly TransactionRow[]): Sums {
  const sums: Sums = new Map()
  for (const { currency, amountUnscaled, amountScale } of transactions) {
    add(sums, currency, unitsOf(formatAmount(amountUnscaled, amountScale)))
  }
  return sums
}

/** Imports a valid file twice and copies the workspace. @returns the end of its table row */
async function checkTaken(t: Test, fixture: BankFixture, file: RealFile): Promise<string[]> {
  const { name, words, count } = file
  const summary = await fixture.add(words)
  const held = fixture.held()
  const sums = sumsOf(held.transactions)
  const gaps = difference(count.balanceDifferences, count.balancedSums)
  t.equal(summary.added, count.entries, `${name}: entries`)
  t.equal(held.transactions.length, count.entries, `${name}: rows`)
  t.equal(held.accounts.length, summary.accounts, `${name}: accounts`)
  t.equal(sumsText(sums), sumsText(count.sums), `${name}: sums`)
  t.equal(sumsText(difference(warnedDifferences(summary), gaps)), '', `${name}: balances`)
  if (name === DETAILS_WARNED.name) t.match(summary.warnings[0], DETAILS_WARNED.warning, name)

  const again = await fixture.add(words)
  t.match(again, { added: 0, updated: 0, unchanged: count.entries }, `${name}: again`)
  t.equal(fixture.held().sequence, held.sequence, `${name}: imported again it writes no row`)

  const exported = await fixture.export()
  const path = fixture.path('copy.ndjson', exported)
  t.match(
    await fixture.add([path], 'copy'),
    { added: count.entries, warnings: [] },
    `${name}: copy`,
  )
  t.equal(await fixture.export('copy'), exported, `${name}: the copy is equal`)
  const afterCopy = await fixture.add(words, 'copy')
  t.match(afterCopy, { added: 0, unchanged: count.entries }, `${name}: again, into the copy`)
  t.equal(await fixture.export('copy'), exported, `${name}: the copy knows the file`)

  const result =
    gaps.size > 0
      ? `warned: ${sumsText(gaps)}`
      : count.balanceDifferences.size > 0
        ? 'balanced'
        : 'no balances'
  const balances = sumsText(count.balanceDifferences) || '-'
  return [`${summary.accounts}`, `${summary.added}`, sumsText(sums) || '-', balances, result]
}

/** Imports an invalid file. @returns the end of its table row */
async function checkRefused(t: Test, fixture: BankFixture, file: RealFile): Promise<string[]> {
  const { name, words, count } = file
  const entryReason = ENTRY_REFUSED[name]
  const reason = entryReason ?? FILE_REFUSED[name] ?? ''
  const said = entryReason === undefined ? reason : `${reason} (--lenient skips it)`
  const stderr = `kontor: ${words.at(-1)}: ${said}; nothing was imported\n`
  t.same(await fixture.run(words), { code: 1, stdout: '', stderr }, name)
  t.same(fixture.workspaceFiles(), [], `${name}: leaves nothing`)
  if (entryReason === undefined) {
    t.same(await fixture.run(['--lenient', ...words]), { code: 1, stdout: '', stderr }, name)
    t.same(fixture.workspaceFiles(), [], `${name}: leaves nothing, lenient`)
    return ['-', '0', '-', '-', `refused: ${reason}`]
  }
  const summary = await fixture.add(['--lenient', ...words])
  t.equal(summary.added + summary.skipped, count.entries, `${name}: entries, lenient`)
  t.ok(summary.skipped > 0, `${name}: skipped`)
  t.ok(
    summary.warnings.some((warning) => warning.endsWith(`skipped ${reason}`)),
    name,
  )
  const lenient = `lenient: ${summary.added} added, ${summary.skipped} skipped`
  return [`${summary.accounts}`, '0', '-', '-', `refused: ${reason} | ${lenient}`]
}

for (const folder of FOLDERS) {
  test(`every ${folder} file is imported correctly or refused with the reason`, async (t) => {
    const names = await withBankFixture(async (fixture) => filesOf(t, fixture, folder))
    if (names.length > 0) {
      t.comment(
        'file | format | accounts | entries counted | added | sum | closing - opening | result',
      )
    }
    for (const { name } of names) {
      await withBankFixture(async (fixture) => {
        const file = filesOf(t, fixture, folder).find((each) => each.name === name)
        if (file === undefined) throw new Error(name)
        const detected = detectFormat(file.text, name)
        const format = detected.kind === 'format' ? detected.format : detected.kind
        const isWrong = ENTRY_REFUSED[name] !== undefined || FILE_REFUSED[name] !== undefined
        const [accounts, ...row] = isWrong
          ? await checkRefused(t, fixture, file)
          : await checkTaken(t, fixture, file)
        t.comment([name, format, accounts, file.count.entries, ...row].join(' | '))
      })
    }
  })
}

/** The facts that identify an account, in all files that name it. */
function accountKeys(held: Held): string[] {
  return held.accounts.map(({ iban, accountNumber }) => iban ?? accountNumber ?? '')
}

/** Rows as text without ids, which depend on the order of the imports. */
function rowTexts(held: Held): { accounts: string[]; transactions: string[] } {
  const keys = new Map(held.accounts.map(({ id }, i) => [id, accountKeys(held)[i]]))
  const accounts = held.accounts.map(({ id: _, ...row }) => JSON.stringify(row)).sort()
  const transactions = held.transactions
    .map(({ id: _, accountId, ...row }) => JSON.stringify([keys.get(accountId), row]))
    .sort()
  return { accounts, transactions }
}

/**
 * The bookings alone. The samples contradict each other in facts that a bank would not change: the
 * owner of the account, its balance, and, in a shortened copy, the amount before exchange. The file
 * imported first then wins.
 */
function bookingTexts(held: Held): string[] {
  const bare = held.transactions.map((row) => ({
    ...row,
    originalAmountUnscaled: null,
    originalAmountScale: null,
    originalCurrency: null,
  }))
  return [...accountKeys(held).sort(), ...rowTexts({ ...held, transactions: bare }).transactions]
}

test('real files of one account give the same rows in either order', async (t) => {
  const byAccount = new Map<string, RealFile[]>()
  await withBankFixture(async (fixture) => {
    const files = FOLDERS.flatMap((folder) => filesOf(t, fixture, folder))
    for (const [i, file] of files.entries()) {
      if ((ENTRY_REFUSED[file.name] ?? FILE_REFUSED[file.name]) !== undefined) continue
      // Where a file names no account, the flag's account does not identify the file's.
      if (file.words.includes('--account')) continue
      await fixture.add(file.words, `one${i}`)
      for (const key of accountKeys(fixture.held(`one${i}`))) {
        byAccount.set(key, [...(byAccount.get(key) ?? []), file])
      }
    }
    for (const [key, group] of byAccount) {
      if (group.length < 2) continue
      const name = key.replace(/\W/g, '')
      for (const file of group) await fixture.add(file.words, `${name}-forth`)
      for (const file of group.toReversed()) await fixture.add(file.words, `${name}-back`)
      const forth = fixture.held(`${name}-forth`)
      t.same(bookingTexts(fixture.held(`${name}-back`)), bookingTexts(forth), `account ${key}`)
      const names = group.map((file) => file.name).join(', ')
      t.comment(`account ${key}: ${names}: ${forth.transactions.length} rows in either order`)
    }
  })
})

/** Bookings of one day are in one statement, as banks write them; equal ones occur twice. */
function statementOfDays(firstDay: number, lastDay: number): string {
  let entries = ''
  for (let day = firstDay; day <= lastDay; day++) {
    const date = `2024-05-${String(day).padStart(2, '0')}`
    const dated = entry({ amount: `${day}.50` }).replace(/2024-05-31|2024-06-01/g, date)
    entries += dated + dated
  }
  const sumBefore = (day: number): string => String(day * (day - 1) + (day - 1))
  const on = (text: string, day: number): string =>
    text.replace('2024-05-31', `2024-05-${String(day).padStart(2, '0')}`)
  return message(
    on(balance('OPBD', sumBefore(firstDay)), firstDay) +
      on(balance('CLBD', sumBefore(lastDay + 1)), lastDay) +
      entries,
  )
}

test('overlapping statements give the same rows in any order', async (t) => {
  const spans = [
    [1, 9],
    [5, 12],
    [10, 20],
    [18, 31],
  ] as const
  const order = fc.shuffledSubarray([...spans.keys()], { minLength: spans.length })
  const whole = await withBankFixture(async (fixture) => {
    const summary = await fixture.add([fixture.path('all.xml', statementOfDays(1, 31))])
    t.same(summary.warnings, [], 'the statements balance')
    return rowTexts(fixture.held())
  })
  t.equal(whole.transactions.length, 62)
  await assertProperty(
    fc.asyncProperty(order, async (numbers) => {
      await withBankFixture(async (fixture) => {
        const paths = numbers.map((i) => {
          const [first, last] = spans[i] ?? [1, 1]
          return fixture.path(`${i}.xml`, statementOfDays(first, last))
        })
        const summary = await fixture.add(paths)
        assert.equal(summary.added + summary.unchanged, 84)
        assert.deepEqual(rowTexts(fixture.held()), whole, `order ${numbers.join(' ')}`)
      })
    }),
    { numRuns: 24 },
  )
})
