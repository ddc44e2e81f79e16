import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { decodeStatement } from '../../../src/statements/encoding.js'
import { readMt940 } from '../../../src/statements/mt940/mt940.js'
import { STATEMENT_LINE_CHARS_MAX } from '../../../src/statements/statement.js'
import { linesOf } from '../../../src/statements/text-lines.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import {
  cuttings,
  messagesOf,
  mutations,
  type Outcome,
  piecesOf,
  plain,
  readAll,
  transactionsOf,
} from '../../fixtures/statement-reading.js'

const HEAD = ':20:STARTUMS\n:25:37040044/0532013000\n:28C:1/1\n:60F:C240530EUR100,00\n'
const TAIL = ':62F:C240531EUR110,00\n-\n'

const statement = (...lines: string[]): string => `${HEAD}${lines.join('\n')}\n${TAIL}`
const read = (...lines: string[]): Promise<Outcome> => readAll(readMt940, statement(...lines))

async function onlyIn(...lines: string[]): Promise<Record<string, unknown>> {
  const outcome = await read(...lines)
  const [first] = transactionsOf(outcome)
  if (first === undefined) throw new RangeError(messagesOf(outcome).join())
  return plain(first)
}

test('a German entry becomes a transaction', async (t) => {
  const found = await onlyIn(
    ':61:2405310601CR10,00NTRFKREF+//BANKREF00001',
    ':86:166?00GUTSCHRIFT?109310?20EREF+E-1?21KREF+K-1?22SVWZ+Rechnung 4711 vom 12.0',
    '4.?232024?30COBADEFFXXX?31DE02120300000000202051?32Erika Muster und ihre Fami',
    'lie?33n GmbH',
  )
  t.same(found, {
    ...{ amount: '10', currency: 'EUR', booked: '2024-06-01', valued: '2024-05-31' },
    ...{ position: 'entry 1 (line 5)', type: 'GUTSCHRIFT', primanota: '9310' },
    ...{ endToEndReference: 'E-1', purpose: 'Rechnung 4711 vom 12.04.2024' },
    counterpart: {
      ...{ bic: 'COBADEFFXXX', iban: 'DE02120300000000202051', customerReference: 'K-1' },
      name: 'Erika Muster und ihre Familien GmbH',
    },
    bankReference: 'BANKREF00001 2024-06-01 10 EUR',
  })
})

test('the statement line: marks, amounts, dates across the new year', async (t) => {
  const lines: [string, string, string, string][] = [
    ['240531C10,NMSC', '10', '2024-05-31', '2024-05-31'],
    ['240531D10,5NMSCNONREF', '-10.5', '2024-05-31', '2024-05-31'],
    ['240531RC10,5NMSC', '-10.5', '2024-05-31', '2024-05-31'],
    ['240531RD10,5NMSC', '10.5', '2024-05-31', '2024-05-31'],
    ['240531RDR10,5NMSC', '10.5', '2024-05-31', '2024-05-31'],
    ['240531CR10,12345NMSC', '10.12345', '2024-05-31', '2024-05-31'],
    ['240531DR000000000012,35 NRTIKREF+', '-12.35', '2024-05-31', '2024-05-31'],
    ['2312310102D1,NMSC', '-1', '2024-01-02', '2023-12-31'],
    ['2401011231D1,NMSC', '-1', '2023-12-31', '2024-01-01'],
    ['9912310103D1,NMSC', '-1', '2000-01-03', '1999-12-31'],
    ['2402290229D1,NMSC', '-1', '2024-02-29', '2024-02-29'],
    ['240531D25,03NOV NONREF', '-25.03', '2024-05-31', '2024-05-31'],
    ['240531CN0,01FTRFREF', '0.01', '2024-05-31', '2024-05-31'],
  ]
  for (const [line, amount, booked, valued] of lines) {
    t.match(await onlyIn(`:61:${line}`), { amount, booked, valued }, line)
  }
})

test('30 February becomes the last day of the month, with a warning', async (t) => {
  const outcome = await read(':61:2302300301D6,00NCHG', ':61:240230D6,00NCHG')
  t.same(
    transactionsOf(outcome).map((each) => plain(each)['valued']),
    ['2023-02-28', '2024-02-29'],
  )
  t.match(messagesOf(outcome), [
    /^entry 1 \(line 5\): value date 230230 is read as the last day of the month/,
    /^entry 2 /,
  ])
})

test('references: pointers and constants are dropped, and equal ones stay apart', async (t) => {
  const references = async (...lines: string[]): Promise<unknown[]> =>
    transactionsOf(await read(...lines.map((line) => `:61:${line}`))).map(
      ({ counterpart, bankReference }) => [counterpart.customerReference, bankReference],
    )
  t.same(
    await references(
      '240531D1,NTRFNONREF//NONREF',
      '240531D1,NTRFKREF+//55555',
      '240531D1,NTRFORDER 5//ABCDEFGHIJ',
      '240531D1,NTRF34/1X//O/341241774',
      '240531D1,NTRFX//0724710345313905',
      '240531D1,NTRFX//0724710345313905',
      '240601D1,NTRFX//0724710345313905',
    ),
    [
      [undefined, undefined],
      [undefined, undefined],
      ['ORDER 5', undefined],
      ['34/1X', 'O/341241774 2024-05-31 -1 EUR'],
      ['X', '0724710345313905 2024-05-31 -1 EUR'],
      ['X', '0724710345313905 2024-05-31 -1 EUR #2'],
      ['X', '0724710345313905 2024-06-01 -1 EUR'],
    ],
  )
})

test('supplementary details: original amount, charges, account, booking text', async (t) => {
  const supplied = (line: string, ...more: string[]): Promise<Record<string, unknown>> =>
    onlyIn(':61:240531D12,35NRTIREF', line, ...more)
  t.match(await supplied('/OCMT/USD11,85//CHGS/EUR0,50/', ':86:Text'), {
    ...{ original: '-11.85', originalCurrency: 'USD', purpose: 'Text Charges 0,50 EUR' },
  })
  t.match(await supplied('Card transaction'), { type: 'Card transaction' })
  t.match(await supplied('Card', ':86:166?00GUTSCHRIFT'), { type: 'GUTSCHRIFT' })
  t.match(await supplied('NL70ABNA0987654321'), { counterpart: { iban: 'NL70ABNA0987654321' } })
  const dutch = await onlyIn(':61:240531D1,NOVBNL47INGB0001234567', 'hr g paulissen')
  t.same(dutch['counterpart'], { iban: 'NL47INGB0001234567', name: 'hr g paulissen' })
})

test('details: unstructured, code 999, Dutch keywords, other separators', async (t) => {
  const details = async (...lines: string[]): Promise<Record<string, unknown>> =>
    onlyIn(':61:240531D1,NMSC', ...lines)
  const full = 'x'.repeat(65)
  t.match(await details(`:86:${full}`, 'y', 'z'), { purpose: `${full}y z` })
  t.match(await details(':86:999PN5477SCHECK-NR. 16'), {
    ...{ purpose: 'SCHECK-NR. 16', primanota: '5477' },
  })
  const ideal = '/TRTP/iDEAL/IBAN/NL46ABNA0499998748/BIC/ABNANL2A/NAME/Hr P de Na'
  t.match(await details(`:86:${ideal}`, 'am/REMI/Nota 5'), {
    ...{ type: 'iDEAL', purpose: 'Nota 5' },
    counterpart: { iban: 'NL46ABNA0499998748', bic: 'ABNANL2A', name: 'Hr P de Naam' },
  })
  t.match(await details(':86:020<00Przelew<20Faktura 5<32JAN<38PL08106000760000777777777777'), {
    ...{ type: 'Przelew', purpose: 'Faktura 5' },
    counterpart: { name: 'JAN', iban: 'PL08106000760000777777777777' },
  })
  t.match(await details(':86:?20Alles gut? Ja?32Anna'), {
    ...{ purpose: 'Alles gut? Ja', counterpart: { name: 'Anna' } },
  })
  t.match(await details(':86:008?20Miete?3010020030?31234567'), {
    ...{ type: 'Dauerauftrag', counterpart: { accountNumber: '234567', bic: undefined } },
  })
  t.match(await details(':86:166?2004:05', ':20 Uhr', ':08 more'), {
    purpose: '04:05:20 Uhr:08 more',
  })
  t.match(await details(), { purpose: undefined, type: undefined })
  t.match(await onlyIn(':61:240531D1,N033NONREF'), { type: undefined })
  t.match(await onlyIn(':61:240531D1,N117NONREF'), { type: 'SEPA-Dauerauftrag' })
})

test('field 86 about the whole statement belongs to no entry', async (t) => {
  const text = statement(':86:before', ':61:240531D1,NMSC', ':86:mine').replace(
    TAIL,
    `${TAIL.replace('-\n', '')}:64:C240531EUR1,\n:86:after\n-\n`,
  )
  const outcome = await readAll(readMt940, text)
  t.same(
    transactionsOf(outcome).map(({ purpose }) => purpose),
    ['mine'],
  )
})

test('envelopes, line ends and several statements give the same events', async (t) => {
  const text = statement(':61:240531D1,NMSC', ':86:a', 'b')
  const { events } = await readAll(readMt940, text)
  t.same(
    events.map(({ kind }) => kind),
    ['account', 'balance', 'transaction', 'balance'],
  )
  const ended = text.replace('\n-\n', '\n-}{5:{MAC:0}}\u0003\n')
  const swift = `\u0001{1:F01KNABNL2HAXXX}{2:I940KNABNL2HXXXXN3020}{4:\n${ended}`
  const kinds = (outcome: Outcome): unknown[] =>
    outcome.events.map((event) =>
      event.kind === 'transaction' ? plain(event.transaction)['purpose'] : event,
    )
  const expected = kinds({ events, batchLengthMax: 0 })
  const inline = `${swift.trim()}${swift.trim()}`
  for (const [name, variant, count] of [
    ['CR LF', text.replaceAll('\n', '\r\n'), 1],
    ['CR', text.replaceAll('\n', '\r'), 1],
    ['SWIFT', swift, 1],
    ['two on one line', inline, 2],
    ['noise before', `ABNANL2A\n940\n${text}`, 1],
    ['a preamble', `An example\n\nafter the line\n- - - - -\n-\n\n${text}`, 1],
    ['Swedish', `ä4:\n${text.replace('\n-\n', '\n-å\n')}`, 1],
    ['three', text + text + text, 3],
    ['without an end mark', text.replace('-\n', '') + text, 2],
    ['no last line end', text.slice(0, -1), 1],
  ] as const) {
    const found = kinds(await readAll(readMt940, variant))
    t.same(found, Array(count).fill(expected).flat(), name)
  }
})

test('balances: debit, no currency, no such day, unreadable', async (t) => {
  const first = async (line: string): Promise<unknown> =>
    (await readAll(readMt940, `:20:1\n:25:4711\n${line}\n`, { currency: 'CHF' })).events.slice(1)
  const opening = (amount: object, more: object): unknown => [
    { kind: 'balance', balance: { kind: 'opening', amount, ...more } },
  ]
  t.match(
    await first(':60F:D240531USD12,5'),
    opening({ unscaled: -125, scale: 1 }, { currency: 'USD', at: Date.UTC(2024, 4, 31) }),
  )
  t.match(await first(':60M:C24053112,'), opening({ unscaled: 12, scale: 0 }, { currency: 'CHF' }))
  t.match(await first(':60F:C140031EUR1,'), opening({ unscaled: 1, scale: 0 }, { at: undefined }))
  t.match(await first(':60F:X'), [{ kind: 'warning', message: /^:60F: "X" is not a balance/ }])
})

test('a statement without closing balance gives a truncation warning', async (t) => {
  const outcome = await readAll(readMt940, `${HEAD}:61:240531D1,NMSC\n`)
  t.equal(transactionsOf(outcome).length, 1)
  t.match(messagesOf(outcome), [/^line 5: the statement has no closing balance/])
})

test("the caller's account is used if the file names none", async (t) => {
  const nameless = statement(':61:240531D1,NMSC').replace(/:25:.*\n/, '')
  t.match((await readAll(readMt940, nameless)).error?.message, /^line 3, :25:: .*names no account/)
  const outcome = await readAll(readMt940, nameless, { account: 'DE89370400440532013000' })
  t.match(outcome.events[0], { account: { iban: 'DE89370400440532013000', currency: 'EUR' } })
})

test('an unreadable entry is refused with entry, line, field, found, expected', async (t) => {
  const wrong: [string, RegExp][] = [
    ['240531X10,NMSC', /:61:: "240531X10,NMSC" is not a statement line; expected for example 24/],
    ['240531D10.50NMSC', /:61:: "240531D10\.50NMSC" is not a statement line/],
    ['240631D10,NMSC', /:61: value date: "240631" is not a date YYMMDD; expected for example/],
    ['240230D10,NMSC', /none/],
    ['2405311301D10,NMSC', /:61: entry date: "1301" is not a date MMDD; expected for example/],
    ['240531D1234567890123456,NMSC', /:61: amount: .* has more than 15 digits; expected/],
    ['240531D1,123456NMSC', /:61: amount: .* has more than 5 decimals/],
  ]
  for (const [line, expected] of wrong) {
    const outcome = await read(`:61:${line}`, ':86:x', ':61:240531D1,NMSC')
    const refused = outcome.events.filter(({ kind }) => kind === 'refused')
    if (expected.source === 'none') {
      t.same(refused, [], line)
      continue
    }
    t.match(messagesOf(outcome), [new RegExp(`^entry 1 \\(line 5\\), ${expected.source}`)], line)
    t.equal(transactionsOf(outcome).length, 1, 'the next entry is read')
  }
  const stray = await read(':61:240531D1,NMSC', ':25:166?00GUTSCHRIFT', ':61:240531D2,NMSC')
  t.match(messagesOf(stray), [/^entry 1 \(line 5\), :25:: is inside an entry \(line 6\)/])
  t.equal(transactionsOf(stray).length, 1)
  const outside = await readAll(readMt940, `${statement()}:61:240531D1,NMSC\n`)
  t.match(messagesOf(outside), [/^entry 1 \(line 8\), :25:: the entry is not in a statement/])
})

test('other or hostile files are refused', async (t) => {
  const faultOf = async (text: string | Iterable<string>): Promise<string> =>
    (await readAll(readMt940, text)).error?.message ?? 'none'
  t.match(await faultOf(''), /^line 1: contains no MT940 statement/)
  t.match(await faultOf('1\n2\n3\n'), /^line 3: contains no MT940 statement/)
  t.match(await faultOf('<?xml version="1.0"?><Document/>'), /contains no MT940 statement/)
  t.match(await faultOf(':20:X\n'), /^line 1, :25:: the message ends without naming its account/)
  t.match(await faultOf(statement(':86:a\0b')), /^line 5: contains a NUL/)
  const long = 'x'.repeat(STATEMENT_LINE_CHARS_MAX + 1)
  t.match(await faultOf(statement(`:86:${long}`)), /^line 5: has more than 1000000 characters/)
  function* endless(): Generator<string> {
    yield `${HEAD}:61:240531D1,NMSC\n:86:`
    for (let i = 0; i < 1_000; i++) yield `${'x'.repeat(65)}\n`.repeat(50)
  }
  function* manyDetails(): Generator<string> {
    yield `${HEAD}:61:240531D1,NMSC\n`
    for (let i = 0; i < 100; i++) yield `:86:${'x'.repeat(100_000)}\n`
  }
  t.match(await faultOf(manyDetails()), /^entry 1 \(line 5\), :86:: .* than 4000000 characters/)
  for (const field of [':86:\n', ':NS:\n']) {
    const empty = `${HEAD}:61:240531D1,NMSC\n${field.repeat(200_000)}`
    const fault = await faultOf(empty)
    t.match(fault, /^entry 1 \(line 5\), :(?:86|NS):: the entry has more than 1000 fields/)
    const most = await read(':61:240531D1,NMSC', `${field.repeat(1_000)}:62M:C240531EUR1,`)
    t.equal(transactionsOf(most).length, 1)
  }
  for (const details of ['\n'.repeat(900_000), '/REMI/a'.repeat(140_000), '?20'.repeat(300_000)]) {
    const outcome = await read(':61:240531D1,NMSC', `:86:${details}`)
    t.equal(outcome.events.length, 4, 'long, but read nevertheless')
  }
  const purpose = await read(':61:240531D1,NMSC', `:86:${'abc '.repeat(5_000)}`)
  t.match(messagesOf(purpose), [/^entry 1 \(line 5\), purpose: is longer than the maximum/])
  t.match(await faultOf(endless()), /^line 6, :86:: has more than 1000000 characters/)
})

test('lines end at CR LF, LF and CR, wherever the pieces end', async (t) => {
  const linesIn = async (...pieces: string[]): Promise<string[]> => {
    const lines: string[] = []
    for await (const batch of linesOf(piecesOf(pieces))) {
      lines.push(...batch.map(({ text, number }) => `${number}${text}`))
    }
    return lines
  }
  t.same(await linesIn('a\r', '\nb\r', 'c\n', '\nd'), ['1a', '2b', '3c', '4', '5d'])
  t.same(await linesIn('a\r', '', '\n'), ['1a'])
  t.same(await linesIn(), [])
})

const SAMPLE = statement(
  ':61:2405310601CR10,00NTRFKREF+//BANKREF00001',
  '/OCMT/USD11,85/',
  ':86:166?00GUTSCHRIFT?20EREF+Ä-1?21SVWZ+Text EREF: 2?30COBADEFFXXX?31DE0212030000000020205',
  '1?32Erika',
  ':61:240531DR5,NMSC',
  ':86:/TRTP/x/REMI/y',
  ':61:240231D1,NMSC',
).replaceAll('\n', '\r\n')

test('the events do not depend on how the text is cut', async () => {
  for (const text of [SAMPLE, SAMPLE.slice(0, -30), `${SAMPLE}:20:X\r\n`]) {
    const { events, error } = await readAll(readMt940, text)
    await assertProperty(
      fc.asyncProperty(cuttings(text), async (pieces) => {
        const cut = await readAll(readMt940, pieces)
        assert.deepEqual([cut.events, cut.error?.message], [events, error?.message])
      }),
      { numRuns: 60 },
    )
  }
})

test('changed bytes are read or refused, and never anything else', async () => {
  await assertProperty(
    fc.asyncProperty(mutations(Buffer.from(SAMPLE, 'latin1')), async (mutated) => {
      const { events, error } = await readAll(readMt940, decodeStatement(piecesOf([mutated])))
      assert.ok(error !== undefined || events.length > 0)
    }),
    { numRuns: 300 },
  )
})

test('a statement with only a header gives a truncation warning', async (t) => {
  const outcome = await readAll(readMt940, `${statement()}:20:2\n:25:37040044/0532013000\n`)
  const said = 'the statement has neither balances nor entries; the file may be truncated'
  t.same(messagesOf(outcome), [`line 9: ${said}`])
})

test('a lone dash before the closing balance is text, after it the end', async (t) => {
  const outcome = await read(':61:240531C10,NMSC', ':86:Periode 1 -', '-', 'und', '-', '2')
  t.same(
    transactionsOf(outcome).map(({ purpose }) => purpose),
    ['Periode 1 - - und - 2'],
  )
  t.same(messagesOf(outcome), [])
  const next = ':20:2\n:25:37040044/0532013000\n:60F:C240531EUR110,00\n:62F:C240531EUR110,00\n-\n'
  for (const preamble of ['', 'ABNANL2A\n940\n', '{1:F01KNABNL2HAXXX}{2:I940}{4:\n']) {
    const cut = `${HEAD}:61:240531C10,NMSC\n:86:Text\n-\n${preamble}${next}`
    const two = await readAll(readMt940, cut)
    t.match(messagesOf(two), [/^line 7: the statement has no closing balance/], preamble)
    t.equal(transactionsOf(two)[0]?.purpose, 'Text')
  }
  const last = await readAll(readMt940, `${HEAD}:61:240531C10,NMSC\n:86:Text\n-\nmore\n`)
  t.match(messagesOf(last), [/^line 7: the statement has no closing balance/])
  t.equal(transactionsOf(last)[0]?.purpose, 'Text')
  const long = `${HEAD}:61:240531C10,NMSC\n:86:Text\n-\n${`${'x'.repeat(70)}\n`.repeat(20_000)}`
  t.equal(transactionsOf(await readAll(readMt940, long))[0]?.purpose, 'Text')
})

test('a statement line without code, with a blank entry date, in small letters', async (t) => {
  const penta = await onlyIn(':61:2405310531D20,00NONREF', ':86:Text')
  t.same(penta['counterpart'], {})
  t.match(await onlyIn(':61:2405310531D20,00NONREF//BANK123456'), {
    bankReference: 'BANK123456 2024-05-31 -20 EUR',
  })
  t.match(await onlyIn(':61:240312    DD212,39NTRFREF'), {
    ...{ amount: '-212.39', booked: '2024-03-12', valued: '2024-03-12' },
  })
  t.match(await onlyIn(':61:2405310531d1,01N946NONREF'), { amount: '-1.01' })
  t.match(await onlyIn(':61:2405310531rd1,01N946NONREF'), { amount: '1.01' })
})

test('sub-fields with unknown numbers are text', async (t) => {
  const details = (text: string): Promise<Record<string, unknown>> =>
    onlyIn(':61:240531C1,NMSC', `:86:${text}`)
  t.match(await details('166?20SVWZ+DE38XX 335?960.484.7561 A?30COBADEFFXXX?32ERIKA?99 M'), {
    purpose: 'DE38XX 335?960.484.7561 A',
    counterpart: { bic: 'COBADEFFXXX', name: 'ERIKA?99 M' },
  })
  t.match(await details('166?10931?4412?20Text?30COBADEFFXXX?51x'), {
    ...{ primanota: '931', purpose: 'Text ?4412 ?51x', counterpart: { bic: 'COBADEFFXXX' } },
  })
  t.match(await details('166?20Text?35extra?70Erika Muster und ihre Famili?71e'), {
    purpose: 'Text extra Erika Muster und ihre Familie',
  })
})

test('statements with the same account, number and balance have one key', async (t) => {
  const keysOf = async (...texts: string[]): Promise<Set<unknown>> => {
    const { events } = await readAll(readMt940, texts.join(''))
    const keys = events.flatMap((event) => (event.kind === 'account' ? [event.statementKey] : []))
    t.notOk(keys.includes(undefined))
    return new Set(keys)
  }
  const one = statement(':61:240531C10,NMSC')
  t.equal((await keysOf(one, one.replace('STARTUMS', 'OTHER'))).size, 1)
  t.equal((await keysOf(one, one.replace('1/1', '1/2'))).size, 2, 'another page')
  t.equal((await keysOf(one, one.replace('240530EUR', '240531EUR'))).size, 2, 'another day')
  t.equal((await keysOf(one, one.replace('60F:C', '60M:C'))).size, 2)
  t.equal((await keysOf(one, one.replace('0532013000', '532013001'))).size, 2)
  const bare = await readAll(readMt940, ':20:1\n:25:4711\n:61:240531C10,NMSC\n', {
    currency: 'EUR',
  })
  t.notOk('statementKey' in (bare.events[0] ?? {}))
})

test('a counterpart IBAN with wrong check digits is kept, with a warning', async (t) => {
  const outcome = await read(':61:240531C10,NMSC', ':86:166?20x?31DE88370400440532013000')
  t.same(messagesOf(outcome), [])
  t.equal(transactionsOf(outcome)[0]?.counterpart.iban, 'DE88370400440532013000')
})

test('a file without an account is refused with the remedy', async (t) => {
  for (const text of [':20:X\n', ':20:X\n:60F:C240530EUR100,00\n', ':61:240531C10,NMSC\n']) {
    const outcome = await readAll(readMt940, text)
    const said = outcome.error?.message ?? messagesOf(outcome).join('')
    t.match(said, /specify one, for example --account DE89370400440532013000$/, text)
  }
})

test('no text of an entry disappears', async (t) => {
  const line = ':61:2405310531CR10,00NTRF'
  t.match(await onlyIn(`${line}NONREF`, 'Card transaction', ':86:166?00GUTSCHRIFT?20SVWZ+x'), {
    ...{ type: 'GUTSCHRIFT', purpose: 'x Card transaction' },
  })
  t.match(await onlyIn(`${line}NONREF`, '/OCMT/USD11,85/INVOICE 7', ':86:166?00A?20x'), {
    ...{ original: '11.85', originalCurrency: 'USD', purpose: 'x INVOICE 7' },
  })
  t.match(await onlyIn(`${line}NONREF`, '/OCMT/USD11,85//CHGS/EUR0,50//EXCH/1,2/', ':86:x'), {
    purpose: 'x Charges 0,50 EUR /EXCH/1,2',
  })
  t.match(await onlyIn(`${line}NONREF`, '/NOTE/INVOICE 7', ':86:x'), {
    purpose: 'x /NOTE/INVOICE 7',
  })
  t.match(await onlyIn(`${line}4711`, ':86:166?20KREF+K-1?21SVWZ+x'), {
    ...{ purpose: 'x KREF+4711', counterpart: { customerReference: 'K-1' } },
  })
  t.match(await onlyIn(`${line}4711`, ':86:166?20EREF+4711?21KREF+K-1?22SVWZ+x'), {
    ...{ endToEndReference: '4711', purpose: 'x' },
  })
  const plainLine = `${line}NONREF`
  t.match(
    await onlyIn(plainLine, ':86:166?00A?20x?32Name', ':NS:01more', '15Other', '17B', '191'),
    {
      ...{ type: 'A', purpose: 'x more Other B 1', counterpart: { name: 'Name' } },
    },
  )
  t.match(await onlyIn(plainLine, ':86:166?20x?3037040044?310532013000?38no account'), {
    ...{ purpose: 'x 37040044 no account', counterpart: { accountNumber: '0532013000' } },
  })
  const iban = 'DE89370400440532013000'
  t.match(await onlyIn(plainLine, `:86:166?20x?3037040044?31${iban}`), {
    ...{ purpose: 'x', counterpart: { iban } },
  })
})

test('an account and a name in place of the reference are the counterpart', async (t) => {
  t.match(
    await onlyIn(':61:240531D6,75N084P002445599      Belastingdienst Voorbee', ':86:KENM. 01'),
    {
      counterpart: { accountNumber: 'P002445599', name: 'Belastingdienst Voorbee' },
      purpose: 'KENM. 01',
    },
  )
  const savings = ':61:240531C250,00N6990156750911      VOORBEELD B.V. /PRIVE'
  t.match(await onlyIn(savings, ':86:/NAME/Voorbeeld B.V. /Prive en Zoon/REMI/x'), {
    counterpart: { accountNumber: '0156750911', name: 'Voorbeeld B.V. /Prive en Zoon' },
    purpose: 'x',
  })
  t.match(await onlyIn(savings, ':86:/NAME/Een ander/REMI/x'), {
    counterpart: { accountNumber: '0156750911', name: 'Een ander' },
    purpose: 'x VOORBEELD B.V. /PRIVE',
  })
  t.match(await onlyIn(':61:240531C1,00NTRF1004688100      //6128522200250099'), {
    counterpart: { customerReference: '1004688100' },
  })
  const own = await onlyIn(':61:240531C1,00NMSC0532013000', ':86:RENTE')
  t.same([own['counterpart'], own['purpose']], [{}, 'RENTE'])
})

test('ING until 2014: the counterpart before the text', async (t) => {
  const lines = [
    ':61:240531D50,00NIC MARF',
    ':86:Europese Incasso, doorlopend NL28RABO0154810691 RABONL2U JAN NL98',
    'ZZZ999999990000 M-77 1234567898765432 Kenmerk: 3333.1111',
  ]
  t.match(await onlyIn(...lines), {
    counterpart: {
      ...{ iban: 'NL28RABO0154810691', bic: 'RABONL2U', name: 'JAN' },
      ...{ creditorId: 'NL98ZZZ999999990000', mandateReference: 'M-77' },
    },
    type: 'Europese Incasso, doorlopend',
    purpose: '1234567898765432 Kenmerk: 3333.1111',
  })
})
