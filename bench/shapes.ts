// The forty-four shapes of filtered or sorted pages. Each is requested with several values (an
// account, a category, a month …), and each value at several random offsets of its list, as clients
// page.
import type { Random } from '../src/demo/random.js'
import { type CorpusFacts, dayOf, type Period, periodOf } from './facts.js'

/** Path below `/v1/WORKSPACE` and query, without offset. */
export interface ShapeQuery {
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
}

/** One kind of filtered or sorted list. */
export interface Shape {
  readonly name: string
  /** Requested with the key that sees two accounts. */
  readonly isRestricted: boolean
  /** Whether it filters by a parent category. */
  readonly hasParent: boolean
  /** A query with different values on each call. */
  query(facts: CorpusFacts, random: Random): ShapeQuery
}

type Parameters = Readonly<Record<string, string>>
type Part = (facts: CorpusFacts, random: Random) => Parameters

const booked = (period: Period): Parameters => ({
  bookedAfter: period.after,
  bookedBefore: period.before,
})
const valued = (period: Period): Parameters => ({
  valuedAfter: period.after,
  valuedBefore: period.before,
})
const imported = (period: Period): Parameters => ({
  importedAfter: period.after,
  importedBefore: period.before,
})

const ofCategory: Part = (facts, random) => ({ category: random.pick(facts.categories).name })
const ofCategoryId: Part = (facts, random) => ({
  category: String(random.pick(facts.categories).id),
})
const ofParent: Part = (facts, random) => ({ parentCategory: random.pick(facts.parentNames) })
const ofBoth: Part = (facts, random) => {
  const { name, parentName } = random.pick(facts.categories)
  return { category: name, ...(parentName === null ? {} : { parentCategory: parentName }) }
}
const inBooked: Part = (facts, random) => booked(periodOf(facts, random))
const inValued: Part = (facts, random) => valued(periodOf(facts, random))
const inImported: Part = (facts, random) => imported(periodOf(facts, random))
const sinceBooked: Part = (facts, random) => ({ bookedAfter: dayOf(facts, random) })
const untilBooked: Part = (facts, random) => ({ bookedBefore: dayOf(facts, random) })
const everything: Part = () => ({})

type List = 'all' | 'account' | 'counterpart'

function shape(list: List, words: string, sort: string, parts: readonly Part[]): Shape {
  const [sortBy, order] = sort.split(' ')
  const sorting = sort === '' ? {} : { sortBy: sortBy ?? '', order: order ?? 'desc' }
  return {
    name: [words, sort === '' ? '' : `by ${sort}`].filter((text) => text !== '').join(', '),
    isRestricted: words.startsWith('two accounts'),
    hasParent: parts.includes(ofParent) || parts.includes(ofBoth),
    query: (facts, random) => ({
      path: pathOf(list, facts, random),
      parameters: Object.assign({}, ...parts.map((part) => part(facts, random)), sorting),
    }),
  }
}

function pathOf(list: List, facts: CorpusFacts, random: Random): string {
  if (list === 'account') return `/accounts/${random.pick(facts.accountIds)}/transactions`
  if (list === 'counterpart') {
    return `/counterpart/${random.pick(facts.counterpartIbans)}/transactions`
  }
  return '/transactions'
}

/** All shapes, with equal weight in the mix. */
export const SHAPES: readonly Shape[] = [
  shape('all', '', 'bookingDate desc', [everything]),
  shape('all', '', 'bookingDate asc', [everything]),
  shape('all', '', 'valueDate desc', [everything]),
  shape('all', '', 'valueDate asc', [everything]),
  shape('all', '', 'importDate desc', [everything]),
  shape('all', '', 'importDate asc', [everything]),
  shape('all', '', 'amount desc', [everything]),
  shape('all', '', 'amount asc', [everything]),
  shape('all', '', '_id asc', [everything]),
  shape('account', 'account', '', [everything]),
  shape('account', 'account', 'bookingDate desc', [everything]),
  shape('account', 'account', 'amount desc', [everything]),
  shape('counterpart', 'counterpart', '', [everything]),
  shape('counterpart', 'counterpart', 'amount desc', [everything]),
  shape('all', 'category', '', [ofCategory]),
  shape('all', 'category id', 'bookingDate desc', [ofCategoryId]),
  shape('all', 'category', 'amount asc', [ofCategory]),
  shape('all', 'parent category', '', [ofParent]),
  shape('all', 'parent category', 'valueDate desc', [ofParent]),
  shape('all', 'category and parent', '', [ofBoth]),
  shape('all', 'category and parent', 'amount desc', [ofBoth]),
  shape('all', 'booked in', '', [inBooked]),
  shape('all', 'booked in', 'bookingDate desc', [inBooked]),
  shape('all', 'booked in', 'amount desc', [inBooked]),
  shape('all', 'valued in', '', [inValued]),
  shape('all', 'valued in', 'valueDate asc', [inValued]),
  shape('all', 'imported in', '', [inImported]),
  shape('all', 'imported in', 'importDate desc', [inImported]),
  shape('all', 'booked since', '', [sinceBooked]),
  shape('all', 'booked until', 'amount desc', [untilBooked]),
  shape('account', 'account, booked in', '', [inBooked]),
  shape('account', 'account, booked in', 'amount asc', [inBooked]),
  shape('account', 'account, category', '', [ofCategory]),
  shape('account', 'account, category', 'amount desc', [ofCategory]),
  shape('all', 'category, booked in', '', [ofCategory, inBooked]),
  shape('all', 'category, booked in', 'amount desc', [ofCategory, inBooked]),
  shape('counterpart', 'counterpart, booked since', '', [sinceBooked]),
  shape('all', 'parent category, valued in', 'valueDate desc', [ofParent, inValued]),
  shape('account', 'account, parent category, booked in', '', [ofParent, inBooked]),
  shape('account', 'account, parent category, booked since', 'amount desc', [
    ofParent,
    sinceBooked,
  ]),
  shape('all', 'two accounts', '', [everything]),
  shape('all', 'two accounts', 'amount desc', [everything]),
  shape('all', 'two accounts, category', '', [ofCategory]),
  shape('all', 'two accounts, booked in', '', [inBooked]),
]
