import { ACCOUNT_IDS_MAX, AMOUNT_DIGITS_MAX, AMOUNT_SCALE_MAX } from '../limits.js'
import type { AmountDirection, OwnTransfers } from '../query/transaction-query.js'
import {
  type AccountsParameter,
  type AmountParameter,
  type ChoiceParameter,
  type CurrencyParameter,
  type DayParameter,
  instantParameter,
  type SwitchParameter,
} from './parameter-table.js'

// The filters that kontor adds to those of the contract (docs/extensions/filters.md).

const NOTATION =
  `A decimal number of up to ${AMOUNT_DIGITS_MAX} digits, up to ${AMOUNT_SCALE_MAX} of them ` +
  'after the point; compared exactly.'

function amountParameter(name: string, what: string, example: string): AmountParameter {
  return {
    kind: 'amount',
    name,
    description: `Only transactions whose \`amount\` ${what}. ${NOTATION}`,
    example,
    pattern: `^-?\\d+(?:\\.\\d{1,${AMOUNT_SCALE_MAX}})?$`,
    isSigned: true,
  }
}

export const AMOUNT_FROM = amountParameter(
  'amountFrom',
  'is this or greater; money out is negative',
  '1000',
)
export const AMOUNT_TO = amountParameter(
  'amountTo',
  'is this or less; money out is negative',
  '-0.01',
)

export const ABSOLUTE_AMOUNT: AmountParameter = {
  ...amountParameter('absoluteAmount', 'is exactly this, whatever its sign', '574.7'),
  pattern: `^\\d+(?:\\.\\d{1,${AMOUNT_SCALE_MAX}})?$`,
  isSigned: false,
}

export const DIRECTION: ChoiceParameter<AmountDirection> = {
  kind: 'choice',
  name: 'direction',
  description:
    'Only money in (`in`, `amount` above 0) or only money out (`out`, `amount` below 0).',
  example: 'out',
  choices: new Map<string, AmountDirection>([
    ['in', 'in'],
    ['out', 'out'],
  ]),
}

export const CURRENCY: CurrencyParameter = {
  kind: 'currency',
  name: 'currency',
  description: 'Only transactions in this currency, an ISO 4217 code in upper case.',
  example: 'EUR',
  pattern: '^[A-Z]{3}$',
}

export const ACCOUNT_IDS: AccountsParameter = {
  kind: 'accounts',
  name: 'accountIds',
  description:
    'Only transactions of these own accounts: ids or IBANs, separated by commas, without spaces, ' +
    `at most ${ACCOUNT_IDS_MAX}. An account that the credential cannot access is an error, like ` +
    'one that does not exist.',
  example: '1,DE89370400440532013000',
  pattern: '^[-a-zA-Z0-9_]+(?:,[-a-zA-Z0-9_]+)*$',
  accountsMax: ACCOUNT_IDS_MAX,
}

export const UNCATEGORIZED: SwitchParameter = {
  kind: 'switch',
  name: 'uncategorized',
  description:
    '`true`: only transactions with neither `category` nor `parentCategory`. `false`: only those ' +
    'with either.',
  example: 'true',
}

export const OWN_TRANSFERS: ChoiceParameter<OwnTransfers> = {
  kind: 'choice',
  name: 'ownTransfers',
  description:
    'Transfers between accounts of the workspace: with them (`include`), without them ' +
    '(`exclude`), or nothing else (`only`). A transaction is one when its counterpart is an ' +
    'account that the credential can access: by IBAN, and without an IBAN by account number and ' +
    'bank.',
  example: 'exclude',
  choices: new Map<string, OwnTransfers>([
    ['include', 'include'],
    ['exclude', 'exclude'],
    ['only', 'only'],
  ]),
  fallback: 'include',
}

export const UPDATED_BEFORE = instantParameter('updatedBefore', 'updatedAt', 'before')
export const UPDATED_AFTER = instantParameter('updatedAfter', 'updatedAt', 'after')

function dayParameter(name: string, date: string, what: string): DayParameter {
  return {
    kind: 'day',
    name,
    description:
      `Only transactions whose \`${date}\` is on this day (UTC) or ${what}. A transaction ` +
      'without that date is excluded.',
    example: '2026-01-31',
  }
}

export const BOOKED_FROM = dayParameter('bookedFrom', 'bookingDate', 'later')
export const BOOKED_TO = dayParameter('bookedTo', 'bookingDate', 'earlier')
export const VALUED_FROM = dayParameter('valuedFrom', 'valueDate', 'later')
export const VALUED_TO = dayParameter('valuedTo', 'valueDate', 'earlier')
export const IMPORTED_FROM = dayParameter('importedFrom', 'importDate', 'later')
export const IMPORTED_TO = dayParameter('importedTo', 'importDate', 'earlier')
