// The parameters that the changes alone have (docs/extensions/changes.md).
import {
  CHANGES_WAIT_SECONDS_MAX,
  FILTER_CODE_POINTS_MAX,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
} from '../limits.js'
import type { IntegerParameter, TextParameter } from './parameter-table.js'

export const SINCE: TextParameter = {
  kind: 'text',
  name: 'since',
  description:
    'The `cursor` of the page before. If absent, the answer is the first page of a copy of all ' +
    'transactions. A cursor that is too old, or of other accounts, is `cursor_expired`: start ' +
    'again without it.',
  example: 'u7YcIpNSYxkFevkwysWL2l6EThqJW0h-E8UxAx0JCvI',
  codePointsMax: FILTER_CODE_POINTS_MAX,
}

export const CHANGES_LIMIT: IntegerParameter = {
  kind: 'integer',
  name: 'limit',
  documentKey: 'changesLimit',
  description: `Maximum number of changes, from 1. A value above ${LIST_LIMIT_MAX} is rejected.`,
  example: '250',
  fallback: LIST_LIMIT_DEFAULT,
  min: 1,
  max: LIST_LIMIT_MAX,
}

export const WAIT: IntegerParameter = {
  kind: 'integer',
  name: 'wait',
  description:
    'Number of seconds to wait for the first change if there is none yet. The answer comes with ' +
    'the first change, or without any when the time is over.',
  example: '30',
  fallback: 0,
  min: 0,
  max: CHANGES_WAIT_SECONDS_MAX,
}
