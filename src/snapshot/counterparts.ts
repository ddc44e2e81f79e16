import { type CodeArray, sharedCodes, sharedUint32 } from '../ordinals/shared-memory.js'
import { normalForms } from '../text/normal-forms.js'
import { NO_CODE } from './id-dictionary.js'
import { rankStrings, type StringTable } from './strings.js'

/**
 * The counterparts of a segment, as its rows write them: each distinct pair of IBAN and name has a
 * code. Codes ascend by name, then by IBAN, each by UTF-8 bytes, those without one last.
 *
 *   FIELD       SIZE          HOLDS
 *   codes       1|2|4 × rows  code of the row's counterpart; the number of counterparts = none
 *   ibanCodes   1|2|4 × n     code in the segment's counterpartIbans; their count = none
 *   nameCodes   1|2|4 × n     code in `names`; their count = none
 *   groupCodes  1|2|4 × n     first counterpart with the same IBAN or, of those without one, with
 *                             the same first normal form of the name
 *   hashes      4 × n         hash of the IBAN or, without one, of the name's first normal form
 *   names                     distinct names
 */
export interface CounterpartColumn {
  readonly codes: CodeArray
  readonly ibanCodes: CodeArray
  readonly nameCodes: CodeArray
  readonly groupCodes: CodeArray
  readonly hashes: Uint32Array
  readonly names: StringTable
}

/** Number of distinct counterparts. */
export function counterpartCount({ hashes }: CounterpartColumn): number {
  return hashes.length
}

/** Greater than any code of a text in a segment: pairs of codes are numbers below 2^53. */
const TEXTS_MAX = 2 ** 26

/** The counterparts of the rows of a segment that is being built. Plain memory. */
export class CounterpartCodes {
  readonly #ibans = new Map<string, number>()
  readonly #names = new Map<string, number>()
  /** Code of each pair, by {@link pairOf}, in order of appearance. */
  readonly #pairs = new Map<number, number>()
  readonly #codes: Uint32Array

  /** @param capacity number of the rows, or more */
  constructor(capacity: number) {
    this.#codes = new Uint32Array(capacity).fill(NO_CODE)
  }

  /** @param iban null or empty = the row's counterpart has none; likewise `name` */
  set(row: number, iban: string | null, name: string | null): void {
    const ibanCode = codeOf(this.#ibans, iban)
    const nameCode = codeOf(this.#names, name)
    if (ibanCode === NONE && nameCode === NONE) return
    const pair = nameCode * TEXTS_MAX + ibanCode
    const known = this.#pairs.get(pair)
    if (known === undefined) this.#pairs.set(pair, this.#pairs.size)
    this.#codes[row] = known ?? this.#pairs.size - 1
  }

  /** The columns of the first rows. `counterpartCodes` are those of the IBANs. */
  indexed(rowCount: number): IndexedCounterparts {
    const ibans = ranked(this.#ibans)
    const names = ranked(this.#names)
    const pairs = Array.from(this.#pairs, ([pair, code]) => ({
      code,
      ibanCode: ibans.rankOf(pair % TEXTS_MAX),
      nameCode: names.rankOf(Math.floor(pair / TEXTS_MAX)),
    })).sort((a, b) => a.nameCode - b.nameCode || a.ibanCode - b.ibanCode)
    const rankOf = new Uint32Array(pairs.length)
    const ibanCodes = sharedCodes(pairs.length, ibans.texts.length)
    const nameCodes = sharedCodes(pairs.length, names.texts.length)
    const groupCodes = sharedCodes(pairs.length, pairs.length)
    const hashes = sharedUint32(pairs.length)
    /** By code of the IBAN, or by normal form. */
    const firsts = new Map<number | string, number>()
    pairs.forEach(({ code, ibanCode, nameCode }, rank) => {
      rankOf[code] = rank
      ibanCodes[rank] = ibanCode
      nameCodes[rank] = nameCode
      const iban = ibans.texts[ibanCode]
      const text = iban ?? normalForms(names.texts[nameCode]!).first
      const group = iban === undefined ? text : ibanCode
      const first = firsts.get(group) ?? rank
      firsts.set(group, first)
      groupCodes[rank] = first
      hashes[rank] = hashOf(text)
    })
    const codes = sharedCodes(rowCount, pairs.length)
    const counterpartCodes = sharedCodes(rowCount, ibans.texts.length)
    for (let row = 0; row < rowCount; row++) {
      const code = this.#codes[row]!
      const rank = code === NO_CODE ? pairs.length : rankOf[code]!
      codes[row] = rank
      counterpartCodes[row] = code === NO_CODE ? ibans.texts.length : ibanCodes[rank]!
    }
    const counterparts = { codes, ibanCodes, nameCodes, groupCodes, hashes, names: names.table }
    return { counterparts, counterpartCodes, counterpartIbans: ibans.table }
  }
}

/** The members of a segment that name counterparts, without their postings. */
interface IndexedCounterparts {
  readonly counterparts: CounterpartColumn
  readonly counterpartCodes: CodeArray
  readonly counterpartIbans: StringTable
}

/** Code of an absent text in a pair. */
const NONE = TEXTS_MAX - 1

/** The code of a text, assigned at its first appearance. */
function codeOf(codes: Map<string, number>, text: string | null): number {
  if (text === null || text === '') return NONE
  const known = codes.get(text)
  if (known !== undefined) return known
  codes.set(text, codes.size)
  return codes.size - 1
}

interface RankedTexts {
  readonly table: StringTable
  /** By their codes in the table. */
  readonly texts: readonly string[]
  /** Code in the table, by code in order of appearance; {@link NONE} has the number of texts. */
  readonly rankOf: (code: number) => number
}

function ranked(codes: ReadonlyMap<string, number>): RankedTexts {
  const { table, codes: ranks } = rankStrings(codes.keys())
  const texts: string[] = new Array(codes.size)
  for (const [text, code] of codes) texts[ranks[code]!] = text
  return { table, texts, rankOf: (code) => ranks[code] ?? texts.length }
}

/** FNV-1a over UTF-16 units: fast, and chosen texts can have equal hashes. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
