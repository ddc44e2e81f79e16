// The real MT940 files of KONTOR_MORE_STATEMENTS: how each is read, and what was wrong in them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { readMt940 } from '../../../src/statements/mt940/mt940.js'
import {
  balanceGaps,
  messagesOf,
  type Outcome,
  plain,
  readFile,
  realFiles,
  transactionsOf,
} from '../../fixtures/statement-reading.js'

interface MoreFile {
  readonly name: string
  readonly bytes: Buffer
}

/** The files with MT940 entries, in name order; none where there is no folder of them. */
function moreFiles(t: Test): MoreFile[] {
  const folder = process.env['KONTOR_MORE_STATEMENTS'] ?? ''
  if (!existsSync(folder)) {
    t.comment('KONTOR_MORE_STATEMENTS names no folder of real files')
    return []
  }
  return readdirSync(folder)
    .sort()
    .filter((name) => !/\.(md|yml|ofx|xml|csv)$/.test(name))
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
    .filter(({ bytes }) => /^:61:/m.test(bytes.toString('latin1')))
}

/** Files with entries that are refused: fragments without an account, and a torn line. */
const REFUSED: Readonly<Record<string, number>> = {
  'railslove+cmxl__spec~fixtures~statement-mt940.txt': 2,
  'wolph+mt940__mt940_tests~betterplace~empty_entry_date.sta': 1,
  'wolph+mt940__mt940_tests~cmxl~statement_line.sta': 1,
  'wolph+mt940__mt940_tests~self-provided~sparkassen.sta': 1,
}

/** The end of a file's name. */
const short = (name: string): string => name.split('~').slice(-2).join('~')

/** Fields of entries by the end of the file's name and the number of the entry, from 0. */
async function check(
  t: Test,
  end: string,
  expected: Readonly<Record<number, Readonly<Record<string, unknown>>>>,
): Promise<void> {
  const file = moreFiles(t).find(({ name }) => name.endsWith(end))
  if (file === undefined) return
  const found = transactionsOf(await readFile(readMt940, file.bytes)).map(plain)
  for (const [number, fields] of Object.entries(expected)) {
    const entry = found[Number(number)] ?? {}
    const named = Object.keys(fields).map((field) => [field, entry[field]])
    t.same(Object.fromEntries(named), fields, `${end} entry ${number}`)
  }
}

test('every entry of the real files is read', async (t) => {
  for (const { name, bytes } of moreFiles(t)) {
    const outcome = await readFile(readMt940, bytes)
    t.equal(outcome.error, undefined, name)
    const expected = bytes.toString('latin1').match(/^:61:/gm)?.length ?? 0
    const refusedCount = outcome.events.filter(({ kind }) => kind === 'refused').length
    t.equal(refusedCount, REFUSED[name] ?? 0, `${short(name)}: refused`)
    t.equal(transactionsOf(outcome).length + refusedCount, expected, `${short(name)}: entries`)
    t.comment(`${short(name)}: ${expected} entries, gaps ${balanceGaps(outcome)}`)
  }
})

test('a file whose blanks are lost at the wrap is read like its twin that has them', async (t) => {
  const trimmed = moreFiles(t).find(({ name }) => name.endsWith('betterplace~sepa_mt9401.sta'))
  const whole = realFiles(t, 'mt940').find(({ name }) => name === 'betterplace__sepa_mt9401.txt')
  if (trimmed === undefined || whole === undefined) return
  const rowsOf = (outcome: Outcome): unknown[] =>
    transactionsOf(outcome).map(({ position: _, ...row }) => row)
  const [left, right] = [trimmed, whole].map(({ bytes }) => readFile(readMt940, bytes))
  if (left === undefined || right === undefined) return
  t.same(rowsOf(await left), rowsOf(await right))
})

test('references have no closing slashes, and accounts need not be IBANs', async (t) => {
  await check(t, 'ing~ing_00_00.txt', {
    0: {
      endToEndReference: '0000008668-0000000000-001',
      purpose: 'KASSA VERZAMELFACTUUR DINSDAG 2 ABC-654321 05/31/2017 00:00:00',
      counterpart: {
        ...{ iban: 'NL88INGB0999999999', bic: 'INGBNL2A', name: 'RAAMEN NV' },
        ...{ mandateReference: '00004444-001', creditorId: 'NL53ZZZ341191060000' },
      },
    },
  })
  await check(t, 'triodos_iban_2.txt', {
    0: { endToEndReference: '7293-201801001' },
    1: {
      endToEndReference: undefined,
      purpose: 'Factuurnummer 201801-001 3000AA WESTBEEN Nederland',
    },
  })
  await check(t, 'ing~mt940_iban.txt', { 7: { counterpart: { accountNumber: '0007654332' } } })
  await check(t, 'Knab~sample2', {
    0: {
      counterpart: {
        ...{ accountNumber: '123', bic: 'SXPYDEHHXXX', name: 'STRIPE PAYMENTS UK LTD' },
      },
    },
  })
  await check(t, 'dovadi+mt940__test~fixtures~ing_sepa.txt', {
    0: { counterpart: { customerReference: 'EV41411REP170112' } },
  })
})

test('text without a key is the purpose', async (t) => {
  await check(t, 'Hsbc~sample', {
    0: {
      ...{ original: '-2853.12', originalCurrency: 'USD' },
      purpose:
        'PAYMENT OF INVOICES 204011665 20401 1687 /OGB/WXXXXX BANKING CORPORATION ' +
        '/VA/123456XXXXXX BENEFICIARY INFO',
    },
  })
  await check(t, 'Kbs~sample', {
    2: {
      purpose: '747//747 Uplata po faktura 747',
      counterpart: { accountNumber: '300000000460495', name: 'IVOTEHNA DOOEL SKOPJE' },
    },
  })
  await check(t, 'zilverline+mt940__spec~fixtures~deutsche_bank.txt', {
    0: { purpose: 'DE38XXZ76536723768 335?960.484.7561 7SF91D5 DFA48' },
  })
  await check(t, 'self-provided~wrapped_timestamp.sta', {
    0: {
      purpose: 'ABCDEFGHIJKLMNOPQRSTUVW /PL 12-09-2014T16:26:37 Fo lgenr. 007',
      counterpart: { mandateReference: '000000', creditorId: 'XX0000000000000000' },
    },
  })
})

test('short lines of the slash form are separate lines', async (t) => {
  await check(t, 'dovadi+mt940__test~fixtures~rabobank_sepa.txt', {
    1: { purpose: 'NR.201303-111/11.3.2013 NR.201303-112/11.3.2013' },
    11: {
      purpose: '1000122-P5549161',
      counterpart: {
        ...{ iban: 'NL54INGB0006752576', bic: 'INGBNL2A' },
        name: 'Hr A B Huibers en/of Mw S L Huibers-Huveneers',
      },
    },
  })
  await check(t, 'ing~unstructured_remi.txt', {
    1: {
      purpose:
        'Absede ASDFGHJ NLD 13-03-2015 10:23 TERMINALID: 3ABC01 PASVOLGNR: 001 ' +
        'TRANSACTIENR: 11K111',
    },
  })
})

test('the forms of ABN AMRO, ASN, Knab, SNS and Triodos are read', async (t) => {
  await check(t, 'abn~abn_sepa_overboeking.txt', {
    0: {
      ...{ type: 'SEPA OVERBOEKING', purpose: '1412DEC 2015 CONSULTING' },
      endToEndReference: '7541410',
      counterpart: {
        ...{ iban: 'NL56CHAS0101010101', bic: 'CHASNL2XXXX' },
        name: 'AA GHGHGH NETHERLANDS B.V.',
      },
    },
  })
  await check(t, 'abn~abnamro_structured.txt', {
    3: {
      purpose: '4851430136 0030000735822580 NS E-TICKET(S)',
      endToEndReference: '26-01-2014 18:14 0030000735822580',
    },
  })
  await check(t, 'Asn~sample', {
    1: {
      ...{ type: 'Zakelijke Europese Incasso', endToEndReference: '1755481/5570' },
      counterpart: {
        ...{ iban: 'NL44ABNA0548041814', bic: 'ABNANL2A', name: 'multi tank card bv' },
        ...{ mandateReference: 'MTC244K', creditorId: 'NL36ZZZ340698640000' },
      },
    },
  })
  await check(t, 'knab~knab_invalid.txt', {
    0: { purpose: 'LUTJEBROEK 09-07-2015 12:45 PAS: 2222', counterpart: { name: 'BVN' } },
  })
  const sns = { accountNumber: '0987654321', name: 'marechal s' }
  for (const end of ['wolph+mt940__mt940_tests~jejik~sns.sta', 'full~jejik~sns.sta']) {
    await check(t, end, {
      0: { purpose: 'dit is een test', counterpart: sns, type: undefined },
    })
  }
  await check(t, 'fixtures~triodos_iban.txt', {
    0: {
      purpose:
        'METSELAARBAASIK PAARDENA POSTBUS 969 8888BB UTRETRECH NEDERLAND STORTING ' +
        'AANDELENKAPITAAL ZAAK NR 40000',
      counterpart: { iban: 'NL12RABO0888888888', bic: 'RABONL2U' },
    },
  })
})

test('a lone dash stays in the text, and an account may have its currency', async (t) => {
  for (const { name, bytes } of moreFiles(t)) {
    if (name.endsWith('dash_as_start_of_line.txt')) {
      const outcome = await readFile(readMt940, bytes)
      t.same(balanceGaps(outcome), ['0 EUR'], 'the closing balance is the statement’s')
      t.notMatch(messagesOf(outcome).join(), /no closing balance/)
    }
    if (!name.endsWith('two_accounts.txt')) continue
    const { events } = await readFile(readMt940, bytes)
    const accounts = events.flatMap((event) => (event.kind === 'account' ? [event.account] : []))
    t.same(accounts[0], { accountNumber: '1567.50.961', currency: 'EUR' })
    t.same(accounts[2], { accountNumber: '3462.483.153', currency: 'EUR' })
  }
  await check(t, 'docs~MT940_voorbeeldbestanden_abnamro.txt', { 11: { amount: '-1.01' } })
})
