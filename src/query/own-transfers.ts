import { accountKeyOf } from '../snapshot/account-key.js'
import type { AccountEntry, Segment } from '../snapshot/snapshot.js'
import { codeOfString, type StringTable } from '../snapshot/strings.js'

/** Codes of a segment's counterparts: in its IBANs, and in its other account keys. */
export interface OwnCounterpartCodes {
  readonly ibans: ReadonlySet<number>
  readonly keys: ReadonlySet<number>
}

/**
 * The counterparts of each segment that an account is. Kept, because a look-up in the texts of a
 * segment takes some microseconds, and a workspace may have thousands of accounts.
 */
export type OwnCounterparts = WeakMap<Segment, WeakMap<AccountEntry, OwnCounterpartCodes>>

/**
 * The counterparts of a segment that are one of the accounts: by IBAN, and for a counterpart
 * without one by account number and bank (docs/extensions/filters.md, "Own transfers").
 */
export function ownCounterpartsOf(
  segment: Segment,
  accounts: readonly AccountEntry[],
  known: OwnCounterparts,
): OwnCounterpartCodes {
  let ofSegment = known.get(segment)
  if (ofSegment === undefined) {
    ofSegment = new WeakMap()
    known.set(segment, ofSegment)
  }
  const ibans = new Set<number>()
  const keys = new Set<number>()
  for (const account of accounts) {
    let codes = ofSegment.get(account)
    if (codes === undefined) {
      codes = counterpartCodesOf(segment, account)
      ofSegment.set(account, codes)
    }
    for (const code of codes.ibans) ibans.add(code)
    for (const code of codes.keys) keys.add(code)
  }
  return { ibans, keys }
}

function counterpartCodesOf(segment: Segment, account: AccountEntry): OwnCounterpartCodes {
  const { iban, accountNumber = null, bic = null, blz = null } = account
  const keys = [accountKeyOf(accountNumber, bic), accountKeyOf(accountNumber, blz)]
  return {
    ibans: codesIn(segment.counterpartIbans, [iban]),
    keys: codesIn(segment.counterpartKeys.table, keys),
  }
}

function codesIn(table: StringTable, texts: readonly (string | undefined)[]): Set<number> {
  const codes = texts.map((text) => (text === undefined ? -1 : codeOfString(table, text)))
  return new Set(codes.filter((code) => code !== -1))
}
