// The parameters that summaries alone have (docs/extensions/sums.md, "Parameters").
import { GROUP_FIELDS_MAX } from '../limits.js'
import type { GroupField } from '../query/summary.js'
import type { GroupMeasure } from '../query/summary-groups.js'
import type { SortOrder } from '../query/transaction-query.js'
import { type ChoiceParameter, ORDER, type WordsParameter } from './parameter-table.js'

export const GROUP_BY: WordsParameter<GroupField> = {
  kind: 'words',
  name: 'groupBy',
  description:
    `What to group by: up to ${GROUP_FIELDS_MAX} fields, separated by a comma. Periods are those ` +
    'of the booking date (UTC). If absent, there is one group for each currency.',
  example: 'month,category',
  words: [
    ...(['month', 'quarter', 'year', 'day', 'category', 'parentCategory'] as const),
    ...(['account', 'counterpart', 'direction'] as const),
  ],
  countMax: GROUP_FIELDS_MAX,
}

export const SUMMARY_SORT_BY: ChoiceParameter<GroupMeasure> = {
  kind: 'choice',
  name: 'sortBy',
  documentKey: 'summarySortBy',
  description:
    'The figure to sort by, within each currency; currencies are in the order of their codes. If ' +
    'absent, groups are in the order of their values: periods ascending, names by code point, ' +
    'groups without a value last, then by currency.',
  example: 'net',
  choices: new Map<string, GroupMeasure>([
    ['net', 'net'],
    ['in', 'in'],
    ['out', 'out'],
    ['count', 'count'],
  ]),
}

export const SUMMARY_ORDER: ChoiceParameter<SortOrder> = {
  kind: 'choice',
  name: 'order',
  documentKey: 'summaryOrder',
  description:
    'Ascending (`asc`, `1`) or descending (`desc`, `-1`) order of `sortBy`, without which it is ' +
    'rejected; descending if absent. Equal groups are in the order of their values.',
  example: 'desc',
  choices: ORDER.choices,
}
