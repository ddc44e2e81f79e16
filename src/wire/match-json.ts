import type { MatchField, MatchReasons, PaymentEvidence } from '../domain/matched-transaction.js'
import { MATCH_SCORE_DECIMALS } from '../limits.js'
import type { MatchExplanation } from '../match/explanation.js'
import type { MatchFields } from '../match/fields.js'
import { formatAmount } from '../money.js'
import type { RankedMatch } from '../query/match-ranking.js'
import { rowJson } from '../snapshot/stale-fragments.js'
import type { BodyBuffer } from './body-buffer.js'
import { rewriteObject } from './custom-schema-rewrite.js'
import type { RowChanges } from './page-json.js'

const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const COMMA = 0x2c

/**
 * A page of matches as a JSON array: each the transaction as in lists, followed by the members of a
 * match, which a customSchema never sees. Valid until the buffer's next body.
 * @param page in the order of the answer
 */
export function matchPageJson(
  buffer: BodyBuffer,
  page: readonly RankedMatch[],
  { staleFragments, customSchema }: RowChanges,
): Uint8Array {
  const rows = page.map(({ segment, ordinal }) =>
    rowJson(segment, ordinal, staleFragments.get(segment)),
  )
  const endings = page.map((match) => Buffer.from(endingOf(match)))
  // Besides its own bytes, each takes a comma before it and one before its ending.
  const growth = (customSchema?.growthBytesMax ?? 0) + 2
  const rowBytes = rows.reduce((sum, row) => sum + row.length + growth, 0)
  const body = buffer.begin(endings.reduce((sum, ending) => sum + ending.length, rowBytes + 2))
  body[0] = OPEN_ARRAY
  let end = 1
  for (const [i, row] of rows.entries()) {
    if (i > 0) body[end++] = COMMA
    if (customSchema === undefined) {
      body.set(row, end)
      end += row.length
    } else end = rewriteObject(customSchema, row, body, { start: 0, outStart: end })
    // The ending replaces the closing brace.
    end -= 1
    if (body[end - 1] !== OPEN_OBJECT) body[end++] = COMMA
    const ending = endings[i]! // one per row
    body.set(ending, end)
    end += ending.length
  }
  body[end] = CLOSE_ARRAY
  return body.subarray(0, end + 1)
}

/** The members that a match adds, and the end of the object. */
function endingOf({ score, explanation, evidence = [] }: RankedMatch): string {
  const written = `"score":${formatAmount(score, MATCH_SCORE_DECIMALS)}`
  return explanation === undefined
    ? `${written}}`
    : `${written},"explanation":${explanationJson(explanation, evidence)}}`
}

function explanationJson(
  { field, matched, kind, adjustments }: MatchExplanation,
  evidence: readonly PaymentEvidence[],
): string {
  const reasons: MatchReasons = { field: FIELD_PATHS[field], matched, kind, adjustments }
  return JSON.stringify(evidence.length === 0 ? reasons : { ...reasons, evidence })
}

/** The path of a field in the transaction. */
const FIELD_PATHS: Readonly<Record<keyof MatchFields, MatchField>> = {
  purpose: 'purpose',
  endToEndReference: 'endToEndReference',
  customerReference: 'counterpart.customerReference',
  mandateReference: 'counterpart.mandateReference',
  primanota: 'primanota',
  paypalInvoiceNumber: 'paypal.invoiceNumber',
}
