import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { formatAmount } from '../../../src/money.js'
import { OFX_CHARS_MAX, readOfx } from '../../../src/statements/ofx/ofx.js'
import type { ReadOptions, StatementEvent } from '../../../src/statements/statement.js'
import { StatementError } from '../../../src/statements/statement.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import {
  cutAt,
  eventsIn,
  faultsOf,
  mutated,
  NO_FILES,
  statementFiles,
  sumOf,
  transactionsOf,
} from '../../fixtures/statement-texts.js'

const HEADER = 'OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nCHARSET:1252\r\n\r\n'
const ACCOUNT = '<BANKACCTFROM><BANKID>20040000<ACCTID>5389176<ACCTTYPE>CHECKING</BANKACCTFROM>'

function entry(fields: Readonly<Record<string, string>>): string {
  const all = { TRNTYPE: 'DEBIT', DTPOSTED: '20240229', TRNAMT: '-1.50', ...fields }
  const texts = Object.entries(all).map(([name, text]) =>
    text.startsWith('<') ? `<${name}>${text}</${name}>\n` : `<${name}>${text}\n`,
  )
  return `<STMTTRN>\n${texts.join('')}</STMTTRN>\n`
}

function file(entries: string, { account = ACCOUNT, currency = 'EUR', after = '' } = {}): string {
  const list = `<BANKTRANLIST><DTSTART>20240101<DTEND>20241231\n${entries}</BANKTRANLIST>`
  const statement = `<STMTRS><CURDEF>${currency}\n${account}\n${list}\n${after}</STMTRS>`
  return `${HEADER}<OFX><BANKMSGSRSV1><STMTTRNRS>\n${statement}</STMTTRNRS></BANKMSGSRSV1></OFX>`
}

async function faultOf(text: string, options: ReadOptions = {}): Promise<string> {
  try {
    await eventsIn(readOfx, text, options)
    return 'read'
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    return error.message
  }
}

test('an entry becomes a transaction with all fields of OFX', async (t) => {
  const text = file(
    entry({
      TRNTYPE: 'XFER',
      DTPOSTED: '20240301120000.000[-5:EST]',
      DTUSER: '20240227',
      DTAVAIL: '20240302000000',
      TRNAMT: '-1234,56',
      FITID: 'A-1',
      CHECKNUM: '319',
      REFNUM: 'R7',
      NAME: 'M&amp;M &lt;GmbH&gt; AT&T',
      MEMO: 'Rechnung  5 &#8364;',
      BANKACCTTO: '<BANKID>COBADEFFXXX<ACCTID>DE89 3704 0044 0532 0130 00<ACCTTYPE>CHECKING',
      ORIGCURRENCY: '<CURRATE>1.1<CURSYM>usd',
    }),
    { after: '<LEDGERBAL><BALAMT>-10.00<DTASOF>20240331</LEDGERBAL>' },
  )
  const booked = Date.UTC(2024, 2, 1)
  t.strictSame(await eventsIn(readOfx, text), [
    {
      kind: 'account',
      account: { accountNumber: '5389176', name: 'CHECKING', blz: '20040000', currency: 'EUR' },
    },
    {
      kind: 'transaction',
      transaction: {
        amount: { unscaled: -123456, scale: 2 },
        currency: 'EUR',
        counterpart: {
          name: 'M&M <GmbH> AT&T',
          iban: 'DE89370400440532013000',
          bic: 'COBADEFFXXX',
          customerReference: '319',
        },
        position: 'transaction 1 (line 10)',
        bookedAt: booked,
        valuedAt: Date.UTC(2024, 2, 2),
        type: 'XFER',
        purpose: 'Rechnung  5 €',
        originalCurrency: 'USD',
        bankReference: 'A-1',
      },
    },
    {
      kind: 'balance',
      balance: {
        kind: 'closing',
        amount: { unscaled: -10, scale: 0 },
        currency: 'EUR',
        at: Date.UTC(2024, 2, 31),
      },
    },
  ])
})

test('other spellings of the same elements are read', async (t) => {
  const one = async (fields: Readonly<Record<string, string>>) =>
    transactionsOf(await eventsIn(readOfx, file(entry(fields))))[0]
  const amounts: [string, string][] = [
    ['100.', '100'],
    ['+7', '7'],
    ['.5', '0.5'],
    ['1,234.56', '1234.56'],
    ['1.234', '1.234'],
  ]
  for (const [text, expected] of amounts) {
    const amount = (await one({ TRNAMT: text }))?.amount
    t.equal(amount && formatAmount(amount.unscaled, amount.scale), expected, text)
  }
  t.equal((await one({ DTUSER: '20240227' }))?.valuedAt, Date.UTC(2024, 1, 27))
  t.equal((await one({ CURRENCY: '<CURRATE>1<CURSYM>USD' }))?.currency, 'USD')
  t.strictSame((await one({ CHECKNUM: '0', REFNUM: 'R7' }))?.counterpart, {
    customerReference: 'R7',
  })
  t.strictSame((await one({ PAYEE: '<NAME>Bakery<CITY>Ulm' }))?.counterpart, { name: 'Bakery' })
  const empty = file(entry({ MEMO: '', NAME: 'after an empty MEMO' }))
  t.equal(
    transactionsOf(await eventsIn(readOfx, empty))[0]?.counterpart.name,
    'after an empty MEMO',
  )
  const cdata = file(entry({ MEMO: 'x' })).replace('<MEMO>x', '<MEMO><![CDATA[a < b & c]]></MEMO>')
  t.equal(transactionsOf(await eventsIn(readOfx, cdata))[0]?.purpose, 'a < b & c')
})

test('a FITID that an account repeats is dropped; two accounts may share one', async (t) => {
  const twice = entry({ FITID: '1' }) + entry({ FITID: '1' }) + entry({ FITID: '2' })
  const events = transactionsOf(await eventsIn(readOfx, file(twice)))
  t.strictSame(
    events.map(({ bankReference }) => bankReference),
    [undefined, undefined, '2'],
  )
  const other = ACCOUNT.replace('5389176', '77')
  const [, first = ''] = file(entry({ FITID: '1' })).split('<OFX>')
  const second = file(entry({ FITID: '1' }), { account: other })
  const both = second.replace('<OFX>', () => `<OFX>${first.replace('</OFX>', '')}`)
  const read = await eventsIn(readOfx, both)
  t.strictSame(
    read.map((event) =>
      event.kind === 'transaction' ? event.transaction.bankReference : event.kind,
    ),
    ['account', '1', 'account', '1'],
  )
})

test('a bad entry is refused with entry, line, field and text; the others are read', async (t) => {
  const cases: [Readonly<Record<string, string>>, string, RegExp][] = [
    [
      { TRNAMT: '$120' },
      'TRNAMT',
      /^"\$120" is not a decimal number; expected for example -1234\.56$/u,
    ],
    [{ TRNAMT: '1,234' }, 'TRNAMT', /could have thousands separators or decimals/u],
    [{ TRNAMT: '' }, 'TRNAMT', /is missing/u],
    [{ DTPOSTED: '201120000000' }, 'DTPOSTED', /"201120000000" is not a calendar day/u],
    [{ DTPOSTED: '' }, 'DTPOSTED', /is missing/u],
    [{ DTAVAIL: '2024-01-01' }, 'DTAVAIL', /not a calendar day/u],
    [{ CURRENCY: '<CURRATE>1<CURSYM>Dollar' }, 'CURRENCY', /"DOLLAR" is not a currency code/u],
    [{ CORRECTFITID: '9', CORRECTACTION: 'DELETE' }, 'CORRECTFITID', /corrects "9" \(DELETE\)/u],
    [{ MEMO: 'x'.repeat(10_001) }, 'MEMO', /longer than 10000/u],
  ]
  for (const [fields, field, message] of cases) {
    const events = await eventsIn(readOfx, file(entry({ FITID: '1' }) + entry(fields)))
    const fault = faultsOf(events)[0]
    t.equal(transactionsOf(events).length, 1, field)
    t.equal(fault?.field, field)
    t.match(fault?.position ?? '', /^transaction 2 \(line \d+\)$/u)
    t.match(fault?.message ?? '', message)
  }
  const merged = file(entry({}).replace('</STMTTRN>\n', '') + entry({}).replace('<STMTTRN>\n', ''))
  t.match(faultsOf(await eventsIn(readOfx, merged))[0]?.message ?? '', /occurs 2 times/u)
})

test('a type that contradicts the sign of its amount gives a warning', async (t) => {
  const entries = [
    entry({ TRNAMT: '5.00' }),
    entry({}),
    entry({ TRNTYPE: 'CREDIT', TRNAMT: '-7' }),
    entry({ TRNTYPE: 'CREDIT', TRNAMT: '0' }),
    entry({ TRNAMT: '+6' }),
  ]
  const events = await eventsIn(readOfx, file(entries.join('')))
  t.match(
    events.flatMap((event) => (event.kind === 'warning' ? [event] : [])),
    [
      {
        position: /^transaction 1 \(line \d+\)$/,
        message: /^the type DEBIT \(TRNTYPE\) .* amount 5\.00 .* incoming.*holds for 1 more entry$/,
      },
      {
        position: /^transaction 3 \(line \d+\)$/,
        message: /^the type CREDIT \(TRNTYPE\) .* amount -7 \(TRNAMT\).* outgoing/,
      },
    ],
  )
  t.same(
    transactionsOf(events).map(({ amount }) => formatAmount(amount.unscaled, amount.scale)),
    ['5', '-1.5', '-7', '0', '6'],
  )
})

test('an element that is not a booking gives a warning', async (t) => {
  const warned = async (text: string): Promise<string[]> =>
    (await eventsIn(readOfx, text)).flatMap((event) =>
      event.kind === 'warning' ? event.message : [],
    )
  t.match(await warned(file(entry({ TRNTYPE: 'HOLD' }))), [/not booked \(TRNTYPE: HOLD\)/u])
  const balance = '<LEDGERBAL><BALAMT>abc<DTASOF>20240331</LEDGERBAL>'
  t.match(await warned(file(entry({}), { after: balance })), [/BALAMT: "abc" is not a decimal/u])
  const status = '<STATUS><CODE>2003<SEVERITY>ERROR<MESSAGE>Account not found</STATUS>'
  const none = `<OFX><BANKMSGSRSV1><STMTTRNRS>${status}</STMTTRNRS></BANKMSGSRSV1></OFX>`
  t.match(await warned(none), [/status 2003: Account not found/u])
  t.match(await warned('<OFX><A><INVSTMTRS></INVSTMTRS></A></OFX>'), [/investment statement/u])
})

test('account and currency come from the file, else from the caller', async (t) => {
  const bare = file(entry({}), { account: '', currency: '' }).replace('<CURDEF>\n', '')
  t.match(await faultOf(bare, { currency: 'EUR' }), /ACCTID: .* --account DE89370400440532013000/u)
  t.match(await faultOf(bare, { account: '7' }), /CURDEF: is missing; .* --currency EUR/u)
  const iban = { account: 'de89 3704 0044 0532 0130 00', currency: 'EUR' }
  t.strictSame((await eventsIn(readOfx, bare, iban))[0], {
    kind: 'account',
    account: { iban: 'DE89370400440532013000', currency: 'EUR' },
  })
})

test('a broken or hostile file is a StatementError with its line', async (t) => {
  const good = file(entry({ FITID: '1' }))
  const cases: [string, RegExp][] = [
    ['', /line 1: no <OFX>/u],
    ['Date;Text', /no <OFX>/u],
    [good.slice(0, good.indexOf('</BANKTRANLIST>')), /is truncated: OFX, BANKMSGSRSV1/u],
    [good.slice(0, good.indexOf('<FITID>') + 9), /is truncated/u],
    [
      good.replace('</STMTTRN>', ''),
      /line 16: <\/BANKTRANLIST> where STMTTRN is open \(line 10\)/u,
    ],
    [good.replace('<STMTTRN>', ''), /<\/STMTTRN> where BANKTRANLIST is open/u],
    [good.replace('</STMTTRN>', '</STMTTRN>lost'), /unexpected text "lost" between the elements/u],
    [`${good}<OFX></OFX>`, /<OFX> after the end/u],
    [good.replace('<STMTTRN>', '<!DOCTYPE a [<!ENTITY b "c">]><STMTTRN>'), /declaration/u],
    [good.replace('-1.50', '-1\0.50'), /line 13: a NUL character/u],
    [good.replace('<STMTTRN>', '<!-- <STMTTRN>'), /--> is missing/u],
    [`<OFX>${'<A>'.repeat(100_000)}`, /deeper elements/u],
    [`<OFX><${'A'.repeat(100_000)}>a</OFX>`, /no bank or credit card statement/u],
    [`<OFX><A${' b'.repeat(100_000)}`, /is truncated/u],
    [`<OFX>${'<'.repeat(100_000)}`, /is truncated/u],
    [`<OFX><A>a${' '.repeat(100_000)}b</A></OFX>`, /no bank or credit card statement/u],
    [`<OFX><A>${'a'.repeat(1_000_001)}</A></OFX>`, /longer than 1000000/u],
    ['<OFX></OFX>', /no bank or credit card statement/u],
  ]
  for (const [text, message] of cases) t.match(await faultOf(text), message, text.slice(0, 30))
  const piece = ' '.repeat(1_024 * 1_024)
  const pieces = Array.from({ length: OFX_CHARS_MAX / piece.length + 1 }, () => piece)
  await t.rejects(eventsIn(readOfx, pieces), /split the export into shorter periods/u)
  const bomb = file(entry({ MEMO: '&lol9;&amp;amp;' }))
  t.equal(transactionsOf(await eventsIn(readOfx, bomb))[0]?.purpose, '&lol9;&amp;', 'resolved once')
})

/** The messages of warnings, with their positions. */
function warningsIn(events: readonly StatementEvent[]): string[] {
  return events.flatMap((event) =>
    event.kind === 'warning' ? `${event.position}: ${event.message}` : [],
  )
}

test('a list without an end tag ends where its balance or its statement does', async (t) => {
  const balance = '<LEDGERBAL><BALAMT>-1.50<DTASOF>20240331</LEDGERBAL>'
  const whole = file(entry({ FITID: '1' }), { after: balance })
  const open = whole.replace('</BANKTRANLIST>', '')
  const read = await eventsIn(readOfx, open)
  t.strictSame(warningsIn(read), [
    'line 17: </BANKTRANLIST> is missing, read as if it stood here (it begins in line 9)',
  ])
  t.strictSame(
    read.filter(({ kind }) => kind !== 'warning'),
    await eventsIn(readOfx, whole),
  )
  const bare = await eventsIn(readOfx, file(entry({})).replace('</BANKTRANLIST>', ''))
  t.equal(transactionsOf(bare).length, 1)
  t.match(warningsIn(bare), [/<\/BANKTRANLIST> is missing/u])
  const more = open.replace('</STMTTRNRS>', '').replace('</LEDGERBAL>', '')
  t.strictSame(
    (await eventsIn(readOfx, more)).filter(({ kind }) => kind !== 'warning'),
    await eventsIn(readOfx, whole),
  )
  const nested = file(entry({}).replace('</STMTTRN>\n', '') + entry({}))
  t.match(await faultOf(nested), /<\/BANKTRANLIST> where STMTTRN is open/u)
  t.match(await faultOf('<OFX><STMTRS></OFX>'), /ACCTID: the statement does not name its account/u)
})

test('any one end tag may be missing: the same entries, or a fault, or a warning', async () => {
  const whole = file(entry({ FITID: '1' }) + entry({ FITID: '2', TRNAMT: '7' }), {
    after: '<LEDGERBAL><BALAMT>1<DTASOF>20240331</LEDGERBAL>',
  })
  const amounts = (events: readonly StatementEvent[]): string => sumOf(transactionsOf(events))
  for (const { index, 0: tag } of whole.matchAll(/<\/[A-Z0-9]+>/gu)) {
    const text = whole.slice(0, index) + whole.slice(index + tag.length)
    if ((await faultOf(text)) !== 'read') continue
    const events = await eventsIn(readOfx, text)
    assert.equal(amounts(events), '5.5', tag)
    assert.ok(warningsIn(events).length > 0, tag)
  }
})

test('an IBAN with wrong check digits is read, with a warning', async (t) => {
  const account = '<BANKACCTFROM><ACCTID>DE89370400440532013001<ACCTTYPE>CHECKING</BANKACCTFROM>'
  const to = '<ACCTID>DE02120300000000202052<ACCTTYPE>CHECKING'
  const events = await eventsIn(readOfx, file(entry({ BANKACCTTO: to }), { account }))
  // The import names a counterpart's IBAN once a file, whatever the format.
  t.match(warningsIn(events), [
    /line 7: the account's IBAN DE89370400440532013001 has wrong check digits/u,
  ])
  t.equal(transactionsOf(events)[0]?.counterpart.iban, 'DE02120300000000202052')
})

const SAMPLE = file(
  entry({ FITID: '1', NAME: 'Ä 🚀 & Söhne', MEMO: 'x' }) + entry({ FITID: '2', MEMO: 'a<b' }),
  { after: '<LEDGERBAL><BALAMT>1<DTASOF>20240331</LEDGERBAL>' },
)

test('chunk boundaries do not matter', async (t) => {
  const whole = await eventsIn(readOfx, SAMPLE)
  t.equal(transactionsOf(whole).length, 2)
  await assertProperty(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (places) => {
      assert.deepEqual(await eventsIn(readOfx, cutAt(SAMPLE, places)), whole)
    }),
    { numRuns: 100 },
  )
})

test('a mutated file is read, refused in part, or a StatementError', async (t) => {
  const added = fc.constantFrom(
    '',
    '<',
    '>',
    '/',
    '&',
    '\0',
    '"',
    '</',
    '<A>',
    '\n',
    '<!--',
    '9',
    ',',
  )
  const mutation = fc.record({ at: fc.nat(), removed: fc.nat({ max: 20 }), added })
  let read = 0
  let refused = 0
  await assertProperty(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
      const fault = await faultOf(mutated(SAMPLE, mutations))
      if (fault === 'read') read += 1
      else refused += 1
    }),
    { numRuns: 1_500 },
  )
  t.ok(read > 0 && refused > 0, `${read} mutated files could still be read, ${refused} not`)
})

test('every entry of every real file is read or refused', async (t) => {
  const files = statementFiles('ofx')
  if (files === undefined) return t.comment(NO_FILES)
  t.comment('file | found | refused | <STMTTRN> | sum | accounts')
  for (const { name, text } of files) {
    const events = await eventsIn(readOfx, text)
    const found = transactionsOf(events)
    const faults = faultsOf(events)
    const count = text.match(/<STMTTRN>/gu)?.length ?? 0
    const accounts = events.filter(({ kind }) => kind === 'account').length
    t.comment(
      `${name} | ${found.length} | ${faults.length} | ${count} | ${sumOf(found)} | ${accounts}`,
    )
    t.equal(found.length + faults.length, count, name)
    t.equal(faults.length, name === 'ofxparse__decimal_error.ofx' ? 1 : 0, name)
    const sum = [...text.matchAll(/<TRNAMT>([-\d.]+)/gu)].map((match) => match[1] ?? '')
    t.equal(sumOf(found), sumOfTexts(sum), `${name}: sum`)
    if (faults.length === 0) continue
    t.strictSame(faults, [
      {
        position: 'transaction 1 (line 34)',
        field: 'TRNAMT',
        message: '"$120" is not a decimal number; expected for example -1234.56',
      },
    ])
  }
  const medium = files.find(({ name }) => name === 'ofxparse__bank_medium.ofx')
  const events: StatementEvent[] = await eventsIn(readOfx, medium?.text ?? '')
  t.strictSame(events[2], {
    kind: 'transaction',
    transaction: {
      amount: { unscaled: -31667, scale: 2 },
      currency: 'CAD',
      counterpart: { name: "Joe's Bald Hairstyles" },
      position: 'transaction 2 (line 16)',
      bookedAt: Date.UTC(2009, 3, 2),
      type: 'CHECK',
      purpose: "MISCELLANEOUS PAYMENTS;Joe's Bald Hairstyles",
      bankReference: '0000123456782009040200004',
    },
  })
})

/** Hundredths, summed without the code under test. */
function sumOfTexts(texts: readonly string[]): string {
  const cents = texts.reduce((sum, text) => sum + Math.round(Number(text) * 100), 0)
  return String(cents / 100)
}
