import fc from 'fast-check'
import { test } from 'tap'
import { joinSlashLines, readSlashKeywords } from '../../../src/statements/mt940/slash-keywords.js'
import { assertProperty } from '../../fixtures/assert-property.js'

/** The fields of physical lines. */
const fieldsOf = (...lines: string[]): object | undefined =>
  readSlashKeywords(joinSlashLines(lines))

test('Dutch slash keywords', async (t) => {
  t.same(
    readSlashKeywords(
      '/TRTP/SEPA Incasso/CSID/NL98ZZZ123/NAME/Naam/SA/MARF/M1/REMI/Nota 5/IBAN/BE21319980275903' +
        '/BIC/BBRUBEBB/EREF/NOTPROVIDED/RTRN/MS03',
    ),
    {
      ...{ type: 'SEPA Incasso', creditorId: 'NL98ZZZ123', name: 'Naam/SA', bic: 'BBRUBEBB' },
      ...{ mandateReference: 'M1', purpose: 'Nota 5 Return MS03', iban: 'BE21319980275903' },
    },
  )
  t.same(readSlashKeywords('/EREF/01-01 12:00/BENM//NAME/HOLDER/REMI//ISDT/2013-07-11'), {
    endToEndReference: '01-01 12:00',
    name: 'HOLDER',
  })
  t.same(readSlashKeywords('/CNTP/NL28RABO0154810691/RABONL2U/Name/Ede/REMI/USTD//text/'), {
    ...{ iban: 'NL28RABO0154810691', bic: 'RABONL2U', name: 'Name', purpose: 'text Ede' },
  })
  t.equal(readSlashKeywords('Rechnung /REMI/'), undefined)
})

test('the slashes that close a value are not part of a reference', async (t) => {
  t.same(
    readSlashKeywords(
      '/EREF/0000001234-001//MARF/00004321-001//CSID/NL53ZZZ341191060000//CNTP/' +
        'NL28RABO0154810691/RABONL2U/LADDERS NV///REMI/USTD//Nota 5//PURP/OTHR/',
    ),
    {
      endToEndReference: '0000001234-001',
      mandateReference: '00004321-001',
      creditorId: 'NL53ZZZ341191060000',
      ...{ iban: 'NL28RABO0154810691', bic: 'RABONL2U', name: 'LADDERS NV' },
      ...{ purpose: 'Nota 5', purposeCode: 'OTHR' },
    },
  )
  t.same(readSlashKeywords('/EREF/NOTPROVIDED//REMI/USTD//x/'), { purpose: 'x' })
})

test('text without a key is the purpose', async (t) => {
  t.same(
    fieldsOf(
      '/OCMT/USD1234,50/',
      'PAYMENT OF INVOICES 4711',
      '/OGB/EXAMPLE BANK /VA/123XX',
      'BENEFICIARY INFO',
    ),
    {
      ...{ originalAmount: { unscaled: 12345, scale: 1 }, originalCurrency: 'USD' },
      purpose: 'PAYMENT OF INVOICES 4711 /OGB/EXAMPLE BANK /VA/123XX BENEFICIARY INFO',
    },
  )
  t.same(readSlashKeywords('/OCMT/viel/REMI/x'), { purpose: 'x /OCMT/viel' })
  t.same(
    fieldsOf('/BENM/300000000000999', '/PRIMER DOO SKOPJE', '/12//34-56', '/Uplata po faktura 12'),
    {
      ...{ accountNumber: '300000000000999', name: 'PRIMER DOO SKOPJE' },
      purpose: '12//34-56 Uplata po faktura 12',
    },
  )
  t.same(readSlashKeywords('/ORDP/no account/REMI/x'), { purpose: 'x no account' })
  t.same(readSlashKeywords('/REMI/a/EREF/1/EREF/2/CHGS/EUR0,50/EXCH/1,08/REMI/b'), {
    ...{ endToEndReference: '1', purpose: 'a b /EREF/2 Charges EUR0,50 Exchange rate 1,08' },
  })
  t.same(readSlashKeywords(`/EREF/${'x'.repeat(36)}/REMI/y`), {
    purpose: `y /EREF/${'x'.repeat(36)}`,
  })
  t.same(readSlashKeywords('/PREF/PmtInfId-20151208-123/OR SOMETHING ELSE'), {
    ...{ customerReference: 'PmtInfId-20151208-123', purpose: 'OR SOMETHING ELSE' },
  })
})

test('no text disappears behind a key', async (t) => {
  t.same(readSlashKeywords('/ISDT/2024-01-02/BELANGRIJK/lees dit'), {
    purpose: 'BELANGRIJK/lees dit',
  })
  t.same(readSlashKeywords('/NRTX/3/TRCD/00100/PIND/BRUTO'), { purpose: '/PIND/BRUTO' })
  t.same(readSlashKeywords('/ISDT/2024-01-023/x'), { purpose: '/ISDT/2024-01-023/x' })
  const counterpart = { iban: 'NL28RABO0154810691', bic: 'RABONL2U' }
  t.same(readSlashKeywords('/CNTP/NL28RABO0154810691/RABONL2U/Jan/Jansen B.V./Ede/REMI/x'), {
    ...{ ...counterpart, name: 'Jan', purpose: 'x Jansen B.V./Ede' },
  })
  t.same(readSlashKeywords('/ORDP//ID/4711/NAME/N/ADDR/Street 1/REMI/x'), {
    ...{ name: 'N', purpose: 'x /ID/4711 /ADDR/Street 1' },
  })
  t.same(readSlashKeywords('/IBAN/NL28RABO0154810691 lees dit/BIC/RABONL2U dit ook/REMI/x'), {
    ...{ ...counterpart, purpose: 'x lees dit dit ook' },
  })
  t.same(readSlashKeywords('/IBAN/NL28RABO0154810691/IBAN/BE21319980275903/BIC/RABO/REMI/x'), {
    ...{ iban: 'NL28RABO0154810691', purpose: 'x /IBAN/BE21319980275903 /BIC/RABO' },
  })
  t.same(readSlashKeywords('/PURP/CD/SALA/januari/CSID/NL53ZZZ341191060000 tekst/UDTR/A/7//'), {
    ...{ purposeCode: 'SALA', creditorId: 'NL53ZZZ341191060000', ultimateDebtor: 'A' },
    purpose: 'januari tekst 7',
  })
  t.same(readSlashKeywords('/NAME/A/NAME/B/TRTP/C/TRTP/D/PURP/iets'), {
    ...{ name: 'A', type: 'C', purpose: '/NAME/B /TRTP/D /PURP/iets' },
  })
})

test('every word of a text with keys is in a field or in the purpose', async () => {
  const word = fc.stringMatching(/^[A-Z]{5,8}[a-z]{3}$/)
  const key = fc.constantFrom('IBAN', 'BIC', 'NAME', 'CNTP', 'ACCW', 'CSID', 'PURP', 'UDTR', 'ISDT')
  const part = fc.record({ key, words: fc.array(word, { minLength: 1, maxLength: 4 }) })
  assertProperty(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const text = parts.map((each) => `/${each.key}/${each.words.join('/')}`).join('')
      const read = JSON.stringify(readSlashKeywords(text) ?? {}).toLowerCase()
      const lost = parts
        .flatMap(({ words }) => words)
        .find((each) => !read.includes(each.toLowerCase()))
      if (lost !== undefined) throw new Error(`${lost} of ${text} is lost: ${read}`)
    }),
  )
})

test('a counterpart account that is not an IBAN is an account number', async (t) => {
  t.same(readSlashKeywords('/CNTP/0007654321/////REMI/USTD//NAAR Spaarrekening/'), {
    ...{ accountNumber: '0007654321', purpose: 'NAAR Spaarrekening' },
  })
  t.same(readSlashKeywords('/TRTP/SEPA OVERBOEKING/BBAN/53851311/BIC/KNABNL2HXXX/NAME/N/REMI/x'), {
    ...{ type: 'SEPA OVERBOEKING', accountNumber: '53851311', bic: 'KNABNL2HXXX' },
    ...{ name: 'N', purpose: 'x' },
  })
  t.same(readSlashKeywords('/TRTP/OVERBOEKING/IBAN/123/REMI/x'), {
    ...{ type: 'OVERBOEKING', accountNumber: '123', purpose: 'x' },
  })
  t.same(readSlashKeywords('/ACCW/NL28RABO0154810691,RABONL2U/ORDP//NAME/Hr A/REMI/1000'), {
    ...{ iban: 'NL28RABO0154810691', bic: 'RABONL2U', name: 'Hr A', purpose: '1000' },
  })
})

test('a structured reference of Rabobank is the purpose', async (t) => {
  t.same(readSlashKeywords('/REMI//CDTRREFTP//CD/SCOR/ISSR/CUR/CDTRREF/6000000000012345'), {
    purpose: '6000000000012345',
  })
})

test('short lines are separate lines, and wrapped ones continue', async (t) => {
  t.match(fieldsOf('/ORDP//NAME/X/REMI/NR.201503-111/11.3.2015', 'NR.201503-112/11.3.2015'), {
    purpose: 'NR.201503-111/11.3.2015 NR.201503-112/11.3.2015',
  })
  const full = `/ORDP//NAME/X/REMI/${'x'.repeat(46)}`
  t.match(fieldsOf(full, 'y'), { purpose: `${'x'.repeat(46)}y` })
  t.match(fieldsOf(full.slice(0, -4), 'y'), { purpose: `${'x'.repeat(42)}y` }, 'nearly full')
  t.match(fieldsOf('/EREF/NOTPROVIDED//RE', 'MI/USTD//Nota 201801-00', '1/'), {
    purpose: 'Nota 201801-001',
  })
})
