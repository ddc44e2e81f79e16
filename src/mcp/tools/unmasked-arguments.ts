import { ApiError } from '../../errors.js'
import { quote } from '../../wire/fault.js'
import type { SentArguments } from './arguments.js'
import type { MaskedKind, MaskedValues } from './masked-values.js'
import { MASKED_IBAN, PSEUDONYM } from './masks.js'
import type { ToolContext } from './tool.js'

/**
 * The arguments with the names and IBANs that masks of earlier answers stand for: IBANs in
 * `account`, `accountIds` and `counterpartIban`, both in `search`. Only masks that the integration
 * was shown are known.
 * @throws ApiError that names the argument, when a mask is unknown or stands for several values
 */
export function unmaskedArguments(
  { access, view }: ToolContext,
  sent: SentArguments,
  maskedValues: MaskedValues,
): SentArguments {
  if (!view.masksIbans && !view.masksNames) return sent
  const valueBehind = (argument: string, kinds: readonly MaskedKind[], mask: string): string => {
    const { id } = access.integration
    const values = new Set(kinds.flatMap((kind) => maskedValues.valuesOf(id, kind, mask)))
    const [value, other] = values
    if (value !== undefined && other === undefined) return value
    throw maskFault(argument, mask, value === undefined)
  }
  const unmasked = new Map(sent)
  for (const [argument, text] of sent) {
    const kind = IBAN_ARGUMENTS.get(argument)
    if (kind !== undefined && view.masksIbans) {
      const ibans = text.split(',').map((word) => {
        return MASKED_IBAN_ONLY.test(word) ? valueBehind(argument, [kind], word) : word
      })
      unmasked.set(argument, ibans.join())
    }
    if (argument !== 'search') continue
    const named = view.masksNames
      ? text.replaceAll(PSEUDONYM, (mask) => valueBehind(argument, ['name'], mask))
      : text
    const ibans = ['accountIban', 'counterpartIban'] as const
    unmasked.set(
      argument,
      view.masksIbans
        ? named.replaceAll(MASKED_IBAN, (mask) => inGroups(valueBehind(argument, ibans, mask)))
        : named,
    )
  }
  return unmasked
}

/** An IBAN as texts print it; its groups, as terms of a search, find it without spaces as well. */
function inGroups(iban: string): string {
  return iban.replace(/.{4}(?=.)/g, '$& ')
}

const IBAN_ARGUMENTS: ReadonlyMap<string, MaskedKind> = new Map([
  ['account', 'accountIban'],
  ['accountIds', 'accountIban'],
  ['counterpartIban', 'counterpartIban'],
])

const MASKED_IBAN_ONLY = new RegExp(`^${MASKED_IBAN.source}$`)

/** What to send in place of a mask that says too little. */
const ADVICE: Readonly<Record<string, string>> = {
  account: 'send the id of the account',
  accountIds: 'send the id of the account',
  counterpartIban: 'search for a text of the transactions instead',
  search: 'search for another text of the transactions',
}

function maskFault(argument: string, mask: string, isUnknown: boolean): ApiError {
  const cause = isUnknown
    ? 'stands for no value of a recent answer'
    : 'stands for several values of earlier answers'
  const message = `${argument}: ${quote(mask)} ${cause}: ${ADVICE[argument]}.`
  return new ApiError('invalid_parameter', message)
}
