import type { EntrySource } from '../statement.js'

/** A message of the family: its elements, and its names in messages to users. */
export interface CamtMessage {
  readonly format: 'camt052' | 'camt053' | 'camt054'
  /** `camt.053 statement`. */
  readonly name: string
  /** The element of the message. */
  readonly root: string
  /** The element for one account of the message. */
  readonly part: string
  readonly source: EntrySource
}

/** A statement of closed days: its entries are final, and its balances are the account's. */
export const CAMT_053: CamtMessage = {
  format: 'camt053',
  name: 'camt.053 statement',
  root: 'BkToCstmrStmt',
  part: 'Stmt',
  source: 'statement',
}

/** A report of the running day: its entries are final, its balances are not. */
export const CAMT_052: CamtMessage = {
  format: 'camt052',
  name: 'camt.052 report',
  root: 'BkToCstmrAcctRpt',
  part: 'Rpt',
  source: 'report',
}

/** A notification about entries of a statement, with details that the statement lacks. */
export const CAMT_054: CamtMessage = {
  format: 'camt054',
  name: 'camt.054 notification',
  root: 'BkToCstmrDbtCdtNtfctn',
  part: 'Ntfctn',
  source: 'notification',
}

const CAMT_MESSAGES: readonly CamtMessage[] = [CAMT_053, CAMT_052, CAMT_054]

/** How a message is recognized; the first one wins where a text has elements of several. */
const SIGNS: readonly { readonly format: CamtMessage['format']; readonly sign: RegExp }[] = [
  { format: 'camt053', sign: /<(?:[\w.-]+:)?BkToCstmrStmt[\s/>]|:camt\.053\./u },
  { format: 'camt052', sign: /<(?:[\w.-]+:)?BkToCstmrAcctRpt[\s/>]|:camt\.052\./u },
  { format: 'camt054', sign: /<(?:[\w.-]+:)?BkToCstmrDbtCdtNtfctn[\s/>]|:camt\.054\./u },
]

/** The message that has this element, or undefined. */
export function messageOfRoot(element: string): CamtMessage | undefined {
  return CAMT_MESSAGES.find(({ root }) => root === element)
}

/**
 * The message of the family that an XML document is, by its element or its namespace.
 * @param markup the first few KB of the document, without comments
 */
export function camtFormatOf(markup: string): CamtMessage['format'] | undefined {
  return SIGNS.find(({ sign }) => sign.test(markup))?.format
}
