import { closeSync, openSync, writeSync } from 'node:fs'
import { randomOf } from '../src/demo/random.js'
import { formatInstant } from '../src/instant.js'

const OPENING =
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>' +
  '<GrpHdr><MsgId>bench</MsgId></GrpHdr>\n<Stmt><Id>1</Id>' +
  '<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>\n'
const CLOSING = '</Stmt></BkToCstmrStmt></Document>\n'

/** Characters per write. */
const PIECE_CHARS = 1_000_000

const DAY_MS = 86_400_000
const FIRST_DAY_MS = 1_577_836_800_000

/**
 * Writes one camt.053 statement of about `byteCount` bytes; no two of its entries are equal.
 * @returns the number of entries
 */
export function writeCamtFile(path: string, byteCount: number, seed: number): number {
  const random = randomOf(seed)
  const file = openSync(path, 'w')
  let written = 0
  let entryCount = 0
  let piece = OPENING
  while (written + piece.length < byteCount) {
    piece += entry(entryCount, random.between(1, 9_999_999), random.below(500))
    entryCount += 1
    if (piece.length < PIECE_CHARS) continue
    written += writeSync(file, piece)
    piece = ''
  }
  writeSync(file, piece + CLOSING)
  closeSync(file)
  return entryCount
}

function entry(number: number, cents: number, party: number): string {
  const day = formatInstant(FIRST_DAY_MS + Math.floor(number / 400) * DAY_MS).slice(0, 10)
  const text = String(cents).padStart(3, '0')
  const amount = `${text.slice(0, -2)}.${text.slice(-2)}`
  const digits = String(party).padStart(10, '0')
  return (
    `<Ntry><NtryRef>${number}</NtryRef><Amt Ccy="EUR">${amount}</Amt>` +
    `<CdtDbtInd>${party % 3 === 0 ? 'CRDT' : 'DBIT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>` +
    `<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>` +
    `<AcctSvcrRef>REF${number}</AcctSvcrRef><NtryDtls><TxDtls>` +
    `<Refs><EndToEndId>E2E-${number}</EndToEndId></Refs><RltdPties>` +
    `<Dbtr><Pty><Nm>Debtor ${party}</Nm></Pty></Dbtr>` +
    `<Cdtr><Pty><Nm>Creditor ${party}</Nm></Pty></Cdtr>` +
    `<CdtrAcct><Id><Othr><Id>${digits}</Id></Othr></Id></CdtrAcct></RltdPties>` +
    `<RmtInf><Ustrd>Invoice ${number} of ${day}, customer ${party}, thank you</Ustrd></RmtInf>` +
    '</TxDtls></NtryDtls></Ntry>\n'
  )
}
