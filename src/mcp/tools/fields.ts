import type { DefaultedChoice } from '../../wire/parameter-table.js'
import { readChoice } from '../../wire/parameter-values.js'
import { type Argument, argumentOf, type SentArguments } from './arguments.js'

/** The set of fields of each item. */
export type ResultFields = 'compact' | 'full'

const FIELDS: DefaultedChoice<ResultFields> = {
  kind: 'choice',
  name: 'fields',
  description: 'full: every field; most questions need compact.',
  example: 'full',
  choices: new Map<string, ResultFields>([
    ['compact', 'compact'],
    ['full', 'full'],
  ]),
  fallback: 'compact',
}

/** The argument that both tools share. */
export const FIELDS_ARGUMENT: Argument = argumentOf(FIELDS)

/** The set of fields asked for. @throws ApiError when it is neither */
export function readFields(sent: SentArguments): ResultFields {
  const text = sent.get(FIELDS.name)
  return text === undefined ? FIELDS.fallback : readChoice(FIELDS, text, 0, text.length)
}
