// Costly queries: terms that occur in many rows, many or long units, or texts that let a scan skip
// little. Also random combinations of pieces of them.
import { type Random, randomOf } from '../src/demo/random.js'
import { MATCH_CODE_POINTS_MAX, MATCH_TOKENS_MAX } from '../src/limits.js'

/** A query with the reason why it is costly. */
export interface NamedQuery {
  readonly name: string
  readonly query: string
}

const DIGITS = '1234567890'

function times(count: number, text: (i: number) => string, between: string): string {
  return Array.from({ length: count }, (_, i) => text(i)).join(between)
}

/** Repeats a text up to the maximum length of a query. */
function filled(text: string): string {
  return [...text.repeat(MATCH_CODE_POINTS_MAX)].slice(0, MATCH_CODE_POINTS_MAX).join('')
}

/** The constructed ones. */
export const WORST_QUERIES: readonly NamedQuery[] = [
  { name: 'two digits', query: '20' },
  { name: 'a letter and a digit', query: 'E1' },
  { name: 'a letter like a digit, and a digit', query: 'O0' },
  { name: 'three digits', query: '202' },
  { name: 'a year', query: '2024' },
  { name: 'two years', query: '2024;2023' },
  { name: 'years of customers', query: '2024; 2023 Kd 2025 Kd 2022 Kd 2021' },
  {
    name: 'years of customers, of which there are few',
    query: '2094;2093 Kd 2095 Kd 2092 Kd 2091',
  },
  { name: 'years behind a letter', query: 'E2024;E2023 Kd E2025 Kd E2022 Kd E2021' },
  {
    name: 'zeros and numbers of customers',
    query: `${'0'.repeat(33)}2;${'0'.repeat(30)}1 Kd ${'0'.repeat(44)}3 Kd ${'0'.repeat(34)}4`,
  },
  {
    name: 'zeros and years of customers',
    query: `${'0'.repeat(58)}2024;${'0'.repeat(60)}2023 Kd ${'0'.repeat(45)}2025`,
  },
  { name: 'list of numbers padded', query: '000;001;002;003;004;005;010;011;012;020;021;022' },
  { name: 'list of digits in turns', query: '012;021;102;201;120;210;002;020;200;001;010;100' },
  { name: 'list of two digits', query: '20;24;10;02;30;11;12;25;26;19;18;17' },
  { name: 'list of three digits', query: '202;201;100;024;023;111;112;203;200;010;020;102' },
  { name: 'list of years', query: times(12, (i) => String(2015 + i), ';') },
  { name: 'list as long as it gets', query: times(MATCH_TOKENS_MAX, (i) => `${i + 10}`, ';') },
  { name: 'numbers of ten digits', query: times(20, (i) => `20240${i + 10_000}`, ' ') },
  { name: 'a day', query: '03.05.2024' },
  { name: 'keyword and year', query: 'Rechnung 2024' },
  { name: 'letters and digits in turns', query: 'A1B2C3D4E5F6G7H8I9J0K1L2' },
  { name: 'look-alikes', query: 'O0I1Z2S5G6B8' },
  { name: 'digits, as many as there may be', query: filled(DIGITS) },
  { name: 'the same digit', query: filled('1') },
  { name: 'zeros', query: filled('0') },
  { name: 'zeros and a one', query: `${filled('0').slice(1)}1` },
  { name: 'zeros, some of them in most rows', query: '0'.repeat(60) },
  { name: 'zeros and a number of most rows', query: `${'0'.repeat(60)}2` },
  { name: 'a letter before zeros', query: `X${'0'.repeat(255)}` },
  { name: 'three zeros', query: '000' },
  { name: 'the same letter', query: filled('e') },
  { name: 'years without an end', query: filled('2024') },
  { name: 'one word', query: 'Rechnung' },
  { name: 'two letters', query: 'en' },
  { name: 'words', query: 'Rechnung vom Kunden Zahlung Ueberweisung Lastschrift' },
  {
    name: 'as many words as there may be',
    query:
      'rechnung vom kunde zahlung danke miete lohn gehalt beitrag skonto abzug ihre unsere ' +
      'bestellung auftrag nummer betrag einkauf karte kauf gutschrift storno dauer basis',
  },
  { name: 'as many words of one letter', query: times(MATCH_TOKENS_MAX, () => 'e', ' ') },
  { name: 'combining marks', query: `20${'\u0301'.repeat(254)}` },
  { name: 'a mark on each digit', query: times(24, (i) => `${DIGITS[i % 10]}\u0301`, '') },
  { name: 'bidi controls', query: `\u202e20\u202c${'\u202e\u2066\u2069'.repeat(80)}24` },
  { name: 'letters that become many', query: `${'\ufdfa'.repeat(12)} 20` },
  { name: 'points and one pair', query: `2${'.'.repeat(254)}0` },
]

const PIECES = [
  ...['20', '02', '10', '24', '1', '0', '2024', '2023', '100', '20240', 'RE', 'Kd', 'Nr', 'A', 'E'],
  ...[
    'Rechnung',
    'Kunde',
    'O',
    'I',
    'vom',
    'en',
    '000',
    '11',
    '22',
    '202',
    '0815',
    'B8',
    'Zahlung',
  ],
]
const BETWEEN = ['', '', ' ', ' ', ';', ';', '-', '/', ', ', '.', ' u. ', '+']

/** Queries of random pieces; deterministic by seed. */
export function randomQueries(count: number, seed: number): NamedQuery[] {
  const random = randomOf(seed)
  return Array.from({ length: count }, () => {
    return { name: 'put together at random', query: randomQuery(random) }
  })
}

function randomQuery(random: Random): string {
  const pieceCount = random.pick([2, 2, 3, 4, 6, 8, 12, 16])
  let text = random.pick(['20', '24', '10', '2024', 'E1'])
  let tokenCount = 2
  for (let i = 1; i < pieceCount; i++) {
    const more = random.pick(BETWEEN) + random.pick(PIECES)
    tokenCount += 3 // at most
    if (tokenCount > MATCH_TOKENS_MAX) break
    text += more
  }
  return text
}
