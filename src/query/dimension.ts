import { formatPeriod, type Period, startOfPeriod } from '../instant.js'
import type { CodeArray } from '../ordinals/shared-memory.js'
import { firstAtLeast } from '../snapshot/ordered-column.js'
import { codeCountOf } from '../snapshot/postings.js'
import type { Segment, Snapshot } from '../snapshot/snapshot.js'
import { negativeCountOf } from './ledger.js'
import type { ListedRows } from './listed-rows.js'
import type { StepwiseWork } from './turns.js'

/** A value of a group: a period, a direction, or the name of a category, account, counterpart. */
export type GroupValue = string | NamedValue

/** Members without a value are left out. */
export interface NamedValue {
  readonly id?: number
  readonly name?: string
  readonly iban?: string
}

/** The values by which rows are grouped, numbered in the order of groups. */
export interface Dimension {
  /** Number of values, that for rows without one included. */
  readonly size: number
  /** undefined = the rows without a value. @param number 0 to size - 1 */
  readonly valueAt: (number: number) => GroupValue | undefined
  /** Bytes of the arrays that `valueAt` reads. */
  readonly valueBytes: number
  readonly numbersOf: (segment: Segment) => AddNumbers
}

/** Adds to place `i - rows.from` of `keys` the number of row i's value, times `stride`. */
export type AddNumbers = (rows: ListedRows, keys: Uint32Array, stride: number) => void

/** The snapshot that names the values, and the accounts that the credential may see. */
export interface DimensionContext {
  readonly snapshot: Pick<Snapshot, 'categories' | 'fragments' | 'idDictionary'>
  /** Absent = all accounts. */
  readonly visibleCodes?: readonly number[] | undefined
}

/** Cost of a named value or a period: a microsecond or two, in rows added up. */
const VALUE_COST = 100

/** Numbers from a table by the codes of a column. */
export function mappedNumbers(codes: CodeArray, numbers: Uint32Array): AddNumbers {
  return ({ ordinals, from, to }, keys, stride) => {
    for (let i = from; i < to; i++) {
      keys[i - from]! += numbers[codes[ordinals[i]!]!]! * stride // to <= ordinals.length
    }
  }
}

/** Currencies by code; every row has one. */
export function currencyDimension(segments: readonly Segment[]): Dimension {
  const all = [...new Set(segments.flatMap(({ currencies }) => currencies))].sort()
  const numberOf = new Map(all.map((currency, number) => [currency, number]))
  return {
    size: all.length,
    valueAt: (number) => all[number],
    valueBytes: 0,
    numbersOf: ({ currencies, currencyCodes }) =>
      mappedNumbers(
        currencyCodes,
        Uint32Array.from(currencies, (currency) => numberOf.get(currency) ?? 0),
      ),
  }
}

/** Periods of the booking date, ascending. */
export function* periodDimension(
  segments: readonly Segment[],
  period: Period,
): StepwiseWork<Dimension> {
  const starts = new Set<number>()
  for (const { booked } of segments) {
    for (let code = 0; code < booked.valueCount; yield VALUE_COST) {
      const ms = booked.values[code]!
      starts.add(startOfPeriod(ms, period))
      code = firstAtLeast(booked.values, startOfPeriod(ms, period, 1))
    }
  }
  const ascending = Float64Array.from(starts).sort()
  return {
    size: ascending.length + 1,
    valueAt: (number) => {
      const start = ascending[number]
      return start === undefined ? undefined : formatPeriod(start, period)
    },
    valueBytes: ascending.byteLength,
    numbersOf: ({ booked }) => {
      const numbers = new Uint32Array(booked.valueCount + 1).fill(ascending.length)
      for (let code = 0; code < booked.valueCount; ) {
        const number = firstAtLeast(ascending, startOfPeriod(booked.values[code]!, period))
        const next = ascending[number + 1] ?? Number.POSITIVE_INFINITY
        const end = firstAtLeast(booked.values, next)
        numbers.fill(number, code, end)
        code = end
      }
      return mappedNumbers(booked.codes, numbers)
    },
  }
}

/** Incoming and outgoing amounts; an amount of zero is neither. */
export function directionDimension(): Dimension {
  const values = ['in', 'out']
  return {
    size: 3,
    valueAt: (number) => values[number],
    valueBytes: 0,
    numbersOf: ({ amounts: { codes, unscaled } }) => {
      const negativeCount = negativeCountOf(unscaled)
      const zeroCode = unscaled[negativeCount] === 0 ? negativeCount : -1
      return ({ ordinals, from, to }, keys, stride) => {
        for (let i = from; i < to; i++) {
          const code = codes[ordinals[i]!]! // to <= ordinals.length
          const number = code === zeroCode ? 2 : (code - negativeCount) >>> 31
          keys[i - from]! += number * stride
        }
      }
    },
  }
}

/** Accounts by name, those without a name last; equal ones by id. */
export function* accountDimension({
  snapshot: { fragments, idDictionary },
  visibleCodes,
}: DimensionContext): StepwiseWork<Dimension> {
  const values: CodedValue[] = []
  for (const code of visibleCodes ?? fragments.accounts.keys()) {
    // Rendered by resource-json.ts, which writes these members.
    const { name, iban } = JSON.parse(fragments.accounts[code] ?? '{}') as NamedValue
    const named = name === undefined ? {} : { name }
    const value = { id: idDictionary.accountIds[code] ?? 0, ...named }
    values.push({ code, value: iban === undefined ? value : { ...value, iban } })
    yield VALUE_COST
  }
  const { numberOfCode, ...dimension } = namedValues(values)
  return {
    ...dimension,
    numbersOf: ({ accountCodes, accountPostings }) =>
      mappedNumbers(accountCodes, numberOfCode(codeCountOf(accountPostings))),
  }
}

/** Categories by name, equal ones by id: those that rows have themselves. */
export function categoryDimension({ snapshot }: DimensionContext): Dimension {
  const { numberOfCode, ...dimension } = namedValues(categoryValues(snapshot))
  return {
    ...dimension,
    numbersOf: ({ categoryCodes, categoryPostings }) =>
      mappedNumbers(categoryCodes, numberOfCode(codeCountOf(categoryPostings))),
  }
}

/** Broad categories: a row's parent category, or its category where it has no parent. */
export function parentCategoryDimension({ snapshot }: DimensionContext): Dimension {
  const { numberOfCode, ...dimension } = namedValues(categoryValues(snapshot))
  return {
    ...dimension,
    numbersOf: ({ categoryCodes, parentCodes, categoryPostings }) => {
      const none = codeCountOf(categoryPostings)
      const numbers = numberOfCode(none)
      return ({ ordinals, from, to }, keys, stride) => {
        for (let i = from; i < to; i++) {
          const row = ordinals[i]! // to <= ordinals.length
          const parent = parentCodes[row]!
          keys[i - from]! += numbers[parent < none ? parent : categoryCodes[row]!]! * stride
        }
      }
    },
  }
}

interface CodedValue {
  readonly code: number
  readonly value: NamedValue
}

function categoryValues({ categories }: DimensionContext['snapshot']): CodedValue[] {
  return categories.map(({ code, id, name }) => ({ code, value: { id, name } }))
}

interface NamedValues extends Omit<Dimension, 'numbersOf'> {
  /** Numbers by code, for a segment of so many codes; the code after the last = no value. */
  readonly numberOfCode: (codeCount: number) => Uint32Array
}

function namedValues(values: readonly CodedValue[]): NamedValues {
  const sorted = values
    .map((coded) => ({ ...coded, bytes: Buffer.from(coded.value.name ?? '') }))
    .sort(
      (a, b) =>
        Number(a.value.name === undefined) - Number(b.value.name === undefined) ||
        a.bytes.compare(b.bytes) ||
        (a.value.id ?? 0) - (b.value.id ?? 0),
    )
  return {
    size: sorted.length + 1,
    valueAt: (number) => sorted[number]?.value,
    valueBytes: sorted.length * NAMED_VALUE_BYTES,
    numberOfCode: (codeCount) => {
      const numbers = new Uint32Array(codeCount + 1).fill(sorted.length)
      sorted.forEach(({ code }, number) => {
        if (code < codeCount) numbers[code] = number
      })
      return numbers
    },
  }
}

/** An object with two texts. */
const NAMED_VALUE_BYTES = 200
