import type { ComponentChildren, VNode } from '../../../browser/jsx.js'
import type { ApiError } from '../../../errors.js'
import type { Snapshot } from '../../../snapshot/snapshot.js'
import { linkTo } from '../../dashboard-context.js'
import { ChoiceField, type ChoiceOption, Field } from '../../elements/field.js'
import { Link } from '../../elements/link.js'
import { usePageContext } from '../../layout/page-context.js'
import { type Choices, choicesOf, withValue } from './choices.js'
import {
  DATE_PAIRS,
  type FilterName,
  type FilterValues,
  filterOf,
  NARROWING_NAMES,
  TEXT_FILTERS,
  type TextFilter,
} from './filter-values.js'

/** Transactions on one page of the explorer: a few screens, and half of a page's maximum size. */
export const EXPLORED_ROWS_DEFAULT = 50

/** Faults of the filters: sentences by filter, and one about none in particular. */
export interface Faults {
  readonly byFilter: Readonly<Partial<Record<FilterName, string>>>
  readonly general: string | undefined
  /** Of the page; undefined = no fault. */
  readonly status?: number
}

/** Maps an error of the service to the filter it is about. @param error undefined = no fault */
export function faultsOf(error: ApiError | undefined, values: FilterValues): Faults {
  if (error === undefined) return { byFilter: {}, general: undefined }
  const { message, fault, code, status } = error
  const isAccount = code === 'not_found' && values.account !== undefined
  const filter = isAccount ? 'account' : fault === undefined ? undefined : filterOf(fault.name)
  const isCustom = filter === undefined && code === 'invalid_custom_schema'
  const place = isCustom ? 'customSchema' : filter
  if (place === undefined) return { byFilter: {}, general: message, status }
  return { byFilter: { [place]: message }, general: undefined, status }
}

interface FilterFormProps {
  /** The page that the form requests. */
  readonly path: string
  readonly values: FilterValues
  readonly faults: Faults
  readonly snapshot: Snapshot
  /** The use of the text field. */
  readonly text: { readonly label: string; readonly hint: string; readonly isRequired?: boolean }
  readonly button: string
  /** Fields of the view, after the text field; the names of filters that only other views have. */
  readonly children?: ComponentChildren
  readonly isSorted?: boolean
  /** The page with suggestions for the text; absent = there are none. */
  readonly suggestions?: string
}

/** The filters of a view. Sent with GET, so that the URL holds the filters. */
export function FilterForm(props: FilterFormProps): VNode {
  const { path, values, faults, snapshot, text, button, children, isSorted = false } = props
  const { suggestions } = props
  const context = usePageContext()
  const choices = choicesOf(snapshot)
  const error = faults.byFilter
  return (
    <form method="get" action={linkTo(context, path)} class="filters panel">
      <div class="filter-main">
        <Field
          name="query"
          type="search"
          label={text.label}
          hint={text.hint}
          value={values.query}
          error={error.query}
          required={text.isRequired === true}
          {...(suggestions === undefined ? {} : { suggestions: linkTo(context, suggestions) })}
        />
        <button type="submit" class="key">
          {button}
        </button>
      </div>
      {children}
      <details open={isNarrowed(values) || Object.keys(error).length > 0}>
        <summary>Filters</summary>
        <div class="filter-grid">
          <ChoiceOrText
            name="account"
            label="Account"
            options={choices.accounts}
            value={values.account}
            error={error.account}
            hint={ACCOUNT_HINT}
          />
          <Field
            name="counterpart"
            label="Counterpart’s IBAN"
            value={values.counterpart}
            error={error.counterpart}
          />
          {TEXT_FILTERS.map((name) => (
            <TextFilterField key={name} {...{ name, choices, values, error }} />
          ))}
          {DATE_PAIRS.map((pair) => (
            <Dates key={pair.from} {...{ pair, values, error }} />
          ))}
          {isSorted ? <Sorting {...{ values, error }} /> : null}
        </div>
        <p class="soft">Days are UTC; the days from and to are included.</p>
        <p>
          <Link to={path}>Clear all filters</Link>
        </p>
      </details>
    </form>
  )
}

function isNarrowed(values: FilterValues): boolean {
  return NARROWING_NAMES.some((name) => values[name] !== undefined)
}

interface PartProps {
  readonly values: FilterValues
  readonly error: Faults['byFilter']
}

interface TextFilterProps extends PartProps {
  readonly name: TextFilter
  readonly choices: Choices
}

interface TextFilterWords {
  readonly label: string
  /** The values that a drop-down list offers. */
  readonly choices?: keyof Choices
  readonly options?: readonly ChoiceOption[]
  readonly hint?: string
}

const AMOUNT_HINT = 'Money out is negative: -99.5.'

/** The labels of the filters, and their values where there are few. */
const TEXT_FILTER_FIELDS: Readonly<Record<TextFilter, TextFilterWords>> = {
  category: { label: 'Category', choices: 'categories' },
  parentCategory: { label: 'Broad category', choices: 'broadCategories' },
  amountFrom: { label: 'Amount from', hint: AMOUNT_HINT },
  amountTo: { label: 'Amount to', hint: AMOUNT_HINT },
  absoluteAmount: { label: 'Exact amount', hint: 'Whatever its sign.' },
  direction: {
    label: 'Direction',
    options: [
      { value: '', text: 'Money in and out' },
      { value: 'in', text: 'Money in' },
      { value: 'out', text: 'Money out' },
    ],
  },
  currency: { label: 'Currency', hint: 'A code such as EUR.' },
  accountIds: { label: 'Several accounts', hint: 'Ids or IBANs, separated by commas.' },
  uncategorized: {
    label: 'Categorized',
    options: [
      { value: '', text: 'With and without a category' },
      { value: 'true', text: 'Without a category' },
      { value: 'false', text: 'With a category' },
    ],
  },
  ownTransfers: {
    label: 'Own transfers',
    options: [
      { value: '', text: 'Included' },
      { value: 'exclude', text: 'Left out' },
      { value: 'only', text: 'Nothing else' },
    ],
  },
}

function TextFilterField({ name, choices, values, error }: TextFilterProps): VNode {
  const { label, choices: offered, options, hint } = TEXT_FILTER_FIELDS[name]
  const field = { name, label, value: values[name], error: error[name] }
  if (options !== undefined)
    return <ChoiceField {...field} options={withValue(options, field.value)} />
  if (offered === undefined) return <Field {...field} hint={hint} />
  return <ChoiceOrText {...field} options={choices[offered]} hint={CATEGORY_HINT} />
}

/** Of the text fields for what is too much to list. */
const ACCOUNT_HINT = 'An id, or an IBAN without spaces.'
const CATEGORY_HINT = 'A name or an id.'

interface ChoiceOrTextProps {
  readonly name: string
  readonly label: string
  /** undefined = too many to list. */
  readonly options: readonly ChoiceOption[] | undefined
  readonly value: string | undefined
  readonly error: string | undefined
  /** Of the text field. */
  readonly hint: string
}

/** A drop-down list, or a text field for a value of too many to list. */
function ChoiceOrText({ options, hint, ...field }: ChoiceOrTextProps): VNode {
  if (options === undefined) return <Field {...field} hint={hint} />
  return <ChoiceField {...field} options={withValue(options, field.value)} />
}

interface DatesProps extends PartProps {
  readonly pair: (typeof DATE_PAIRS)[number]
}

function Dates({ pair: { label, from, to, type }, values, error }: DatesProps): VNode {
  const [begin, end] = type === 'date' ? ['from', 'to'] : ['after', 'before']
  const hint = type === 'date' ? undefined : 'A day, or an instant in UTC.'
  return (
    <fieldset class="days">
      <legend class="unseen">{label}</legend>
      <Field
        {...{ name: from, type, hint, value: values[from], error: error[from] }}
        label={`${label} ${begin}`}
      />
      <Field
        {...{ name: to, type, hint, value: values[to], error: error[to] }}
        label={`${label} ${end}`}
      />
    </fieldset>
  )
}

const SORT_KEYS = [
  { value: '', text: 'Id' },
  { value: 'bookingDate', text: 'Booking date' },
  { value: 'valueDate', text: 'Value date' },
  { value: 'importDate', text: 'Import date' },
  { value: 'amount', text: 'Amount' },
]

const ORDERS = [
  { value: '', text: 'Newest or largest first' },
  { value: 'asc', text: 'Oldest or smallest first' },
]

const LIMITS = [25, EXPLORED_ROWS_DEFAULT, 100, 250].map((limit) => ({
  value: String(limit),
  text: `${limit} per page`,
}))

function Sorting({ values, error }: PartProps): VNode {
  const limit = values.limit ?? String(EXPLORED_ROWS_DEFAULT)
  return (
    <>
      <ChoiceField
        name="sortBy"
        label="Sort by"
        options={withValue(SORT_KEYS, values.sortBy)}
        value={values.sortBy ?? ''}
        error={error.sortBy}
      />
      <ChoiceField
        name="order"
        label="Order"
        options={withValue(ORDERS, values.order)}
        value={values.order ?? ''}
        error={error.order}
      />
      <ChoiceField
        name="limit"
        label="Rows"
        options={withValue(LIMITS, limit)}
        value={limit}
        error={error.limit ?? error.offset}
      />
    </>
  )
}
