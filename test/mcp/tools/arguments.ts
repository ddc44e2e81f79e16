import { test } from 'tap'
import { ApiError } from '../../../src/errors.js'
import {
  type Argument,
  argumentOf,
  errorText,
  readArguments,
} from '../../../src/mcp/tools/arguments.js'
import { parameterFault } from '../../../src/wire/fault.js'
import { AMOUNT_FROM } from '../../../src/wire/filter-parameters.js'
import * as parameters from '../../../src/wire/parameter-table.js'

const KNOWN: readonly Argument[] = [
  argumentOf(parameters.OFFSET),
  argumentOf(parameters.THRESHOLD),
  argumentOf(parameters.EXPLAIN),
  argumentOf(parameters.CATEGORY),
  argumentOf(parameters.BOOKED_AFTER),
  argumentOf(parameters.SORT_BY),
  argumentOf(AMOUNT_FROM),
  { name: 'account', parameter: parameters.IDENTIFIER, description: 'One account.' },
]

function read(input: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(readArguments(KNOWN, input))
}

test('values are converted into the texts of REST parameters', async (t) => {
  t.same(read({}), {})
  t.same(read({ offset: 7, threshold: 0.25, explain: true, category: 'Büro', account: 12 }), {
    offset: '7',
    threshold: '0.25',
    explain: 'true',
    category: 'Büro',
    account: '12',
  })
  const texts = { offset: '7', threshold: '1e-1', explain: 'no', category: '', account: 'DE 1' }
  t.same(read(texts), texts, 'the content of texts is not checked here')
  t.same(read({ category: 4711 }), { category: '4711' })
})

test('null and the default of an argument count as left out', async (t) => {
  const all = { offset: 0, threshold: 0.6, explain: false, sortBy: '_id' }
  t.same(read(all), {})
  t.same(read(Object.fromEntries(KNOWN.map(({ name }) => [name, null]))), {})
  t.same(read({ offset: '0', explain: 'false', category: '0' }), { category: '0' })
  t.throws(() => read({ unknown: null }), ApiError)
})

test('dates and amounts are passed on as they are sent', async (t) => {
  for (const text of ['2026-01-31', '2026-01-31T12:00:00.000Z', '31.01.2026', '2026-1-31']) {
    t.same(read({ bookedAfter: text }), { bookedAfter: text })
  }
  t.same(read({ category: '2026-01-31' }), { category: '2026-01-31' }, 'a name may resemble one')
  t.same(read({ amountFrom: -99.5 }), { amountFrom: '-99.5' })
  t.same(read({ amountFrom: '1e3' }), { amountFrom: '1e3' }, 'the operation refuses it')
})

test('another type or an unknown name is refused with the right form', async (t) => {
  const cases: [Record<string, unknown>, string][] = [
    [{ offset: true }, 'offset must be a whole number, not true; for example offset: 200'],
    [{ threshold: [1] }, 'threshold must be a number, not a list; for example threshold: 0.6'],
    [{ explain: 1 }, 'explain must be true or false, not 1; for example explain: true'],
    [{ category: {} }, 'category must be text, not an object; for example category: "Groceries"'],
    [{ category: 1.5 }, 'category must be text, not 1.5; for example category: "Groceries"'],
    [
      { bookedAfter: 20260131 },
      'bookedAfter must be text, not 20260131; for example bookedAfter: "2026-01-31T00:00:00.000Z"',
    ],
    [
      { category: '\ud800' },
      'category must be well-formed text, without lone surrogates; for example ' +
        'category: "Groceries"',
    ],
    [{ ofset: 1 }, 'Unknown argument "ofset": did you mean offset?'],
    [
      { customSchema: '{}' },
      'Unknown argument "customSchema": the arguments are offset, threshold, explain, ' +
        'category, bookedAfter, sortBy, amountFrom, account',
    ],
    [{ constructor: 1 }, 'Unknown argument "constructor": the arguments are offset, '],
  ]
  for (const [input, message] of cases) {
    t.throws(() => read(input), ApiError)
    try {
      read(input)
    } catch (error) {
      t.ok((error as Error).message.startsWith(message), (error as Error).message)
    }
  }
})

test('an error in a parameter names the argument', async (t) => {
  const fault = parameterFault(parameters.QUERY, 'must be shorter')
  t.equal(
    errorText(fault, () => ({ ...argumentOf(parameters.QUERY), name: 'search' })),
    'search must be shorter; for example search: "telekom RE-2026"',
  )
  const other = new ApiError('data_changed', 'It has changed.')
  t.equal(
    errorText(other, () => undefined),
    'It has changed.',
  )
  const limit = parameterFault(parameters.LIMIT, 'must be smaller')
  t.equal(
    errorText(limit, () => argumentOf(parameters.LIMIT)),
    'limit must be smaller; for example limit: 100',
  )
})
