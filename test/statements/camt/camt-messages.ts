// What reports, statements and notifications have in common, and what each has of its own.
import { test } from 'tap'
import { readCamt052, readCamt053, readCamt054 } from '../../../src/statements/camt/camt.js'
import { FORMATS } from '../../../src/statements/formats.js'
import { importText } from '../../../src/statements/readers.js'
import type { ReadOptions, StatementEvent } from '../../../src/statements/statement.js'
import { ACCOUNT, balance, entry, message, messageAs } from '../../fixtures/camt-text.js'
import { withWorkspace } from '../../fixtures/files.js'
import {
  messagesOf,
  type Outcome,
  piecesOf,
  plain,
  readAll,
  transactionsOf,
} from '../../fixtures/statement-reading.js'

const READERS = { '052': readCamt052, '053': readCamt053, '054': readCamt054 } as const

type Kind = keyof typeof READERS

function read(kind: Kind, content: string, options: ReadOptions = {}): Promise<Outcome> {
  return readAll(READERS[kind], messageAs(kind, message(content)), options)
}

function balancesOf({ events }: Outcome): string[] {
  return events.flatMap((event) =>
    event.kind === 'balance' ? [`${event.balance.kind} ${event.balance.amount.unscaled}`] : [],
  )
}

const undated = entry().replace(/<BookgDt>.*?<\/BookgDt>/, '')
const dateless = undated.replace(/<ValDt>.*?<\/ValDt>/, '')

test('without a booking date, the value date is used, with a warning', async (t) => {
  const outcome = await read('053', undated + entry())
  t.same(
    transactionsOf(outcome)
      .map(plain)
      .map(({ booked, valued }) => [booked, valued]),
    [
      [undefined, '2024-06-01'],
      ['2024-05-31', '2024-06-01'],
    ],
  )
  for (const kind of ['052', '053'] as const) {
    await withWorkspace(async (file) => {
      const head = '<AcctSvcrRef>R</AcctSvcrRef>'
      const all = undated + undated.replace('<NtryDtls>', `${head}<NtryDtls>`) + entry()
      const text = messageAs(kind, message(all))
      const options = { now: 0, lenient: false }
      const report = await importText(FORMATS, `camt${kind}`, file, piecesOf([text]), options)
      t.match(report.warnings, [
        ...(kind === '052' ? [/^entry 1 \(line 5\): has no bank reference/] : []),
        /^entry 1 \(line 5\): has no booking date, so its value date 2024-06-01 is taken for it/,
      ])
      const days = [...file.transactionsOldestFirst()].map(({ bookedAt }) => bookedAt)
      t.same(
        days,
        [1, 1, 0].map((day) => Date.UTC(2024, 4, 31 + day)),
      )
      const again = await importText(FORMATS, `camt${kind}`, file, piecesOf([text]), options)
      t.match(again, { added: 0, unchanged: 3 })
    })
  }
})

test('an entry without any date has the day of its statement', async (t) => {
  const period =
    '<FrToDt><FrDtTm>2024-05-01T00:00:00</FrDtTm><ToDtTm>2024-05-30T23:59:59</ToDtTm></FrToDt>'
  const made = '<CreDtTm>2024-06-02T08:00:00+02:00</CreDtTm>'
  const header = (inner: string): string => message(dateless, { account: inner + ACCOUNT })
  const cases: [string, string, RegExp][] = [
    [
      header(made + period).replace('<Ntry>', `${balance('CLBD', '1')}<Ntry>`),
      '2024-05-31',
      /the day of the closing balance, 2024-05-31, is assumed/,
    ],
    [header(made + period), '2024-05-30', /the end of the period \(FrToDt\), 2024-05-30, is/],
    [header(made), '2024-06-02', /the day of CreDtTm, 2024-06-02, is assumed$/],
    [header('').replace('</GrpHdr>', `${made}</GrpHdr>`), '2024-06-02', /the day of CreDtTm/],
  ]
  for (const [text, day, warning] of cases) {
    const outcome = await readAll(readCamt053, text)
    t.same(
      transactionsOf(outcome).map((each) => plain(each)['booked']),
      [day],
    )
    t.match(messagesOf(outcome), [warning])
  }
  const outcome = await read('053', dateless)
  t.match(messagesOf(outcome), [
    /^entry 1 \(line 5\), BookgDt: is absent, and neither the entry nor/,
  ])
  t.same(transactionsOf(outcome), [], 'no transaction has no booking date')
})

test('the day of an undated entry is that of the balances before it', async (t) => {
  const dayAt = async (inner: string): Promise<unknown[]> =>
    transactionsOf(await readAll(readCamt053, message(inner))).map((each) => plain(each)['booked'])
  const later = balance('CLBD', '1', 'CRDT', 'USD').replace('2024-05-31', '2024-06-30')
  const interim = balance('CLAV', '1')
  const first = balance('CLBD', '1')
  t.same(await dayAt(`${first}${dateless}${interim}${dateless}${later}${dateless}`), [
    ...['2024-05-31', '2024-05-31', '2024-05-31'],
  ])
})

test('a statement has balances in at most 100 currencies', async (t) => {
  const balances = (count: number): string =>
    Array.from({ length: count }, (_, i) =>
      balance(
        'CLBD',
        '1',
        'CRDT',
        `A${String.fromCharCode(65 + (i % 26), 65 + Math.floor(i / 26))}`,
      ),
    ).join('')
  t.equal((await readAll(readCamt053, message(balances(100)))).error, undefined)
  const { error } = await readAll(readCamt053, message(balances(101)))
  t.match(error?.message, /line \d+, Bal: the statement has balances in more than 100 currencies/)
})

test('charges of a batch are only in a warning, and a discount is not a charge', async (t) => {
  const record = (amount: string, direction: string): string =>
    `<Rcrd><Amt Ccy="CHF">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd></Rcrd>`
  const charges = `<Chrgs>${record('5.40', 'DBIT')}${record('0.20', 'CRDT')}</Chrgs>`
  const part = (amount: string, more = ''): string =>
    `<TxDtls><Amt Ccy="EUR">${amount}</Amt>${more}</TxDtls>`
  const purposes = async (content: string): Promise<unknown[]> =>
    transactionsOf(await read('053', content)).map(({ purpose }) => purpose)
  t.same(await purposes(entry({ head: charges })), ['Charges 5.4 CHF Charges credited 0.2 CHF'])
  const own = `<Chrgs>${record('0.05', 'DBIT')}</Chrgs>`
  const batch = entry({ head: charges, details: part('4', own) + part('6') })
  t.same(await purposes(batch), ['Charges 0.05 CHF', undefined])
  const sentence =
    'entry 1 (line 5): the batch has charges (Chrgs: Charges 5.4 CHF, Charges credited 0.2 CHF), ' +
    'which are in none of its 2 transactions'
  t.same(messagesOf(await read('053', batch)), [sentence])
  const again = messagesOf(await read('053', batch + batch))
  t.same(again, [`${sentence}; the same holds for 1 more entry`])
  t.same(messagesOf(await read('053', entry({ head: charges }))), [])
})

test('a batch with one empty detail keeps its reference', async (t) => {
  const batch = '<Btch><PmtInfId>SALARIES-5</PmtInfId><NbOfTxs>20</NbOfTxs></Btch>'
  const purposeOf = async (details: string): Promise<unknown> =>
    transactionsOf(await read('053', entry({ details })))[0]?.purpose
  t.equal(await purposeOf(batch), 'Batch SALARIES-5 20 transactions')
  t.equal(await purposeOf(`${batch}<TxDtls/>`), 'Batch SALARIES-5 20 transactions')
  t.equal(await purposeOf(`${batch}<TxDtls><Refs/></TxDtls>`), 'Batch SALARIES-5 20 transactions')
  const described = `${batch}<TxDtls><RmtInf><Ustrd>May</Ustrd></RmtInf></TxDtls>`
  t.equal(await purposeOf(described), 'May')
})

test('a statement without an account has that of --account', async (t) => {
  for (const kind of ['052', '053', '054'] as const) {
    for (const content of [
      entry({ head: '<AcctSvcrRef>R</AcctSvcrRef>' }),
      balance('CLBD', '1'),
      '',
    ]) {
      const text = messageAs(kind, message(content, { account: '' }))
      const refused = await readAll(READERS[kind], text)
      t.match(refused.error?.message, /names no account \(Acct\/Id\/IBAN .* with --account IBAN$/)
      const given = await readAll(READERS[kind], text, { account: '4711', currency: 'EUR' })
      t.equal(given.error, undefined)
      t.match(given.events[0], { kind: 'account', account: { accountNumber: '4711' } })
      t.equal(transactionsOf(given).length, content.startsWith('<Ntry>') ? 1 : 0)
    }
  }
  const late = message(entry() + ACCOUNT, { account: '' })
  const outcome = await readAll(readCamt053, late, { account: '4711' })
  t.match(outcome.error?.message, /^line 5, Acct: the account follows one of its entries/)
})

test('a statement that occurs twice in a file has one key', async (t) => {
  const statement = (more: string, content = ''): string =>
    `<Stmt><Id>7</Id><ElctrncSeqNb>5</ElctrncSeqNb>${more}${ACCOUNT}` +
    `${balance('OPBD', '1')}${balance('CLBD', '11')}${entry()}${content}</Stmt>`
  const keysOf = async (...statements: string[]): Promise<(string | undefined)[]> => {
    const text = message('').replace(/<Stmt>.*<\/Stmt>/s, statements.join('\n'))
    const { events, error } = await readAll(readCamt053, text)
    t.equal(error, undefined)
    return events.flatMap((event) => (event.kind === 'account' ? [event.statementKey] : []))
  }
  const same = statement('<CreDtTm>2024-06-01T00:00:00</CreDtTm>')
  const [first, again] = await keysOf(statement(''), same)
  t.ok(first !== undefined && first === again)
  const others = [
    statement('').replace('<Id>7</Id>', '<Id>8</Id>'),
    statement('').replace('>5<', '>6<'),
    statement('<StmtPgntn><PgNb>2</PgNb></StmtPgntn>'),
    statement('<FrToDt><FrDtTm>2024-05-01T00:00:00</FrDtTm></FrToDt>'),
    statement('').replace('532013000', '532013001'),
    statement('').replace(balance('OPBD', '1'), balance('OPBD', '2')),
    statement('').replace(balance('CLBD', '11'), balance('CLBD', '12')),
  ]
  const keys = await keysOf(statement(''), ...others)
  t.equal(new Set(keys).size, others.length + 1)
  const unknown = [
    statement('').replace(balance('OPBD', '1'), ''),
    statement('').replace(/<Id>7<\/Id><ElctrncSeqNb>5<\/ElctrncSeqNb>/, ''),
  ]
  t.same(await keysOf(...unknown), [undefined, undefined])
})

test('a report: only booked entries, and interim balances', async (t) => {
  const interim = balance('ITBD', '1') + balance('ITBD', '5') + balance('ITBD', '11')
  const pending = entry({ status: '<Sts>PDNG</Sts>' })
  const booked = entry({ head: '<AcctSvcrRef>R</AcctSvcrRef>' })
  const outcome = await read('052', interim + pending + booked + pending)
  t.match(outcome.events[0], { kind: 'account', isInterim: true })
  t.equal(transactionsOf(outcome).length, 1)
  t.same(messagesOf(outcome), [
    'entry 1 (line 8): has the status PDNG, is not booked, and is left out; ' +
      'the same holds for 1 more entry',
  ])
  t.same(balancesOf(outcome), ['closing 11', 'opening 1'])
  const closed = balance('OPBD', '2') + interim + balance('CLBD', '12')
  t.same(balancesOf(await read('052', closed)), ['opening 2', 'closing 12'])
  t.same(balancesOf(await read('052', balance('ITBD', '3'))), ['closing 3'])
  t.same(balancesOf(await read('053', interim)), [], 'a statement has none')
})

test('an entry that its statement may repeat unrecognized has a warning', async (t) => {
  const twice = /^entry 1 \(line 5\): has no bank reference .* is imported twice if/
  t.match(messagesOf(await read('052', entry())), [twice])
  t.match(messagesOf(await read('054', entry(), { includesNotifications: true })), [twice])
  t.match(messagesOf(await read('054', entry())), [/ is skipped; import it with/])
  t.same(messagesOf(await read('053', entry())), [])
  const known = entry({ head: '<AcctSvcrRef>R</AcctSvcrRef>' })
  t.same(messagesOf(await read('054', known, { includesNotifications: true })), [])
})

test('entries of all messages are equal, except for their source', async (t) => {
  const head = '<AcctSvcrRef>R-1</AcctSvcrRef>'
  const part = (amount: string): string => `<TxDtls><Amt Ccy="EUR">${amount}</Amt></TxDtls>`
  const content = entry({ head }) + entry({ head, details: part('4') + part('6') })
  const of = async (kind: Kind): Promise<StatementEvent[]> =>
    (await read(kind, content)).events.flatMap((event) => {
      if (event.kind !== 'transaction') return []
      const { entry: _, ...transaction } = event.transaction
      return [{ kind: 'transaction', transaction }]
    })
  const statement = await of('053')
  t.equal(statement.length, 3)
  t.same(await of('052'), statement)
  t.same(await of('054'), statement)
  const entriesIn = async (kind: Kind): Promise<unknown[]> =>
    transactionsOf(await read(kind, content)).map((each) => each.entry)
  const [whole, first, second] = await entriesIn('052')
  const amount = { unscaled: 10, scale: 0 }
  t.match(whole, { key: 'R-1 2024-05-31 10 EUR', amount, source: 'report', partCount: 1 })
  t.match(first, { key: 'R-1 2024-05-31 10 EUR #2', amount, source: 'report', partCount: 2 })
  t.equal(first, second)
  t.match(await entriesIn('053'), [undefined, { source: 'statement' }, { source: 'statement' }])
})
