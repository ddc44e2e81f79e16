// The classes in which a reference has two spellings.
import type { Random } from '../../src/demo/random.js'
import { purposeEndingWith } from './context.js'
import { type FoundNoise, found, type Noise, type Write } from './noise.js'
import {
  anyReference,
  compacted,
  creditorReference,
  groupedNumber,
  letteredNumber,
  mixedMandate,
  numberOf,
  paddedInvoice,
  plainNumber,
  printed,
  type Reference,
  yearInvoice,
} from './reference.js'

/** Words for an invoice. */
const INVOICE_WORDS = [
  'Facture',
  'Rechnung',
  'Rg.Nr.',
  'Rechnungsnr.',
  'Invoice No.',
  'Invoice',
  'Fattura',
  'Factuur',
  'Factura',
  'RE-NR',
  'Re.',
]

const MISSPELT_WORDS = ['Rechnugn', 'Rehcnung', 'Rechnng', 'Recnung', 'Invocie', 'Fatcure']

/** An invoice, whose prefix other writers may replace by another word. */
function invoice(random: Random): Reference {
  const reference = random.chance(600) ? yearInvoice(random) : paddedInvoice(random)
  return { ...reference, prefix: random.pick(['RE', 'RG', 'INV']) }
}

/** A reference with gaps between its parts. */
function gapped(random: Random): Reference {
  return random.chance(700) ? yearInvoice(random) : groupedNumber(random)
}

const lower: Write = (reference) => printed(reference).toLowerCase()

const spaced: Write = ({ prefix, parts }) => [prefix, ...parts].join(' ').trim()

const repunctuated: Write = (reference, random) => {
  const [prefixGap = '', gap = ''] = random.pick([
    ['.', '/'],
    [' ', '/'],
    [': ', '-'],
    ['/', '.'],
    ['-', '_'],
  ])
  return printed({ ...reference, prefixGap, gap })
}

const forbidden: Write = (reference, random) => {
  const [prefixGap = '', gap = ''] = random.pick([
    ['#', '_'],
    ['_', '*'],
    ['*', '#'],
  ])
  return printed({ ...reference, prefixGap, gap })
}

const stripped: Write = (reference) =>
  printed({ ...reference, parts: reference.parts.map((part) => part.replace(/^0+(?=.)/, '')) })

const padded: Write = (reference, random) => {
  const [last = ''] = reference.parts.slice(-1)
  const zeros = '0'.repeat(random.between(1, 3))
  return printed({ ...reference, parts: reference.parts.with(-1, zeros + last) })
}

/** A blank within the number, as the line length of a bank form produces it. */
const broken: Write = (reference, random) => {
  const text = printed(reference)
  const at = text.length - random.between(1, numberOf(reference).length - 1)
  return `${text.slice(0, at)} ${text.slice(at)}`
}

const LOOK_ALIKES = new Map([
  ['0', 'O'],
  ['1', 'I'],
  ['5', 'S'],
  ['8', 'B'],
  ['2', 'Z'],
])

/** One or two digits read as letters. */
const misread: Write = (reference, random) => {
  const number = numberOf(reference)
  const places = [...number].flatMap((digit, at) => (LOOK_ALIKES.has(digit) ? [at] : []))
  const chosen = [random.pick(places), ...(random.chance(300) ? [random.pick(places)] : [])]
  const read = [...number].map((digit, at) =>
    chosen.includes(at) ? (LOOK_ALIKES.get(digit) ?? digit) : digit,
  )
  return printed({ ...reference, parts: [read.join('')] })
}

/** A reference with a digit that looks like a letter. */
function misreadable(random: Random): Reference {
  for (;;) {
    const reference = anyReference(random)
    if (/[01258]/.test(numberOf(reference))) return reference
  }
}

/** A different letter in the prefix. */
const mistypedPrefix: Write = (reference, random) => {
  const { prefix } = reference
  const places = [...prefix].flatMap((character, at) => (/\d/.test(character) ? [] : [at]))
  const at = random.pick(places)
  const other = random.pick([...'WXVY'].filter((letter) => letter !== prefix.charAt(at)))
  return printed({ ...reference, prefix: prefix.slice(0, at) + other + prefix.slice(at + 1) })
}

/** Letters of the prefix that can be Cyrillic. */
const CYRILLIC = new Map([
  ['A', 'А'],
  ['B', 'В'],
  ['E', 'Е'],
  ['K', 'К'],
  ['P', 'Р'],
  ['C', 'С'],
])

const cyrillic: Write = (reference) => {
  const prefix = [...reference.prefix].map((letter) => CYRILLIC.get(letter) ?? letter).join('')
  return printed({ ...reference, prefix })
}

const fullWidth: Write = (reference) =>
  [...printed(reference)]
    .map((character) => {
      const code = character.charCodeAt(0)
      return code > 0x20 && code < 0x7f ? String.fromCharCode(code + 0xfee0) : character
    })
    .join('')

/** One to three characters are cut off; at least six digits are left. */
const truncated: Write = (reference, random) => {
  const digitCount = numberOf(reference).replace(/\D/g, '').length
  return printed(reference).slice(0, -Math.min(random.between(1, 3), digitCount - 6))
}

function longNumber(random: Random): Reference {
  return random.pick([yearInvoice, groupedNumber, longPlainNumber])(random)
}

function longPlainNumber(random: Random): Reference {
  return { ...plainNumber(random), parts: [random.digits(random.between(9, 12))] }
}

const withWord =
  (words: readonly string[]): Write =>
  (reference, random) =>
    `${random.pick(words)} ${numberOf(reference)}`

const inMandateText = (text: string, random: Random): string =>
  random.pick([`MREF+${text} SVWZ+Beitrag`, `Mandat ${text}`, `Lastschrift ${text} Danke`])

const CASES: readonly FoundNoise[] = [
  { group: 'exact' },
  { group: 'lower', ask: lower },
  { group: 'in_e2e', field: 'endToEndReference' },
  { group: 'in_paypal', field: 'paypalInvoiceNumber' },
  { group: 'in_customer_ref', field: 'customerReference', ask: lower },
  { group: 'in_mandate', field: 'mandateReference', reference: mixedMandate, ask: compacted },
  {
    group: 'in_primanota',
    field: 'primanota',
    reference: (random) => ({ ...groupedNumber(random), prefix: '', gap: '/' }),
  },
  { group: 'compact', reference: gapped, ask: compacted },
  { group: 'doc_compact', reference: gapped, write: compacted },
  { group: 'spaced', reference: gapped, ask: spaced },
  { group: 'repunct', reference: gapped, ask: repunctuated },
  { group: 'doc_repunct', reference: gapped, write: repunctuated },
  { group: 'forbidden', reference: gapped, ask: forbidden, write: spaced },
  { group: 'prefix_variant', reference: invoice, ask: withWord(INVOICE_WORDS) },
  { group: 'number_only', reference: yearInvoice, ask: numberOf },
  { group: 'doc_number_only', reference: yearInvoice, write: numberOf, writeDecoy: numberOf },
  { group: 'leading_zero', reference: paddedInvoice, ask: stripped },
  { group: 'leading_zero_added', ask: padded },
  { group: 'linebreak', write: broken },
  { group: 'ocr', reference: misreadable, write: misread },
  { group: 'ocr_query', reference: misreadable, ask: misread },
  { group: 'typo_letter', reference: yearInvoice, ask: mistypedPrefix },
  { group: 'typo_letter_core', reference: letteredNumber, ask: mistypedPrefix },
  { group: 'typo_word', reference: invoice, ask: withWord(MISSPELT_WORDS) },
  { group: 'doc_typo_word', reference: invoice, write: withWord(MISSPELT_WORDS) },
  {
    group: 'doc_truncated',
    expectation: 'truncated',
    reference: longNumber,
    write: truncated,
    around: purposeEndingWith,
  },
  { group: 'mandate_letters', reference: mixedMandate, ask: lower, around: inMandateText },
  { group: 'rf', reference: creditorReference, write: compacted, writeDecoy: compacted },
  { group: 'doc_rf', reference: creditorReference, ask: compacted },
  { group: 'fullwidth', ask: fullWidth },
  { group: 'cyrillic', reference: yearInvoice, ask: cyrillic },
  { group: 'tie', truthCount: 2 },
]

/** All classes of this file. */
export const SPELLING_NOISE: readonly Noise[] = CASES.map(found)
