import type { Snapshot } from '../../../snapshot/snapshot.js'
import { accountName, accountsOf } from '../../account-list.js'
import type { ChoiceOption } from '../../elements/field.js'

/** Accounts or categories that a form offers; with more of them the operator types the value. */
const CHOICES_MAX = 200

/** The options of a form; the first one stands for no choice; undefined = too many to list. */
export interface Choices {
  readonly accounts: readonly ChoiceOption[] | undefined
  /** By id, which tells categories of one name apart; detailed ones after their broad one. */
  readonly categories: readonly ChoiceOption[] | undefined
  readonly broadCategories: readonly ChoiceOption[] | undefined
}

/** Accounts and categories of a workspace, as the values of filters. */
export function choicesOf(snapshot: Snapshot): Choices {
  const { accounts, categories } = snapshot
  return {
    accounts: accounts.length > CHOICES_MAX ? undefined : accountOptions(accounts),
    ...(categories.length > CHOICES_MAX
      ? { categories: undefined, broadCategories: undefined }
      : categoryOptions(snapshot)),
  }
}

function accountOptions(accounts: Snapshot['accounts']): ChoiceOption[] {
  return [
    { value: '', text: 'All accounts' },
    ...accountsOf(accounts).map((account) => ({
      value: String(account.id),
      text: `${accountName(account)} (${account.currency})`,
    })),
  ]
}

function categoryOptions(snapshot: Snapshot): Omit<Choices, 'accounts'> {
  const categories = categoriesOf(snapshot)
  const broad = categories.filter(({ parentId }) => parentId === undefined)
  const nested = broad.flatMap(({ id, name }) => [
    { value: String(id), text: name },
    ...categories
      .filter(({ parentId }) => parentId === id)
      .map((child) => ({ value: String(child.id), text: `${name} › ${child.name}` })),
  ])
  return {
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
  return categories.map(({ id, name, bytes }) => {
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
