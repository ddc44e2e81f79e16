// The classes in which the words or other numbers around a reference are in the way.
import type { Random } from '../../src/demo/random.js'
import type { MatchTexts } from './candidate.js'
import { date, name, purposeWith } from './context.js'
import { compactTrace, found, invoiceTrace, type Noise, purposeOf, type Write } from './noise.js'
import { letteredNumber, printed, type Reference, yearInvoice } from './reference.js'

const SENTENCES: readonly Write[] = [
  (reference, random) =>
    `Bitte Zahlung zu Rechnung ${printed(reference)} vom ${date(random)} pruefen`,
  (reference) => `${printed(reference)} offen?`,
  (reference) => `haben wir ${printed(reference)} schon erhalten`,
  (reference) => `zweite Mahnung zu ${printed(reference)}`,
  (reference) => `payment for invoice ${printed(reference)} please check`,
]

/** About a hundred characters. */
const longQuery: Write = (reference, random) =>
  `Guten Tag, bitte sehen Sie nach, ob die Rechnung ${printed(reference)} vom ${date(random)} ` +
  'schon bezahlt worden ist, danke'

const FILLERS = 'bitte sehen Sie einmal nach ob der Kunde unsere offene Forderung schon beglichen'
const LONG_FILLERS = 'Forderungsmanagement Zahlungserinnerung Buchhaltungsabteilung'

/** Exactly 24 tokens: runs of letters and digits. */
const tokens24: Write = (reference) => {
  const own = printed(reference)
  const words = [...FILLERS.split(' '), ...FILLERS.split(' ')]
  const count = 24 - (own.match(/[\p{L}\d]+/gu) ?? []).length
  return [...words.slice(0, count - 4), own, ...words.slice(0, 4)].join(' ')
}

/** Exactly 256 characters, at most 24 tokens. */
const characters256: Write = (reference) => {
  const own = `Rechnung ${printed(reference)}`
  const before = `${LONG_FILLERS} ${LONG_FILLERS}`
  const start = `${before} ${own} `
  return start + 'x'.repeat(256 - start.length)
}

/** An umlaut after its way through banks. */
function mangled(text: string, random: Random): string {
  const [pattern, replacement] = random.pick([
    [/[äöüß]/g, 'e'],
    [/[äöüß]/g, '?'],
    [/[äöüß]/g, ''],
    [/[äöüß]/g, '.'],
  ] as const)
  if (replacement !== 'e') return text.replace(pattern, replacement).toUpperCase()
  const forms: Record<string, string> = { ä: 'AE', ö: 'OE', ü: 'UE', ß: 'SS' }
  return text.replace(pattern, (letter) => forms[letter] ?? '').toUpperCase()
}

/** A name and a number; the name arrives without its umlauts. */
const umlautWord: Noise = {
  group: 'umlaut_word',
  expectation: 'found',
  plant: (random) => {
    const person = name(random)
    const number = random.digits(6)
    const written = `${mangled(person, random)} ${number}`
    const decoy = (): MatchTexts => purposeOf(`${mangled(person, random)} ${random.digits(6)}`)
    return {
      query: `${person} ${number}`,
      truths: [purposeOf(`Rechnung ${written}`)],
      decoys: [decoy(), decoy(), decoy()],
      trace: { kind: 'digits', text: number },
    }
  },
}

/** `MUE-482133` or `MU-482133` */
const withoutUmlaut: Write = (reference, random) => {
  const text = printed(reference)
  return random.chance(500) ? transliterated(text) : text.normalize('NFD').replace(/\p{M}/gu, '')
}

/** The class of questions without a number. */
export const WORDS_ONLY = 'words_only'

/** Two names and no number; the decoys have one of the names each. */
const wordsOnly: Noise = {
  group: WORDS_ONLY,
  expectation: 'found',
  plant: (random) => {
    const [first, second] = [name(random), name(random)]
    const written = transliterated(`${first} ${second}`)
    return {
      query: `${first} ${second}`,
      truths: [purposeOf(`Miete ${written}`)],
      decoys: [purposeOf(transliterated(`${first} ${name(random)}`)), purposeOf(second)],
      trace: { kind: 'compact', text: written.replace(' ', '') },
    }
  },
}

function transliterated(text: string): string {
  const forms: Record<string, string> = { Ä: 'AE', Ö: 'OE', Ü: 'UE', SS: 'SS' }
  return text.toUpperCase().replace(/[ÄÖÜ]/g, (letter) => forms[letter] ?? letter)
}

/** The number `steps` later in the same series, with the same width. */
function later(reference: Reference, steps: number): Reference {
  const [last = ''] = reference.parts.slice(-1)
  const next = String(Number(last) + steps).padStart(last.length, '0')
  return { ...reference, parts: reference.parts.with(-1, next) }
}

/** Low enough within its width that {@link later} keeps the width. */
function seriesInvoice(random: Random): Reference {
  const reference = yearInvoice(random)
  const next = String(random.between(1_000, 9_000)).padStart(random.pick([4, 5]), '0')
  return { ...reference, gap: '-', prefixGap: '-', parts: reference.parts.with(-1, next) }
}

const several: Write = (reference) => {
  const [before, after] = [printed(later(reference, -1)), printed(later(reference, 1))]
  return `${before}, ${printed(reference)} u. ${after}`
}

const listOf =
  (first: number): Write =>
  (reference, random) => {
    const [head, ...tail] = [first, first + 1, first + 2].map((step) => later(reference, step))
    const separator = random.pick(['/', ', ', ' + '])
    const tails = tail.map(({ parts }) => parts.at(-1))
    return [head === undefined ? '' : printed(head), ...tails].join(separator)
  }

/** `RE-2024-0815/16/17` */
const shortList: Write = (reference) => {
  const tails = [1, 2].map((step) => later(reference, step).parts.at(-1)?.slice(-2))
  return [printed(reference), ...tails].join('/')
}

const firstOfList: Write = (reference, random) =>
  random.pick([listOf(0), shortList])(reference, random)

/** `RE 48201-48205`: the first or the last of a range. */
const rangeEnds: Noise = {
  group: 'range_ends',
  expectation: 'found',
  plant: (random) => {
    const first = random.between(100_000, 999_000)
    const last = first + random.between(2, 9)
    const asked = random.chance(500) ? first : last
    const prefix = random.pick(['RE', 'Rechnungen', 'INV'])
    const range = (low: number): MatchTexts =>
      purposeOf(purposeWith(`${prefix} ${low}-${low + last - first}`, random))
    return {
      query: `RE ${asked}`,
      truths: [range(first)],
      decoys: [range(first + 100), range(first + 2_000)],
      trace: { kind: 'digits', text: String(asked) },
    }
  },
}

const shortNumber =
  (digits: number) =>
  (random: Random): Reference => ({
    prefix: 'Rechnung',
    prefixGap: ' ',
    parts: [random.digits(digits)],
    gap: '',
  })

const askShortly: Write = ({ parts }, random) =>
  `${random.pick(['RE', 'Rechnung', 'Rg.', 'RE-', 'Invoice'])} ${parts.join('')}`

/** `KX-427`: two letters and three digits. */
function shortLettered(random: Random): Reference {
  const { prefix } = letteredNumber(random)
  const twoLetters = `${prefix.replace(/\d/g, '')}KX`.slice(0, 2)
  return { prefix: twoLetters, prefixGap: '-', parts: [random.digits(3)], gap: '' }
}

const customer: Write = ({ parts }, random) =>
  `${random.pick(['Kd-Nr', 'Kundennummer', 'KdNr.', 'Customer no.'])} ${parts.join('')}`

/** All classes of this file. */
export const WORDING_NOISE: readonly Noise[] = [
  found({ group: 'multi', reference: seriesInvoice, write: several }),
  found({
    group: 'extra_words',
    ask: (reference, random) => random.pick(SENTENCES)(reference, random),
  }),
  found({ group: 'long_query', ask: longQuery }),
  found({ group: 'tokens_24', ask: tokens24 }),
  found({ group: 'characters_256', ask: characters256 }),
  umlautWord,
  found({
    group: 'umlaut_prefix',
    reference: (random) => ({ ...letteredNumber(random), prefix: random.pick(['MÜ', 'KÖ', 'BÄ']) }),
    write: withoutUmlaut,
    writeDecoy: withoutUmlaut,
  }),
  wordsOnly,
  rangeEnds,
  found({ group: 'prefix_list', reference: seriesInvoice, write: firstOfList }),
  found({ group: 'prefix_list_tail', reference: seriesInvoice, write: listOf(-1) }),
  found({
    group: 'short_4',
    reference: shortNumber(4),
    ask: askShortly,
    trace: invoiceTrace,
  }),
  found({
    group: 'short_3',
    reference: shortNumber(3),
    ask: askShortly,
    trace: invoiceTrace,
  }),
  found({
    group: 'short_2',
    reference: shortNumber(2),
    ask: askShortly,
    trace: invoiceTrace,
  }),
  found({ group: 'short_letters', reference: shortLettered, trace: compactTrace }),
  found({
    group: 'customer_number',
    reference: (random) => ({ ...letteredNumber(random), prefix: '' }),
    ask: customer,
    write: customer,
    writeDecoy: customer,
    around: (text, random) => `${text} RE ${random.digits(6)}`,
  }),
]
