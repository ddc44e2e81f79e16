import type { Category } from '../../domain/category.js'
import { callOperation, sumsOfHits } from '../../http/call-operation.js'
import { sumValue } from '../../money.js'
import { listingOf } from '../../query/listing.js'
import type { CategoryEntry } from '../../snapshot/snapshot.js'
import { similarNames } from '../../text/nearest.js'
import { quote } from '../../wire/fault.js'
import { SUM_CURRENCIES_MAX } from './answer.js'
import type { SentArguments } from './arguments.js'
import type { ToolContext } from './tool.js'
import { transactionRequest } from './transaction-request.js'

/** Names in a remark: a model needs the right one, not all. */
const NAMES_MAX = 5

/**
 * Characters of the names in a remark on a name that resembles none, such as a word of another
 * language: a model finds the right one among all of them. Room for a hundred ordinary names.
 */
const LISTED_CHARS_MAX = 1_200

/**
 * A remark on the category filters of a list or search: an unknown name with those that resemble
 * it, or else with all; or a broad category given as `category`, whose transactions with a finer
 * category are not selected, with the sums of all of them. `''` = there is none.
 */
export async function categoryNote(
  context: ToolContext,
  sent: SentArguments,
  categories: readonly CategoryEntry[],
): Promise<string> {
  for (const argument of ['category', 'parentCategory']) {
    const text = sent.get(argument)
    if (text !== undefined && categoryOf(text, categories) === undefined) {
      return unknownNote(argument, text, categories)
    }
  }
  const text = sent.get('category')
  if (text === undefined || sent.has('parentCategory') || sent.has('match')) return ''
  const broad = categoryOf(text, categories)
  const children = categories.filter((category) => parentIdOf(category) === broad?.id)
  return children.length === 0 ? '' : await broadNote(context, sent, children)
}

function categoryOf(text: string, categories: readonly CategoryEntry[]): CategoryEntry | undefined {
  return categories.find(({ id, name }) => name === text || String(id) === text)
}

function parentIdOf({ bytes }: CategoryEntry): number | undefined {
  const { parentCategory } = JSON.parse(Buffer.from(bytes).toString()) as Category
  return parentCategory.id
}

function unknownNote(argument: string, text: string, categories: readonly CategoryEntry[]): string {
  const names = categories.map(({ name }) => name)
  const similar = similarNames(text, [...new Set(names)], NAMES_MAX).map(quote)
  const advice =
    similar.length === 0 ? allNames(categories) : `names that resemble it: ${similar.join(', ')}`
  return `No category has the ${argument} name or id ${quote(text)}; ${advice}.`
}

/** The names of broad categories, and then those of finer ones, as far as there is room. */
function allNames(categories: readonly CategoryEntry[]): string {
  if (categories.length === 0) return 'the workspace has no categories'
  const isBroad = (category: CategoryEntry): boolean => parentIdOf(category) === undefined
  const all = [...categories.filter(isBroad), ...categories.filter((one) => !isBroad(one))]
  let left = LISTED_CHARS_MAX
  const listed = all.filter(({ name }) => {
    left -= quote(name).length
    return left >= 0
  })
  const finer = listed.filter((category) => !isBroad(category))
  const finerText = finer.length === 0 ? '' : `; finer ones: ${listOf(finer)}`
  const rest = all.length - listed.length
  const restText = rest === 0 ? '' : `; ${rest} more, which groupBy: "category" shows`
  const broadText = `broad categories (parentCategory): ${listOf(listed.filter(isBroad))}`
  return `${broadText}${finerText}${restText}`
}

function listOf(categories: readonly CategoryEntry[]): string {
  return categories.map(({ name }) => quote(name)).join(', ')
}

async function broadNote(
  context: ToolContext,
  sent: SentArguments,
  children: readonly CategoryEntry[],
): Promise<string> {
  const wider = new Map(sent).set('parentCategory', sent.get('category') ?? '').set('limit', '0')
  for (const name of ['category', 'offset']) wider.delete(name)
  const request = transactionRequest(wider)
  const answer = await callOperation(context, { ...request, hitsKey: '' }, () => undefined)
  const sums = await sumsOfHits(context, { hitsKey: '' }, answer, answer.hits ?? listingOf([]))
  const names = listOf(children.slice(0, NAMES_MAX))
  const more = children.length > NAMES_MAX ? ` and ${children.length - NAMES_MAX} more` : ''
  const nets = sums
    .slice(0, SUM_CURRENCIES_MAX)
    .map(({ currency, incoming, outgoing }) => `${currency} ${sumValue(incoming + outgoing)}`)
  return (
    `${quote(sent.get('category') ?? '')} is a broad category; as category it selects only ` +
    `transactions without a finer one. Send it as parentCategory to include ${names}` +
    `${more}: ${answer.page?.total ?? 0} transactions, net ${nets.join(', ') || '0'}.`
  )
}
