import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { readCamt053 } from '../../../src/statements/camt/camt.js'
import { decodeStatement } from '../../../src/statements/encoding.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { balance, entry, message, parties, party } from '../../fixtures/camt-text.js'
import {
  cuttings,
  messagesOf,
  mutations,
  piecesOf,
  plain,
  readAll,
  transactionsOf,
} from '../../fixtures/statement-reading.js'

const OWN = 'DE89370400440532013000'
const OTHER = 'DE02120300000000202051'

async function transactionsIn(content: string): Promise<Record<string, unknown>[]> {
  const outcome = await readAll(readCamt053, message(content))
  if (outcome.error !== undefined) throw outcome.error
  return transactionsOf(outcome).map(plain)
}

async function onlyIn(content: string): Promise<Record<string, unknown>> {
  const [first = {}, ...more] = await transactionsIn(content)
  if (more.length > 0) throw new RangeError('more than one transaction')
  return first
}

const details = (inner: string): string => `<TxDtls>${inner}</TxDtls>`

test('an entry becomes a transaction with all fields of its one detail', async (t) => {
  const content = entry({
    direction: 'DBIT',
    head: '<AcctSvcrRef>BANK-1</AcctSvcrRef>',
    details: details(
      '<Refs><PmtInfId>ORDER-7</PmtInfId><EndToEndId>E2E-1</EndToEndId>' +
        '<MndtId>M-1</MndtId></Refs>' +
        '<RltdPties><Cdtr><Nm>Stadtwerke</Nm><Id><PrvtId><Othr><Id>DE98ZZZ09999999999</Id>' +
        '<SchmeNm><Prtry>SEPA</Prtry></SchmeNm></Othr></PrvtId></Id></Cdtr>' +
        `<CdtrAcct><Id><IBAN>${OTHER}</IBAN></Id></CdtrAcct>` +
        '<UltmtCdtr><Nm>Netz GmbH</Nm></UltmtCdtr></RltdPties>' +
        '<RltdAgts><CdtrAgt><FinInstnId><BICFI>BYLADEM1001</BICFI><Nm>DKB</Nm></FinInstnId>' +
        '</CdtrAgt></RltdAgts><Purp><Cd>ELEC</Cd></Purp>' +
        '<RmtInf><Ustrd>Strom &amp; Gas</Ustrd><Strd><CdtrRefInf><Ref>RF18539007547034</Ref>' +
        '</CdtrRefInf></Strd></RmtInf>',
    ),
    tail: '<AddtlNtryInf>SEPA-LASTSCHRIFT</AddtlNtryInf>',
  })
  t.same(await onlyIn(content), {
    ...{ amount: '-10', currency: 'EUR', booked: '2024-05-31', valued: '2024-06-01' },
    counterpart: {
      ...{ name: 'Stadtwerke', iban: OTHER, bic: 'BYLADEM1001', bankName: 'DKB' },
      ...{
        mandateReference: 'M-1',
        creditorId: 'DE98ZZZ09999999999',
        customerReference: 'ORDER-7',
      },
    },
    ...{ position: 'entry 1 (line 5)', endToEndReference: 'E2E-1', sepaPurposeCode: 'ELEC' },
    ...{ type: 'SEPA-LASTSCHRIFT', bankReference: 'BANK-1 2024-05-31 -10 EUR' },
    purpose: 'Strom & Gas RF18539007547034 ABWE+Netz GmbH',
  })
})

test('prefixes, no namespace, CDATA, envelopes and versions give the same events', async (t) => {
  const content = entry({ details: details('<RmtInf><Ustrd><![CDATA[a & b]]></Ustrd></RmtInf>') })
  const plainText = message(content)
  const { events } = await readAll(readCamt053, plainText)
  t.equal(transactionsOf({ events })[0]?.purpose, 'a & b')
  const versions = ['02', '03', '04', '06', '08', '10', '13'].map((version) =>
    plainText.replace('camt.053.001.08', `camt.053.001.${version}`),
  )
  const prefixed = plainText
    .replace('<Document xmlns=', '<Document xmlns:c=')
    .replaceAll(/<(\/?)(?!Document|\?|!)([A-Z])/g, '<$1c:$2')
  const enveloped = plainText
    .replace('<Document', '<Envelope><AppHdr/><Document')
    .replace('</Document>', '</Document></Envelope>')
  const bare = plainText.replace(/ xmlns="[^"]*"/, '')
  for (const text of [...versions, prefixed, enveloped, bare]) {
    t.same((await readAll(readCamt053, text)).events, events, text.slice(40, 120))
  }
})

test('an entry with many children and a long text is read in linear time', async (t) => {
  const [count, amount] = [2_000, '<Amt Ccy="EUR">1</Amt>']
  const content = entry({
    amount: String(count),
    head: '<X/>'.repeat(120_000),
    details: details(amount).repeat(count),
    tail: `<AddtlNtryInf>${'a  b'.repeat(100_000)}</AddtlNtryInf>`,
  })
  const began = performance.now()
  const outcome = await readAll(readCamt053, message(content))
  t.equal(messagesOf(outcome).length, count, 'each has a text above the limit of a field')
  t.ok(performance.now() - began < 10_000, `${Math.round(performance.now() - began)} ms`)
})

test('a batch is split where its details add up to it', async (t) => {
  const part = (amount: string, more = ''): string =>
    details(`<Amt Ccy="EUR">${amount}</Amt>${more}`)
  const head = '<AcctSvcrRef>B-1</AcctSvcrRef>'
  const split = await transactionsIn(
    entry({ head, direction: 'DBIT', details: part('3.333') + part('6.66') + part('0.007') }),
  )
  t.same(
    split.map(({ amount, bankReference, position }) => [amount, bankReference, position]),
    [
      ['-3.333', 'B-1/1 2024-05-31 -3.333 EUR', 'entry 1 (line 5), detail 1 (line 5)'],
      ['-6.66', 'B-1/2 2024-05-31 -6.66 EUR', 'entry 1 (line 5), detail 2 (line 5)'],
      ['-0.007', 'B-1/3 2024-05-31 -0.007 EUR', 'entry 1 (line 5), detail 3 (line 5)'],
    ],
  )
  const mixed = await transactionsIn(
    entry({ details: part('12') + part('2', '<CdtDbtInd>DBIT</CdtDbtInd>') }),
  )
  t.same(
    mixed.map(({ amount }) => amount),
    ['12', '-2'],
    'a detail may have the opposite sign',
  )
  const older = (amount: string): string =>
    details(`<AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls>`)
  const old = await transactionsIn(entry({ details: older('4') + older('6') }))
  t.same(
    old.map(({ amount }) => amount),
    ['4', '6'],
  )
})

test('details that do not add up to the entry leave it whole, with a warning', async (t) => {
  for (const wrong of ['<Amt Ccy="EUR">5</Amt>', '<Amt Ccy="USD">6</Amt>', '', '<Amt>x</Amt>']) {
    const content = entry({ details: details('<Amt Ccy="EUR">4</Amt>') + details(wrong) })
    const outcome = await readAll(readCamt053, message(content))
    t.same(
      transactionsOf(outcome)
        .map(plain)
        .map(({ amount }) => amount),
      ['10'],
    )
    t.match(messagesOf(outcome), [/^entry 1 \(line 5\): the 2 details do not add up to the entry/])
  }
  const remitted = (text: string): string => `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`
  const texts = details(remitted('R-1')) + details(remitted('R-2')) + details(remitted('R-1'))
  t.equal((await onlyIn(entry({ details: texts })))['purpose'], 'R-1 R-2', 'with all their texts')
  const long = Array.from({ length: 30 }, (_, i) => details(remitted(`${i} `.padEnd(100, 'x'))))
  const { purpose } = await onlyIn(entry({ details: long.join('') }))
  t.equal(String(purpose).split(' ').length, 2 * 19, 'of many, the first ones')
  const single = await onlyIn(entry({ details: details('<Amt Ccy="EUR">9.50</Amt>') }))
  t.equal(single['amount'], '10', 'with one detail the booked amount counts')
})

test('the remittance: cut texts, keywords inside them, several references', async (t) => {
  const remit = async (inner: string): Promise<unknown> =>
    (await onlyIn(entry({ details: details(`<RmtInf>${inner}</RmtInf>`) })))['purpose']
  const long = 'x'.repeat(140)
  t.equal(await remit(`<Ustrd>${long}</Ustrd><Ustrd>y</Ustrd>`), `${long}y`)
  t.equal(await remit('<Ustrd>one</Ustrd><Ustrd>two</Ustrd>'), 'one two')
  t.equal(await remit(`<Ustrd>${'x'.repeat(35)}</Ustrd><Ustrd>y</Ustrd>`), `${'x'.repeat(35)}y`)
  t.equal(await remit('<Ustrd>\n  a\n  b\n</Ustrd>'), 'a b')
  t.equal(
    await remit(
      '<Strd><RfrdDocInf><Nb>R-1</Nb></RfrdDocInf></Strd>' +
        '<Strd><CdtrRefInf><Ref>210000000003139471430009017</Ref></CdtrRefInf>' +
        '<AddtlRmtInf>more</AddtlRmtInf></Strd>',
    ),
    'R-1 210000000003139471430009017 more',
  )
  const keyed = await onlyIn(
    entry({
      details: details(
        '<Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RmtInf>' +
          `<Ustrd>Miete EREF: E-9 MREF: M-9 IBAN: ${OTHER} BIC: BYLADEM1001</Ustrd></RmtInf>`,
      ),
    }),
  )
  t.match(keyed, { purpose: 'Miete', endToEndReference: 'E-9' })
  t.same(keyed['counterpart'], { iban: OTHER, bic: 'BYLADEM1001', mandateReference: 'M-9' })
  const german = await onlyIn(
    entry({ details: details('<RmtInf><Ustrd>EREF+E-8 SVWZ+Lohn ABWA+Firma</Ustrd></RmtInf>') }),
  )
  t.match(german, { purpose: 'Lohn ABWA+Firma', endToEndReference: 'E-8' })
})

test('the counterpart is the other side, for reversals too', async (t) => {
  const both = parties(party('Dbtr', 'Anna', OTHER), party('Cdtr', 'Erika Muster', OWN))
  const strangers = parties(party('Dbtr', 'Anna', OTHER), party('Cdtr', 'Bert', 'BE71096123456769'))
  const name = async (direction: string, inner: string, head = ''): Promise<unknown> => {
    const found = await onlyIn(entry({ direction, head, details: details(inner) }))
    return (found['counterpart'] as { name?: string }).name
  }
  const reversal = '<RvslInd>true</RvslInd>'
  t.equal(await name('CRDT', both), 'Anna')
  t.equal(await name('DBIT', both), 'Anna', 'never the own account')
  t.equal(await name('CRDT', both, reversal), 'Anna')
  t.equal(await name('CRDT', strangers), 'Anna')
  t.equal(await name('DBIT', strangers), 'Bert')
  t.equal(await name('CRDT', strangers, reversal), 'Bert', 'a reversed debit')
  t.equal(await name('DBIT', strangers, reversal), 'Anna', 'a reversed credit')
  t.equal(await name('CRDT', parties(party('Dbtr', 'Anna', OTHER), ''), reversal), 'Anna')
  const own = parties('', '<Cdtr><Nm>Erika Muster</Nm></Cdtr>')
  t.equal(await name('CRDT', own), undefined, 'the own name is no counterpart')
  const behind = parties('<UltmtDbtr><Nm>Clara</Nm></UltmtDbtr>', '')
  t.equal(await name('CRDT', behind), 'Clara')
})

test('returns, charges and original amounts', async (t) => {
  const content = entry({
    ...{ amount: '105.00', direction: 'DBIT', head: '<RvslInd>true</RvslInd>' },
    details: details(
      '<Refs><EndToEndId>E-1</EndToEndId></Refs>' +
        '<AmtDtls><InstdAmt><Amt Ccy="EUR">100.00</Amt></InstdAmt></AmtDtls>' +
        '<Chrgs><Rcrd><Amt Ccy="EUR">5.00</Amt></Rcrd><Rcrd><Amt Ccy="EUR">0</Amt></Rcrd></Chrgs>' +
        '<RmtInf><Ustrd>Beitrag</Ustrd></RmtInf><RtrInf><Rsn><Cd>MS03</Cd></Rsn>' +
        '<AddtlInf>no reason</AddtlInf></RtrInf>',
    ),
  })
  t.match(await onlyIn(content), {
    ...{ amount: '-105', original: '-100', originalCurrency: 'EUR', endToEndReference: 'E-1' },
    purpose: 'Beitrag Return MS03 no reason Charges 5 EUR',
  })
  const abroad = entry({
    tail: '',
    head:
      '<AmtDtls><InstdAmt><Amt Ccy="EUR">10</Amt></InstdAmt><TxAmt><Amt Ccy="USD">10.85</Amt>' +
      '</TxAmt></AmtDtls><Chrgs><Amt Ccy="EUR">0.5</Amt></Chrgs>',
  })
  const found = await onlyIn(abroad)
  t.match(found, { original: '10.85', originalCurrency: 'USD', purpose: 'Charges 0.5 EUR' })
  t.equal((await onlyIn(entry()))['original'], undefined)
})

test('only booked entries are transactions', async (t) => {
  const choice = (code: string): string => `<Sts><Cd>${code}</Cd></Sts>`
  const statuses = ['<Sts>PDNG</Sts>', choice('PDNG'), choice('BOOK'), choice('FUTR'), '']
  const outcome = await readAll(
    readCamt053,
    message(statuses.map((status) => entry({ status })).join('')),
  )
  t.equal(transactionsOf(outcome).length, 2)
  t.same(messagesOf(outcome), [
    'entry 1 (line 5): has the status PDNG, is not booked, and is left out; ' +
      'the same holds for 1 more entry',
    'entry 4 (line 8): has the status FUTR, is not booked, and is left out',
  ])
})

test('type: booking text, name of a German code, words of the bank, domain', async (t) => {
  const typeOf = async (code: string, tail = ''): Promise<unknown[]> => {
    const remittance = details('<RmtInf><Ustrd>x</Ustrd></RmtInf>')
    const head = `<BkTxCd>${code}</BkTxCd>`
    const found = await onlyIn(entry({ head, tail, details: remittance }))
    return [found['type'], found['primanota'], found['purpose']]
  }
  const text = '<AddtlNtryInf>GEHALT</AddtlNtryInf>'
  const domain = '<Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn>'
  const german = '<Prtry><Cd>NTRF+153+00931+000</Cd><Issr>DK</Issr></Prtry>'
  t.same(await typeOf(domain + german, text), ['GEHALT', '00931', 'x'])
  t.same(await typeOf(domain + german), ['SEPA-Gehaltsgutschrift', '00931', 'x'])
  t.same(await typeOf(`${domain}<Prtry><Cd>Wire</Cd></Prtry>`), ['Wire', undefined, 'x'])
  t.same(await typeOf(`${domain}<Prtry><Cd>544</Cd></Prtry>`), ['PMNT-RCDT-ESCT', undefined, 'x'])
  t.same(await typeOf('<Prtry><Cd>544</Cd></Prtry>'), ['544', undefined, 'x'])
  t.match(await onlyIn(entry({ tail: text })), { purpose: 'GEHALT', type: undefined })
})

test('balances follow the entries: opening booked before previous closing', async (t) => {
  const content =
    balance('PRCD', '1.00') +
    balance('OPBD', '2.00') +
    balance('ITBD', '3') +
    balance('CLBD', '12.00', 'DBIT') +
    balance('CLBD', '7', 'CRDT', 'USD') +
    balance('CLAV', '9') +
    entry()
  const { events } = await readAll(readCamt053, message(content))
  t.same(
    events.slice(2),
    [
      ...[{ kind: 'opening', amount: { unscaled: 2, scale: 0 }, currency: 'EUR' }],
      ...[{ kind: 'closing', amount: { unscaled: -12, scale: 0 }, currency: 'EUR' }],
      ...[{ kind: 'closing', amount: { unscaled: 7, scale: 0 }, currency: 'USD' }],
    ].map((each) => ({ kind: 'balance', balance: { ...each, at: Date.UTC(2024, 4, 31) } })),
  )
  const previous = await readAll(readCamt053, message(balance('PRCD', '1.00')))
  t.match(previous.events[1], { kind: 'balance', balance: { kind: 'opening' } })
  const bad = await readAll(readCamt053, message(balance('OPBD', 'x')))
  t.match(messagesOf(bad), [/^line 5: Bal OPBD Amt: "x" is not a decimal number/])
})

test('the own account: IBAN, other ids, names, bank, currency of the first amount', async (t) => {
  const accountOf = async (
    account: string,
    content = entry({ currency: 'CHF' }),
  ): Promise<unknown> => {
    const { events } = await readAll(readCamt053, message(content, { account }))
    return events.find((event) => event.kind === 'account')
  }
  const full =
    '<Acct><Id><IBAN>de89 3704 0044 0532 0130 00</IBAN></Id><Ccy>EUR</Ccy><Nm>Giro</Nm>' +
    '<Ownr><Nm>Erika</Nm></Ownr><Svcr><FinInstnId><BICFI>COBADEFFXXX</BICFI><ClrSysMmbId>' +
    '<ClrSysId><Cd>DEBLZ</Cd></ClrSysId><MmbId>37040044</MmbId></ClrSysMmbId><Nm>Commerzbank</Nm>' +
    '</FinInstnId></Svcr></Acct>'
  t.same(await accountOf(full), {
    kind: 'account',
    account: {
      ...{ iban: OWN, currency: 'EUR', name: 'Giro', holderName: 'Erika', blz: '37040044' },
      ...{ bankName: 'Commerzbank', bic: 'COBADEFFXXX' },
    },
  })
  const other = (id: string): string => `<Acct><Id><Othr><Id>${id}</Id></Othr></Id></Acct>`
  t.same(await accountOf(other('4711')), {
    ...{ kind: 'account', account: { accountNumber: '4711', currency: 'CHF' } },
  })
  t.same(await accountOf(other(OWN), ''), { kind: 'account', account: { iban: OWN } })
  const nameless = message(entry(), { account: '<Acct><Id/></Acct>' })
  t.match(
    (await readAll(readCamt053, nameless)).error?.message,
    /^line 4, Acct: .*names no account/,
  )
  const given = await readAll(readCamt053, nameless, { account: OWN })
  t.match(given.events[0], { account: { iban: OWN, currency: 'EUR' } })
  const none = await readAll(readCamt053, message('', { account: '' }))
  t.match(none.error?.message, /^line 4, Acct: the statement names no account/)
})

test('equal references of one file stay apart, and are the same in another file', async (t) => {
  const head = '<AcctSvcrRef>R</AcctSvcrRef>'
  const referencesIn = async (...entries: string[]): Promise<unknown[]> =>
    (await transactionsIn(entries.join(''))).map(({ bankReference }) => bankReference)
  const nextDay = entry({ head }).replace('2024-05-31', '2024-06-03')
  t.same(
    await referencesIn(entry({ head }), entry({ head }), entry({ head, amount: '2' }), nextDay),
    ['R 2024-05-31 10 EUR', 'R 2024-05-31 10 EUR #2', 'R 2024-05-31 2 EUR', 'R 2024-06-03 10 EUR'],
  )
  t.same(await referencesIn(nextDay), ['R 2024-06-03 10 EUR'])
  const part = (refs: string): string => details(`<Refs>${refs}</Refs><Amt Ccy="EUR">5</Amt>`)
  const own = (reference: string): string => part(`<AcctSvcrRef>${reference}</AcctSvcrRef>`)
  t.same(await referencesIn(entry({ head, details: own('A') + own('B') })), [
    'A 2024-05-31 5 EUR',
    'B 2024-05-31 5 EUR',
  ])
  t.same(await referencesIn(entry({ head, details: own('A') + own('A') })), [
    'R/1 2024-05-31 5 EUR',
    'R/2 2024-05-31 5 EUR',
  ])
  t.same(await referencesIn(entry({ details: part('<TxId>T</TxId>') + part('') })), [
    'T 2024-05-31 5 EUR',
    undefined,
  ])
  t.same(await referencesIn(entry({ head: '<AcctSvcrRef>NONREF</AcctSvcrRef>' })), [undefined])
})

test('dates are the days in the file, whatever the offset', async (t) => {
  const dated = (text: string): string =>
    entry().replace('<BookgDt><Dt>2024-05-31</Dt>', `<BookgDt>${text}`)
  for (const text of [
    '<DtTm>2024-05-31T00:30:00.123+02:00</DtTm>',
    '<DtTm>2024-05-31T23:59:59Z</DtTm>',
    '<Dt>2024-05-31+14:00</Dt>',
  ]) {
    t.equal((await onlyIn(dated(text)))['booked'], '2024-05-31', text)
  }
})

test('an unreadable entry is refused with entry, line, field, found, expected', async (t) => {
  const wrong: [string, RegExp][] = [
    [entry({ amount: '12..34' }), /Amt: "12\.\.34" is not a decimal.* example 1234\.56$/],
    [entry({ amount: '1,5' }), /Amt: "1,5" is not a decimal/],
    [entry({ amount: '-5' }), /Amt: "-5" is not a decimal/],
    [entry({ amount: '1e3' }), /Amt: "1e3" is not a decimal/],
    [entry({ amount: '0.000001' }), /Amt: "0\.000001" has more than 5 decimals/],
    [entry({ amount: '1234567890123456' }), /Amt: .* has more than 15 digits/],
    [entry({ currency: 'Euro' }), /Amt Ccy: the currency "Euro" is not valid.* example EUR$/],
    [entry({ direction: 'PLUS' }), /CdtDbtInd: "PLUS" is unknown; expected CRDT or DBIT$/],
    [entry({ direction: '' }), /CdtDbtInd: is absent; expected CRDT or DBIT$/],
    [
      entry().replace('2024-05-31', '2024-02-30'),
      /BookgDt: "2024-02-30" is not a date.*2024-05-31$/,
    ],
    [entry().replace('2024-06-01', '01.06.24'), /ValDt: "01\.06\.24" is not a date/],
    [entry().replace(/<Amt.*<\/Amt>/, ''), /Amt: is absent/],
    [entry({ tail: `<AddtlNtryInf>${'x'.repeat(10_001)}</AddtlNtryInf>` }), /purpose: is longer/],
  ]
  for (const [content, expected] of wrong) {
    const outcome = await readAll(readCamt053, message(`${content}${entry()}`))
    t.equal(outcome.error, undefined)
    t.match(messagesOf(outcome), [new RegExp(`^entry 1 \\(line 5\\), ${expected.source}`)])
    t.equal(transactionsOf(outcome).length, 1, 'the next entry is read')
  }
  const exact = await onlyIn(entry({ amount: '123456789.12345' }))
  t.equal(exact['amount'], '123456789.12345', 'five decimals are exact')
})

test('the events do not depend on how the text is cut', async () => {
  const text = message(
    balance('OPBD', '1') +
      entry({ details: details(party('Dbtr', 'Änne &#x1F600; 𝄞', OTHER)) }) +
      entry({ amount: 'x' }) +
      entry({ details: details('<Amt Ccy="EUR">4</Amt>') + details('<Amt Ccy="EUR">6</Amt>') }),
  ).replaceAll('\n', '\r\n')
  for (const whole of [text, text.slice(0, -40), text.replace('</NtryDtls>', '&bad;')]) {
    const { events, error } = await readAll(readCamt053, whole)
    await assertProperty(
      fc.asyncProperty(cuttings(whole), async (pieces) => {
        const cut = await readAll(readCamt053, pieces)
        assert.deepEqual([cut.events, cut.error?.message], [events, error?.message])
      }),
      { numRuns: 60 },
    )
  }
})

test('changed bytes are read or refused, and never anything else', async () => {
  const bytes = Buffer.from(
    message(
      balance('OPBD', '1') + entry({ details: details(party('Dbtr', 'Ä', OTHER)) }) + entry(),
    ),
  )
  await assertProperty(
    fc.asyncProperty(mutations(bytes), async (mutated) => {
      const { events, error } = await readAll(readCamt053, decodeStatement(piecesOf([mutated])))
      assert.ok(error !== undefined || events.length > 0)
    }),
    { numRuns: 500 },
  )
})
