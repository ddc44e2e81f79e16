// One entry in several messages of a bank. In the naive twin, one message decides on each entry;
// any order of imports must give its rows.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { FORMATS } from '../../../src/statements/formats.js'
import type { ImportReport } from '../../../src/statements/import/import-report.js'
import { importText } from '../../../src/statements/readers.js'
import type { TransactionRow } from '../../../src/store/columns.js'
import { openDatabase } from '../../../src/store/sqlite/database.js'
import type { WorkspaceFile } from '../../../src/store/sqlite/workspace-file.js'
import { WORKSPACE_MIGRATIONS } from '../../../src/store/sqlite/workspace-schema.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import {
  ACCOUNT,
  balance,
  entry,
  message,
  messageAs,
  parties,
  party,
} from '../../fixtures/camt-text.js'
import { withWorkspace } from '../../fixtures/files.js'
import { piecesOf } from '../../fixtures/statement-reading.js'

const NOW = Date.UTC(2026, 0, 1)
const OTHER = 'DE02120300000000202051'

type Kind = '052' | '053' | '054'

interface Options {
  readonly includesNotifications?: boolean
  readonly now?: number
}

function importMessage(
  file: WorkspaceFile,
  kind: Kind,
  text: string,
  options: Options = {},
): Promise<ImportReport> {
  const given = { now: NOW, lenient: false, ...options }
  return importText(FORMATS, `camt${kind}`, file, piecesOf([text]), given)
}

/** The form an entry has in one message. */
type Form = 'bare' | 'named' | 'split' | 'wrong'

/** An entry, the amounts of its parts in cents, and its form in each message that has it. */
interface Entry {
  readonly parts: readonly number[]
  readonly forms: Readonly<Partial<Record<Kind, Form>>>
}

const cents = (amount: number): string => (amount / 100).toFixed(2)

const sumOf = ({ parts }: Entry): number => parts.reduce((sum, part) => sum + part, 0)

function detail(name: string, amount: number): string {
  return (
    `<TxDtls><Refs><EndToEndId>${name}</EndToEndId></Refs><Amt Ccy="EUR">${cents(amount)}</Amt>` +
    `${parties(party('Dbtr', name, OTHER), '')}</TxDtls>`
  )
}

function detailsOf(i: number, of: Entry, form: Form): string {
  const each = of.parts.map((amount, j) => detail(`E${i}-${j}`, amount))
  if (form === 'split') return each.join('')
  if (form === 'named') return detail(`E${i}`, sumOf(of))
  return form === 'bare' ? '' : each.join('') + detail('more', 1)
}

/** The value day of entries in a message, or none; the default is that of the fixture. */
type ValueDays = Readonly<Partial<Record<Kind, string | null>>>

/** The entries of a message, each as its text. */
function entryTextsOf(kind: Kind, entries: readonly Entry[], days: ValueDays = {}): string[] {
  const { [kind]: day = '2024-06-01' } = days
  const valued = day === null ? '' : `<ValDt><Dt>${day}</Dt></ValDt>`
  return entries.map((each, i) => {
    const form = each.forms[kind]
    const head = `<AcctSvcrRef>REF${i}</AcctSvcrRef>`
    const details = form === undefined ? '' : detailsOf(i, each, form)
    const parts = { amount: cents(sumOf(each)), head, details, tail: TAIL }
    const text = form === undefined ? '' : entry(parts)
    return text.replace('<ValDt><Dt>2024-06-01</Dt></ValDt>', valued)
  })
}

function textOf(kind: Kind, entries: readonly Entry[], days: ValueDays = {}): string {
  return messageAs(kind, message(entryTextsOf(kind, entries, days).join('')))
}

/** A message of several parts, each with the entries before it and more. */
function cumulativeTextOf(kind: Kind, entries: readonly Entry[], days: ValueDays = {}): string {
  const texts = entryTextsOf(kind, entries, days)
  const counts = kind === '053' ? [texts.length] : texts.map((_, i) => i + 1)
  return partsOf(
    kind,
    counts.map((count) => texts.slice(0, count).join('')),
  )
}

/** A message whose parts have these contents, and numbers of their own. */
function partsOf(kind: Kind, contents: readonly string[], idOf = (i: number) => i + 1): string {
  const [head = '', tail = ''] = message('#').split(/<Stmt>.*<\/Stmt>/s)
  const parts = contents.map((each, i) => `<Stmt><Id>${idOf(i)}</Id>${ACCOUNT}${each}</Stmt>`)
  return messageAs(kind, `${head}${parts.join('')}${tail}`)
}

const TAIL = '<AddtlNtryInf>GUTSCHRIFT</AddtlNtryInf>'

/** The rows `name amount` that an entry has when all its messages are imported. */
function expectedRows(i: number, of: Entry, includesNotifications: boolean): string[] {
  const { '052': report, '053': statement, '054': notification } = of.forms
  const booked = [statement, report]
  const isBooked = booked.some((form) => form !== undefined)
  if (!isBooked && (notification === undefined || !includesNotifications)) return []
  const rank: Form[] = ['split', 'named']
  const own = rank.find((form) => booked.includes(form))
  const form = own ?? rank.find((each) => each === notification) ?? 'bare'
  if (form === 'split') return of.parts.map((amount, j) => `E${i}-${j} ${cents(amount)}`)
  return [`${form === 'named' ? `E${i}` : '-'} ${cents(sumOf(of))}`]
}

function rowText({ counterpartName, amountUnscaled, amountScale }: TransactionRow): string {
  return `${counterpartName ?? '-'} ${(amountUnscaled / 10 ** amountScale).toFixed(2)}`
}

/** The content of a row, without its id and the times of the imports. */
function contentOf(row: TransactionRow): string {
  return JSON.stringify({ ...row, id: 0, createdAt: 0, updatedAt: 0, importedAt: 0 })
}

const form = fc.constantFrom<Form>('bare', 'named', 'split', 'wrong')

/** An entry of several parts is split or not; one of a single part has at most one detail. */
const entries = fc.array(
  fc
    .record({
      parts: fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 3 }),
      forms: fc.record({ '052': form, '053': form, '054': form }, { requiredKeys: [] }),
    })
    .map(({ parts, forms }): Entry => {
      const single = ([kind, each]: [string, Form]): [string, Form] =>
        parts.length === 1 && each === 'split' ? [kind, 'named'] : [kind, each]
      return { parts, forms: Object.fromEntries(Object.entries(forms).map(single)) }
    }),
  { minLength: 1, maxLength: 4 },
)

/** Every message at least once, some twice, in any order. */
const arrivals = fc
  .array(fc.constantFrom<Kind>('052', '053', '054'), { maxLength: 3 })
  .chain((again) => {
    const all: Kind[] = ['052', '053', '054', ...again]
    return fc.shuffledSubarray(all, { minLength: all.length })
  })

test('any order of report, statement and notification gives the same rows', async () => {
  await assertProperty(
    fc.asyncProperty(entries, arrivals, arrivals, fc.boolean(), async (all, ...rest) => {
      const [first, second, includesNotifications] = rest
      const expected = all.flatMap((each, i) => expectedRows(i, each, includesNotifications))
      const contents: string[][] = []
      for (const order of [first, second]) {
        await withWorkspace(async (file) => {
          for (const kind of order) {
            await importMessage(file, kind, textOf(kind, all), { includesNotifications })
          }
          const rows = [...file.transactionsOldestFirst()]
          assert.deepEqual(rows.map(rowText).sort(), expected.sort(), order.join(' '))
          contents.push(rows.map(contentOf).sort())
          const { sequence } = file.version()
          for (const kind of order) {
            await importMessage(file, kind, textOf(kind, all), { includesNotifications })
          }
          assert.equal(file.version().sequence, sequence, 'again, they change nothing')
        })
      }
      assert.deepEqual(contents[0], contents[1], `${first.join(' ')} and ${second.join(' ')}`)
    }),
    { numRuns: 40 },
  )
})

const valueDay = fc.constantFrom('2024-05-31', '2024-06-01', '2024-06-04', null)

test('different value days, and reports that repeat entries, double no row', async () => {
  const days = fc.record({ '052': valueDay, '053': valueDay, '054': valueDay })
  await assertProperty(
    fc.asyncProperty(entries, arrivals, days, fc.boolean(), fc.boolean(), async (...given) => {
      const [all, order, on, isCumulative, includesNotifications] = given
      const expected = all.flatMap((each, i) => expectedRows(i, each, includesNotifications))
      const write = isCumulative ? cumulativeTextOf : textOf
      await withWorkspace(async (file) => {
        const importAll = async (): Promise<void> => {
          for (const kind of order) {
            await importMessage(file, kind, write(kind, all, on), { includesNotifications })
          }
        }
        await importAll()
        const rows = [...file.transactionsOldestFirst()]
        assert.deepEqual(rows.map(rowText).sort(), expected.sort(), order.join(' '))
        await importAll()
        const again = [...file.transactionsOldestFirst()]
        assert.deepEqual(again.map(rowText).sort(), expected, `again ${order.join(' ')}`)
      })
    }),
    { numRuns: 35 },
  )
})

const ONE: Entry = { parts: [1000], forms: { '052': 'named', '053': 'named', '054': 'named' } }

test('an entry in two equal messages has the value day of the statement', async (t) => {
  const days = { '052': '2024-06-02', '053': '2024-06-03' }
  for (const form of ['named', 'bare'] as const) {
    const one: Entry = { ...ONE, forms: { '052': form, '053': form } }
    for (const order of [
      ['052', '053'],
      ['053', '052'],
      ['052', '053', '052'],
    ] as const) {
      await withWorkspace(async (file) => {
        for (const kind of order) await importMessage(file, kind, textOf(kind, [one], days))
        const rows = [...file.transactionsOldestFirst()]
        t.same(
          rows.map(({ valuedAt }) => valuedAt),
          [Date.UTC(2024, 5, 3)],
          `${form} ${order.join(' ')}`,
        )
      })
    }
  }
})

test('a notification of a booked entry with another value day waits for nothing', async (t) => {
  await withWorkspace(async (file) => {
    await importMessage(file, '053', textOf('053', [ONE]))
    const text = textOf('054', [ONE], { '054': null })
    t.match(await importMessage(file, '054', text), { added: 0, unchanged: 1, warnings: [] })
  })
})

test('an entry of a report without a reference may be imported twice: a warning', async (t) => {
  const text = textOf('052', [ONE, ONE]).replaceAll(/<AcctSvcrRef>REF.<\/AcctSvcrRef>/g, '')
  await withWorkspace(async (file) => {
    const { warnings } = await importMessage(file, '052', text)
    t.match(warnings, [/^entry 1 \(line 5\): has no bank reference .* is imported twice if/])
    t.equal(warnings.length, 1)
  })
})

test('reports of one opening balance count each entry once, and prove nothing', async (t) => {
  const [first = '', second = ''] = entryTextsOf('052', [ONE, ONE])
  const opening = balance('OPBD', '100')
  const contents = [
    opening + balance('ITBD', '110') + first,
    opening + balance('ITBD', '120') + first + second,
  ]
  const unnamed = contents.map((each) => each.replaceAll(/<AcctSvcrRef>REF.<\/AcctSvcrRef>/g, ''))
  for (const each of [contents, unnamed]) {
    await withWorkspace(async (file) => {
      const report = await importMessage(file, '052', partsOf('052', each))
      t.match(report, { added: 2, unchanged: 1, balances: { result: 'unproved' } })
      t.equal(file.accounts()[0]?.balanceUnscaled, 120)
    })
  }
})

test('a report or notification that occurs twice in a file counts once', async (t) => {
  for (const kind of ['052', '054'] as const) {
    for (const idOf of [(): number => 1, (i: number): number => i + 1]) {
      await withWorkspace(async (file) => {
        const [text = ''] = entryTextsOf(kind, [ONE])
        const twice = partsOf(kind, [text, text], idOf)
        const report = await importMessage(file, kind, twice, { includesNotifications: true })
        t.match(report, { added: 1, unchanged: 1 })
        const both = partsOf(kind, [text + text])
        const again = await importMessage(file, kind, both, { includesNotifications: true })
        t.match(again, { added: 1, unchanged: 1 }, 'two of one report are two')
      })
    }
  }
})

const BATCH: Entry = {
  parts: [100, 250, 650],
  forms: { '052': 'bare', '053': 'bare', '054': 'split' },
}

test('a batch is replaced by its details, and its id is never reused', async (t) => {
  await withWorkspace(async (file) => {
    const statement = textOf('053', [BATCH])
    t.match(await importMessage(file, '053', statement), { added: 1, warnings: [] })
    file.insertCategory({ id: 5, name: 'Mieten', parentId: null })
    const [whole] = [...file.transactionsOldestFirst()]
    if (whole === undefined) throw new Error('no row')
    file.updateTransaction({ ...whole, categoryId: 5 })
    const { sequence } = file.version()
    const joined = await importMessage(file, '054', textOf('054', [BATCH]), { now: NOW + 1 })
    t.match(joined, { added: 2, updated: 1, unchanged: 0, warnings: [] })
    const rows = [...file.transactionsOldestFirst()]
    t.same(rows.map(rowText), ['E0-0 1.00', 'E0-1 2.50', 'E0-2 6.50'])
    t.same(
      rows.map(({ id, categoryId }) => [id, categoryId]),
      [2, 3, 4].map((id) => [id, 5]),
      'the rows have the category of the batch',
    )
    t.ok(file.isDeletedId('transaction', whole.id))
    t.same([...(file.changedIdsSince(sequence) ?? [])], [4, 3, 2, 1], 'readers see each of them')
    t.match(await importMessage(file, '053', statement), { added: 0, unchanged: 3, updated: 0 })
    const again = await importMessage(file, '054', textOf('054', [BATCH]))
    t.match(again, { added: 0, unchanged: 3, updated: 0, warnings: [] })
  })
})

test('details wait for their statement, with a warning', async (t) => {
  await withWorkspace(async (file) => {
    const text = textOf('054', [BATCH])
    const first = await importMessage(file, '054', text)
    t.match(first, { added: 0, unchanged: 0 })
    t.same(first.warnings, [
      '1 entry of the notification is kept until a statement books it; ' +
        '--include notifications imports it now',
    ])
    t.equal(file.accounts().length, 1)
    t.match(await importMessage(file, '053', textOf('053', [BATCH])), { added: 3, warnings: [] })
  })
  await withWorkspace(async (file) => {
    const included = { includesNotifications: true }
    t.match(await importMessage(file, '054', textOf('054', [BATCH]), included), { added: 3 })
    t.match(await importMessage(file, '053', textOf('053', [BATCH])), { added: 0, unchanged: 3 })
  })
})

test('details that do not add up, or of another entry, leave the batch as it is', async (t) => {
  const wrong: Entry = { ...BATCH, forms: { '054': 'wrong' } }
  const other: Entry = { parts: [100, 250, 651], forms: { '054': 'split' } }
  for (const each of [wrong, other]) {
    await withWorkspace(async (file) => {
      await importMessage(file, '053', textOf('053', [BATCH]))
      const report = await importMessage(file, '054', textOf('054', [each]))
      t.match(report, { added: 0, updated: 0 })
      t.match(report.warnings, [
        each === wrong
          ? /the 4 details do not add up to the entry, and are left out$/
          : /1 entry of the notification is kept/,
      ])
      t.same([...file.transactionsOldestFirst()].map(rowText), ['- 10.00'])
    })
  }
})

test('a row that has a counterpart by now is not replaced', async (t) => {
  await withWorkspace(async (file) => {
    await importMessage(file, '053', textOf('053', [BATCH]))
    const [whole] = [...file.transactionsOldestFirst()]
    if (whole === undefined) throw new Error('no row')
    file.updateTransaction({ ...whole, counterpartName: 'Mieter' })
    const report = await importMessage(file, '054', textOf('054', [BATCH]))
    t.match(report, { added: 0, updated: 0, unchanged: 1 })
    t.same([...file.transactionsOldestFirst()].map(rowText), ['Mieter 10.00'])
  })
})

test('a notification entry without a reference is imported only when included', async (t) => {
  const text = textOf('054', [BATCH]).replace('<AcctSvcrRef>REF0</AcctSvcrRef>', '')
  await withWorkspace(async (file) => {
    const left = await importMessage(file, '054', text)
    t.match(left, { added: 0 })
    t.match(left.warnings, [/^entry 1 \(line 5\): has no bank reference \(AcctSvcrRef\)/])
    const included = await importMessage(file, '054', text, { includesNotifications: true })
    t.match(included, { added: 3, warnings: [] })
  })
})

test('the balance of the running day never restores an older one of the account', async (t) => {
  const day = (at: string, text: string): string =>
    text.replaceAll(/2024-05-31|2024-06-01/g, `2024-06-${at}`)
  const dayOf = (at: string, closing: number, names: string, code = 'CLBD'): string => {
    const all = [...names].map((name) =>
      entry({ amount: '1', head: `<AcctSvcrRef>${at}-${name}</AcctSvcrRef>` }),
    )
    const opening = balance('OPBD', String(closing - names.length))
    return day(at, message(opening + balance(code, String(closing)) + all.join('')))
  }
  await withWorkspace(async (file) => {
    const balanceAfter = async (kind: Kind, text: string): Promise<number | null | undefined> => {
      const { warnings } = await importMessage(file, kind, messageAs(kind, text))
      t.same(warnings, [])
      return file.accounts()[0]?.balanceUnscaled
    }
    t.equal(await balanceAfter('052', dayOf('03', 12, 'bc', 'ITBD')), 12, 'the first one known')
    t.equal(await balanceAfter('052', dayOf('03', 10, 'a', 'ITBD')), 12, 'an earlier one')
    t.equal(await balanceAfter('053', dayOf('03', 13, 'abcd')), 13, 'the statement')
    t.equal(await balanceAfter('052', dayOf('04', 15, 'ab', 'ITBD')), 15, 'the next day')
    t.equal(await balanceAfter('053', dayOf('03', 13, 'abcd')), 15, 'the statement again')
    t.equal(await balanceAfter('053', dayOf('04', 16, 'abc')), 16)
  })
})

/** An entry of 10 EUR with a reference. */
function named(reference: string, name: string, bookedOn = '2024-05-31'): string {
  const head = `<AcctSvcrRef>${reference}</AcctSvcrRef>`
  return entry({ head, details: detail(name, 1000) }).replace('2024-05-31', bookedOn)
}

function namesOf(file: WorkspaceFile): string[] {
  return [...file.transactionsOldestFirst()].map((row) => row.counterpartName ?? '').sort()
}

test('equal references are told apart by their texts, in any order of messages', async (t) => {
  const whole = [named('R1', 'Anna'), named('R1', 'Bert'), named('R1', 'Carl')].join('')
  const texts = [
    ['052', messageAs('052', message(named('R1', 'Bert')))],
    ['053', message(whole)],
  ] as const
  for (const order of [texts, [...texts].reverse()]) {
    await withWorkspace(async (file) => {
      for (const [kind, text] of [...order, ...order]) await importMessage(file, kind, text)
      t.same(namesOf(file), ['Anna', 'Bert', 'Carl'])
    })
  }
})

test('a report and a statement with other booking days count both, with a warning', async (t) => {
  const texts = [
    ['052', messageAs('052', message(named('R1', 'Anna')))],
    ['053', message(named('R1', 'Anna', '2024-06-03') + named('R2', 'Bert'))],
  ] as const
  for (const order of [texts, [...texts].reverse()]) {
    await withWorkspace(async (file) => {
      const reports: ImportReport[] = []
      for (const [kind, text] of order) reports.push(await importMessage(file, kind, text))
      t.equal(file.transactionCount(), 3)
      t.same(reports[0]?.warnings, [])
      const day = order[0]?.[0] === '052' ? '2024-05-31' : '2024-06-03'
      t.match(reports[1]?.warnings, [
        new RegExp(
          '^entry 1 .*: has the reference and amount of an entry that another message books on ' +
            `${day}; both are added; check the balance, as they may be one payment$`,
        ),
      ])
      for (const [kind, text] of order) {
        t.match(await importMessage(file, kind, text), { added: 0, warnings: [] })
      }
    })
  }
})

test('parts that an earlier version stored do not replace the row of an equal batch', async (t) => {
  const split = (reference: string): string =>
    entry({
      head: `<AcctSvcrRef>${reference}</AcctSvcrRef>`,
      details: detail('Anna Meier, Berlin', 300) + detail('Bert Schulz, Bremen', 700),
    })
  const tail = '<AddtlNtryInf>Batch of two transactions</AddtlNtryInf>'
  const whole = entry({ head: '<AcctSvcrRef>R1</AcctSvcrRef>', tail })
  await withWorkspace(async (file) => {
    // An earlier version counted the references of the details apart from those of entries.
    await importMessage(file, '053', message(whole + split('R2')))
    const rows = [...file.transactionsOldestFirst()]
    t.equal(rows.length, 3)
    const connection = openDatabase(file.path, WORKSPACE_MIGRATIONS)
    connection.exec('DELETE FROM statement_entries; UPDATE workspace SET earlier_rows_last = 3')
    connection.close()
    for (let time = 0; time < 2; time++) {
      const report = await importMessage(file, '053', message(split('R1') + whole))
      t.match(report, { added: 0, updated: 0, unchanged: 3 })
    }
    t.same([...file.transactionsOldestFirst()], rows)
  })
})

test('a hundred distances of value day and booking day are tried, small ones first', async (t) => {
  await withWorkspace(async (file) => {
    const valued = (text: string, day: string): string => text.replace('2024-06-01', day)
    const entries = Array.from({ length: 300 }, (_, i) => {
      const day = new Date(Date.UTC(2024, 5, 2 + i)).toISOString().slice(0, 10)
      return valued(named(`R${i}`, 'Anna'), day)
    })
    await importMessage(file, '053', message(entries.join('')))
    let count = 0
    const find = file.idsByIdentity.bind(file)
    file.idsByIdentity = (accountId, identities) => {
      count += identities.length
      return find(accountId, identities)
    }
    await importMessage(file, '052', messageAs('052', message(named('other', 'Bert'))))
    t.ok(count > 100 && count < 150, `${count} identities`)
    const again = messageAs('052', message(named('R50', 'Anna')))
    t.match(await importMessage(file, '052', again), { added: 0, unchanged: 1 })
  })
})
