// The real MT940 files named by KONTOR_STATEMENTS; what they hold is counted by other means.
import { type Test, test } from 'tap'
import { readMt940 } from '../../src/statements/mt940.js'
import {
  balanceGaps,
  messagesOf,
  type Outcome,
  plain,
  readFile,
  realFiles,
  transactionsOf,
} from '../fixtures/statement-reading.js'

/** Files that cannot be read at all, and what is said of them. */
const UNREADABLE: Readonly<Record<string, RegExp>> = {
  'betterplace__empty_line.txt': /^line 2, :25:: the message ends without naming its account/,
  'wolph__invalid_statement.sta': /^line 10: holds no MT940 statement/,
}

/** Files with entries that are refused, wrong on purpose or made unreadable by their makers. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  'betterplace__sepa_snippet_broken.txt': /^entry 1 \(line 5\), :25:: stands inside an entry/,
  'cmxl__mt940-headers.txt': /^entry 1 \(line 8\), :61: value date: "362268" is no date YYMMDD/,
  'wolph__multiline.sta': /^entry 2 \(line 38\), :25:: the entry stands in no statement/,
}

async function outcomeOf(t: Test, name: string): Promise<Outcome | undefined> {
  const file = realFiles(t, 'mt940').find((each) => each.name === name)
  return file === undefined ? undefined : readFile(readMt940, file.bytes)
}

/** Asserts the fields named in `expected` of transactions by their number from 0. */
async function check(
  t: Test,
  name: string,
  expected: Readonly<Record<number, Readonly<Record<string, unknown>>>>,
): Promise<void> {
  const outcome = await outcomeOf(t, name)
  if (outcome === undefined) return
  const found = transactionsOf(outcome).map(plain)
  for (const [number, fields] of Object.entries(expected)) {
    const transaction = found[Number(number)] ?? {}
    const named = Object.keys(fields).map((field) => [field, transaction[field]])
    t.same(Object.fromEntries(named), fields, `${name} transaction ${number}`)
  }
}

test('every entry of the real files is there', async (t) => {
  for (const { name, bytes } of realFiles(t, 'mt940')) {
    const outcome = await readFile(readMt940, bytes)
    if (UNREADABLE[name] !== undefined) {
      t.match(outcome.error?.message, UNREADABLE[name], name)
      t.comment(`${name}: refused, ${outcome.error?.message}`)
      continue
    }
    t.equal(outcome.error, undefined, name)
    const expected = bytes.toString('latin1').match(/^:61:/gm)?.length ?? 0
    const found = transactionsOf(outcome).length
    const refusals = outcome.events.filter(({ kind }) => kind === 'refused')
    const accounts = outcome.events.filter(({ kind }) => kind === 'account').length
    const gaps = balanceGaps(outcome)
    t.equal(found + refusals.length, expected, `${name}: entries`)
    if (REFUSED[name] === undefined) t.same(refusals, [], `${name}: nothing refused`)
    else t.match(messagesOf({ events: refusals }), [REFUSED[name]], name)
    const open = gaps.filter((gap) => !gap.startsWith('0 ')).length
    t.comment(
      `${name}: ${accounts} statements, ${found} entries of ${expected}, ${refusals.length} ` +
        `refused, balances of ${gaps.length - open} of ${gaps.length} agree` +
        `${open === 0 ? '' : `, gaps: ${gaps.join(', ')}`}`,
    )
  }
})
