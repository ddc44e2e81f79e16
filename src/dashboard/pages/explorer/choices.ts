import type { Snapshot } from '../../../snapshot/snapshot.js'
import { accountName, accountsOf } from '../../account-list.js'
import type { ChoiceOption } from '../../elements/field.js'

/** Accounts or categories that a form offers; beyond it the operator types the id. */
const CHOICES_MAX = 1_000

/** The options of a form; the first one stands for no choice. */
export interface Choices {
  readonly accounts: readonly ChoiceOption[]
  /** By id, which tells categories of one name apart; detailed ones after their broad one. */
  readonly categories: readonly ChoiceOption[]
  readonly broadCategories: readonly ChoiceOption[]
}

/** Accounts and categories of a workspace, as the values of filters. */
export function choicesOf(snapshot: Snapshot): Choices {
  const accounts = accountsOf(snapshot).slice(0, CHOICES_MAX)
  const categories = categoriesOf(snapshot)
  const broad = categories.filter(({ parentId }) => parentId === undefined)
  const nested = broad.flatMap(({ id, name }) => [
    { value: String(id), text: name },
    ...categories
      .filter(({ parentId }) => parentId === id)
      .map((child) => ({ value: String(child.id), text: `${name} › ${child.name}` })),
  ])
  return {
    accounts: [
      { value: '', text: 'All accounts' },
      ...accounts.map((account) => ({
        value: String(account.id),
        text: `${accountName(account)} (${account.currency})`,
      })),
    ],
    categories: [{ value: '', text: 'Any' }, ...nested],
    broadCategories: [
      { value: '', text: 'Any' },
      ...broad.map(({ id, name }) => ({ value: String(id), text: name })),
    ],
  }
}

interface CategoryOption {
  readonly id: number
  readonly name: string
  readonly parentId: number | undefined
}

function categoriesOf({ categories }: Snapshot): CategoryOption[] {
  return categories.slice(0, CHOICES_MAX).map(({ id, name, bytes }) => {
    const { parentCategory } = JSON.parse(Buffer.from(bytes).toString()) as {
      readonly parentCategory: { readonly id?: number }
    }
    return { id, name, parentId: parentCategory.id }
  })
}

/** The options, and the current value when it is none of them: by name, or unknown. */
export function withValue(
  options: readonly ChoiceOption[],
  value: string | undefined,
): readonly ChoiceOption[] {
  if (value === undefined || options.some((option) => option.value === value)) return options
  return [...options, { value, text: value }]
}
