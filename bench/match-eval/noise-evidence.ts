// The classes in which digits or letters are no evidence of a reference, or more than they seem.
import type { Random } from '../../src/demo/random.js'
import { digitKey, type MatchTexts, NO_TEXTS } from './candidate.js'
import { date, isoDate, name, purposeWith, slashDate } from './context.js'
import {
  absent,
  digitTrace,
  found,
  type Noise,
  purposeOf,
  type Trace,
  type Write,
} from './noise.js'
import { compacted, numberOf, printed, type Reference, yearInvoice } from './reference.js'

function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

function compactTraceOf(text: string): Trace {
  return { kind: 'compact', text: text.toUpperCase().replace(/[^A-Z\d]/g, '') }
}

/** An amount with two decimals, in one of the notations of the world. */
function amountText(random: Random): string {
  const whole = random.between(1_000, 99_999)
  const cents = String(random.between(10, 99))
  const thousands = String(Math.floor(whole / 1_000))
  const rest = String(whole % 1_000).padStart(3, '0')
  const currency = random.pick(['EUR', 'CHF', 'USD', 'GBP', 'SEK', 'PLN', 'DKK', 'NOK'])
  return random.pick([
    `${currency} ${thousands}'${rest}.${cents}`,
    `${thousands}'${rest}.${cents}`,
    `${thousands}.${rest},${cents} ${currency}`,
    `${thousands} ${rest},${cents} ${currency}`,
    `${currency} ${thousands},${rest}.${cents}`,
    `${whole}.${cents} ${currency}`,
    `${currency} ${whole},${cents}`,
    `${whole},${cents}`,
    `Betrag ${whole}.${cents}`,
  ])
}

/** `FX Rate: 1.162224` */
function rateText(random: Random): string {
  const rate = `${random.between(0, 3)}.${random.digits(6)}`
  return random.pick([`FX Rate: ${rate}`, `Kurs ${rate}`, `exchange rate ${rate}`])
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

function timeText(random: Random): string {
  const [hour, minute] = [random.between(10, 23), random.between(10, 59)]
  const second = random.between(10, 59)
  return random.pick([
    `${isoDate(random)}T${hour}:${minute}:${second}`,
    `${date(random).replaceAll('.', '-')}T${hour}:${minute}:${second}`,
    `${hour}:${minute}:${second}`,
    `${hour}.${minute} Uhr`,
    `${hour}:${minute}`,
  ])
}

function dateText(random: Random): string {
  return random.pick([
    date(random),
    isoDate(random),
    slashDate(random),
    date(random).replaceAll('.', '-'),
    `VR-${isoDate(random)} ${random.digits(2)}`,
  ])
}

/** Digits of which groups make a phone number. */
function phoneGroups(random: Random): string[] {
  return [random.digits(3), random.digits(random.between(6, 8))]
}

function phoneText([area = '', line = '']: readonly string[], random: Random): string {
  const spaced = `${line.slice(0, 3)} ${line.slice(3)}`
  return random.pick([
    `Tel. +49 (0)${area} ${line}`,
    `Tel 0${area}/${line}`,
    `Telefon 0${area} ${line}`,
    `Tel.: 0${area}-${line}`,
    `+41 ${area} ${spaced}`,
    `Phone: +1 ${area} ${spaced}`,
    `Fax 0${area} ${spaced}`,
    `tel:0${area}${line}`,
  ])
}

const ASKS: readonly ((digits: string) => string)[] = [
  (digits) => digits,
  (digits) => digits,
  (digits) => `Rechnung ${digits}`,
  (digits) => `RE ${digits}`,
  (digits) => `Invoice ${digits}`,
  (digits) => `Factuur ${digits}`,
]

/** The digits as others write them: a year, and a number with its own zeros. */
function keyOf(digits: string): string {
  return digitKey(digits.replace(/^(20[12]\d)-?(?=\d{4}$)/, '$1-'))
}

/** The digits of a text that is no reference, asked for as one. */
function digitsNoise(group: string, write: (random: Random) => readonly [string, string]): Noise {
  return absent({
    group,
    weight: 6,
    plant: (random) => {
      const [text, digits] = write(random)
      const query = random.pick(ASKS)(digits)
      const decoys = [purposeOf(`Kartenzahlung ${text} ${name(random)}`), purposeOf(text)]
      return { query, decoys, trace: { kind: 'digits', text: keyOf(digits) } }
    },
  })
}

/** A number that the text says is that of a shop, a street, an account, a date or a telephone. */
const otherNumber: Noise = absent({
  group: 'absent_other_number',
  weight: 6,
  plant: (random) => {
    const day = isoDate(random).replaceAll('-', '')
    const long = random.digits(random.between(7, 10))
    const [text, digits] = random.pick([
      [`${name(random)} DANKT`, random.digits(4)],
      [`${name(random)}strasse 12`, random.digits(4)],
      ['Betreft rekening', long],
      ['Konto Nr.', long],
      ['DAT.', day],
      [`${random.digits(3)}-`, random.digits(7)],
    ])
    const written = `${text} ${digits} ${name(random)}`.replace('- ', '-')
    const query = `${random.pick(['Rechnung', 'RE', 'Invoice', 'Factuur'])} ${digits}`
    const kind = digits.length < 6 ? 'group' : 'digits'
    return { query, decoys: [purposeOf(written)], trace: { kind, text: digits } }
  },
})

const IBAN_BODY = [16, 17] as const

/** An IBAN with correct check digits, and the account in it. */
function ibanText(random: Random): readonly [string, string] {
  const [country, length] = random.pick([['DE', 18] as const, ['CH', IBAN_BODY[1]] as const])
  const body = random.digits(length)
  const spelled = `${body}${[...country].map((letter) => letter.charCodeAt(0) - 55).join('')}00`
  const check = twoDigits(98 - Number(BigInt(spelled) % 97n))
  const iban = `${country}${check}${body}`
  const written = random.chance(500) ? iban : iban.replace(/(.{4})(?=.)/g, '$1 ')
  return [`Konto ${written}`, body.slice(-random.pick([7, 9, 10]))]
}

/** A small number in the pieces of an amount or a date whose separators were lost. */
const piece: Noise = absent({
  group: 'absent_piece',
  weight: 6,
  plant: (random) => {
    const small = random.pick([random.digits(2), random.digits(2), random.digits(3)])
    const [day, month, year] = [
      random.between(10, 28),
      random.pick(['October', 'March', 'Juli', 'August', 'Dezember', 'mai']),
      random.between(2012, 2026),
    ]
    const [query, texts] = random.pick([
      [
        `${random.pick(['INVOICE', 'RE', 'Factuur'])} ${small}`,
        [`${random.digits(3)} ${small} EUR`, `EUR ${random.digits(2)} ${small}`],
      ],
      [
        `${day} ${month} ${year}`,
        [`Miete ${day} Kiel`, `Termin ${year}`, `Kurs ${day}/${year % 100} Abo ${year}`],
      ],
      [`RE ${small}`, [`${small}.${random.between(1, 9)}0 GBP`, `Kwartaal ${small}/12 termijn`]],
    ])
    const decoys = texts.map((text) => purposeOf(`${name(random)} ${text} ${name(random)}`))
    const isNumber = query.endsWith(small)
    const trace: Trace = isNumber ? { kind: 'invoice', text: small } : compactTraceOf(query)
    return { query, decoys, trace }
  },
})

/** Not in the field for primanotas, although its last digits are one. */
const primanota: Noise = absent({
  group: 'absent_primanota',
  weight: 6,
  plant: (random) => {
    const note = random.digits(random.between(3, 6))
    const query = random.pick([`INV-${note.padStart(note.length + 2, '0')}`, `RE ${note}`])
    const decoys = [{ ...NO_TEXTS, purpose: name(random), primanota: note }]
    return { query, decoys, trace: { kind: 'group', text: note } }
  },
})

/** The bare number is a primanota. */
const barePrimanota: Noise = {
  group: 'primanota',
  expectation: 'found',
  plant: (random) => {
    const note = random.digits(random.between(5, 7))
    const rows = (number: string): MatchTexts => ({
      ...NO_TEXTS,
      purpose: name(random),
      primanota: number,
    })
    const decoys = [rows(random.digits(note.length)), rows(`${note}${random.digits(1)}`)]
    return { query: note, truths: [rows(note)], decoys, trace: { kind: 'group', text: note } }
  },
}

const LOOKS: Readonly<Record<string, string>> = { 0: 'OD', 1: 'IL', 2: 'Z', 5: 'S', 6: 'G', 8: 'B' }

/** Few digits, the others are letters that look like one. */
const lookAlike: Noise = absent({
  group: 'absent_look_alike',
  weight: 6,
  plant: (random) => {
    const kept = random.digits(random.between(2, 4))
    const alike = (): string => random.pick(['1', '2', '5', '6', '8'])
    const atEnd = random.chance(500)
    const digit = alike()
    const letter = random.pick([...(LOOKS[digit] ?? 'O')])
    const number = atEnd ? `${kept}${digit}` : `${digit}${kept}`
    const written = atEnd ? `${kept}${random.pick(['.', '', '-'])}${letter}` : `${letter}${kept}`
    const query = random.pick([`RE ${number}`, `INV-${number}`, `INV00${number}`, number])
    const field = random.pick(['purpose', 'mandateReference', 'endToEndReference'] as const)
    const text = field === 'purpose' ? `Platz ${written} Kino` : written
    return {
      query,
      decoys: [{ ...NO_TEXTS, [field]: text }],
      trace: { kind: 'group', text: number.replace(/^0+/, '') },
    }
  },
})

/** A prefix with its letters swapped, or one of them wrong. */
function damagedPrefix(prefix: string, random: Random): string {
  const letters = [...prefix]
  if (random.chance(500)) return letters.reverse().join('')
  const at = random.below(letters.length)
  const others = [...'CFHJKMPTWY'].filter((letter) => letter !== letters[at])
  return letters.with(at, random.pick(others)).join('')
}

/** A whole number of seven digits and more. */
function longInvoice(random: Random): Reference {
  const invoice = yearInvoice(random)
  const prefix = random.pick(['RG', 'VR', 'AR', 'INV', 'RNR', 'SR', 'GS'])
  const number = String(random.between(1_000, 99_999)).padStart(5, '0')
  return { ...invoice, prefix, parts: [invoice.parts[0] ?? '', number] }
}

const damaged: Write = (reference, random) => {
  const prefix = damagedPrefix(reference.prefix, random)
  return random.pick([
    `${prefix} ${reference.parts.join(' ')}`,
    `${prefix}${reference.parts.join('')}`,
    `${prefix}-${numberOf(reference)}`,
  ])
}

/** What stands beside the number in an invoice: its date, its amount, a period. */
const withContext: Write = (reference, random) => {
  const word = random.pick(['Factuur', 'Rechnung', 'Invoice', 'Facture', ''])
  const number = numberOf(reference)
  const amount = amountText(random)
  const month = twoDigits(random.between(1, 12))
  return random
    .pick([
      `${word} ${number} d.d. ${date(random).replaceAll('.', '-')} € ${amount}`,
      `${word} ${number} vom ${date(random)} ueber ${amount}`,
      `${number} ${month}/${random.between(18, 26)}`,
      `${number} ${month}/${random.between(2018, 2026)}`,
      `${word} ${number} ${amount}`,
      `${word} ${number} ${slashDate(random)}`,
      `${number} ${isoDate(random)} ${amount}`,
    ])
    .trim()
}

function plainInvoice(random: Random): Reference {
  const zeros = random.chance(300) ? '00' : ''
  const parts = [`${zeros}${random.digits(random.between(6, 9))}`]
  return { prefix: '', prefixGap: '', parts, gap: '' }
}

const WORDS_BEFORE = ['faktura', 'Faktura', 'DBTS', 'fakt', 'LIDL', 'HEMA', 'Beleg', 'Kasse']

/** A word and a number of four digits; others have the number alone. */
const wordAndNumber: Noise = {
  group: 'word_small_number',
  expectation: 'found',
  plant: (random) => {
    const number = random.digits(4)
    const word = random.pick(WORDS_BEFORE)
    const others = ['Karte', 'Bon', 'Platz', 'Postfach', 'Zaehler', 'Tor']
    const decoys = [0, 1, 2].map(() => purposeOf(`${random.pick(others)} ${number} Kiel`))
    const written = purposeOf(
      random.pick([
        `${word} ${number}`,
        `${name(random)} ${word} ${number}`,
        `${word.toUpperCase()} ${number} ${name(random)}`,
      ]),
    )
    const trace = compactTraceOf(`${word}${number}`)
    return { query: `${word} ${number}`, truths: [written], decoys, trace }
  },
}

const glued: Write = (reference, random) => {
  const word = random.pick(['INCASSO', 'FACTUUR', 'BETALING', 'INVOICE', 'KENMERK', 'VAN'])
  return `${numberOf(reference)}${word}`
}

function gluable(random: Random): Reference {
  return { prefix: '', prefixGap: '', parts: [random.digits(random.between(6, 8))], gap: '' }
}

const NOTATIONS = [
  (whole: string, cents: string): string => `${whole},${cents} EUR`,
  (whole: string, cents: string): string => `EUR ${whole}.${cents}`,
  (whole: string, cents: string): string => `${whole},${cents}`,
]

/** A query typed as an amount finds the amount. */
const typedAmount: Noise = {
  group: 'amount_typed',
  expectation: 'found',
  plant: (random) => {
    const [whole, cents] = [random.digits(5), random.digits(2)]
    const of = (number: string): MatchTexts =>
      purposeOf(`Kartenzahlung ${random.pick(NOTATIONS)(number, cents)} ${name(random)}`)
    const other = whole.slice(0, -1) + String((Number(whole.slice(-1)) + 3) % 10)
    return {
      query: `${whole},${cents}`,
      truths: [of(whole)],
      decoys: [of(other)],
      trace: compactTraceOf(`${whole}${cents}`),
    }
  },
}

/** All classes of this file. */
export const EVIDENCE_NOISE: readonly Noise[] = [
  digitsNoise('absent_amount_digits', (random) => {
    const text = random.chance(800) ? amountText(random) : rateText(random)
    const digits = digitsOf(text)
    return [text, digits.replace(/^0+/, '')]
  }),
  digitsNoise('absent_date_digits', (random) => {
    const text = dateText(random)
    const digits = digitsOf(text.slice(0, 13))
    const isIso = /\d{4}-/.test(text)
    return [
      text,
      isIso && random.chance(500) ? `${digits.slice(0, 4)}-${digits.slice(4, 8)}` : digits,
    ]
  }),
  digitsNoise('absent_time_digits', (random) => {
    const text = timeText(random)
    const time = /(\d\d)[:.](\d\d)(?:[:.](\d\d))?(?: Uhr)?$/.exec(text)
    return [text, digitsOf(time?.[0] ?? text)]
  }),
  digitsNoise('absent_phone_digits', (random) => {
    const groups = phoneGroups(random)
    const text = phoneText(groups, random)
    return [text, random.pick([groups.join(''), groups.join(' '), groups[1] ?? ''])]
  }),
  digitsNoise('absent_iban_digits', ibanText),
  piece,
  typedAmount,
  primanota,
  barePrimanota,
  lookAlike,
  found({
    group: 'prefix_damaged',
    reference: longInvoice,
    ask: damaged,
    write: (reference, random) => random.pick([printed, compacted])(reference),
    trace: digitTrace,
  }),
  found({ group: 'query_context', reference: plainInvoice, ask: withContext }),
  wordAndNumber,
  found({
    group: 'glued_to_word',
    reference: gluable,
    ask: (reference, random) =>
      random.pick([
        numberOf(reference),
        `factuur ${numberOf(reference)}`,
        `Rechnung ${numberOf(reference)}`,
      ]),
    write: glued,
    writeDecoy: glued,
    around: (text, random) =>
      random.chance(500) ? purposeWith(text, random) : `BETALINGSKENM. ${text} 02-04-2013`,
  }),
  otherNumber,
]
