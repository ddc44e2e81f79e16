import { warningOfIban } from '../account-text.js'
import { CountedNotes } from '../counted-notes.js'
import type { StatementEvent, StatementReader } from '../statement.js'
import { STATEMENT_BATCH_EVENTS, StatementError } from '../statement.js'
import type { OfxElement } from './ofx-elements.js'
import { readElements } from './ofx-elements.js'
import type { OfxEntry } from './ofx-statement.js'
import { accountOfStatement, balanceOf, isStatement, readStatement } from './ofx-statement.js'

/**
 * Characters of an OFX file, which is read as a whole (a FITID can recur anywhere): some 300,000
 * transactions.
 */
export const OFX_CHARS_MAX = 64 * 1_024 * 1_024

/**
 * Reads OFX 1 (SGML), OFX 2 (XML) and QFX: every bank and credit card statement of the file. A
 * FITID is the bank reference: the specification makes it unique within the account; a FITID that
 * occurs twice in an account is left out, so that neither entry is lost. A missing end tag whose
 * place is unambiguous gives a warning, and so do an invalid own IBAN and a type `DEBIT` or
 * `CREDIT` that contradicts the sign of its amount, which counts. Positions count the transactions
 * of the file. Reads the whole text, at most OFX_CHARS_MAX characters.
 * @throws StatementError when the file is not OFX, is broken, or has no such statement
 */
export const readOfx: StatementReader = async function* (text, options) {
  const missingEnds: StatementEvent[] = []
  const root = readElements(await wholeText(text), ({ name, line }, endLine) => {
    const message = `</${name}> is missing, read as if it stood here (it begins in line ${line})`
    missingEnds.push({ kind: 'warning', message, position: `line ${endLine}` })
  })
  const warnings: StatementEvent[] = []
  const statements: OfxElement[] = []
  collect(root, statements, warnings)
  if (statements.length === 0 && warnings.length === 0) {
    const message = 'no bank or credit card statement (STMTRS, CCSTMTRS) in the file'
    throw new StatementError({ position: `line ${root.line}`, message })
  }
  if (warnings.length + missingEnds.length > 0) yield [...missingEnds, ...warnings]
  const bankName = textOf(root, ['SIGNONMSGSRSV1', 'SONRS', 'FI', 'ORG'])
  const read = []
  let entryCount = 0
  for (const element of statements) {
    const account = accountOfStatement(element, options, bankName)
    const entries = readStatement(element, options, entryCount)
    entryCount += entries.length
    read.push({
      element,
      account,
      accountKey: account.iban ?? account.accountNumber ?? '',
      entries,
    })
  }
  const counts = new Map<string, number>()
  for (const { accountKey, entries } of read) {
    for (const { fitId } of entries) {
      const key = `${accountKey} ${fitId}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  for (const { element, account, accountKey, entries } of read) {
    const isUnique = (fitId: string): boolean => counts.get(`${accountKey} ${fitId}`) === 1
    const opening: StatementEvent[] = [{ kind: 'account', account }]
    const warning = warningOfIban(account)
    const position = `line ${element.line}`
    if (warning !== undefined) opening.push({ kind: 'warning', message: warning, position })
    yield opening
    const notes = new CountedNotes()
    for (const { event, warning } of entries) {
      if (event.kind !== 'transaction' || warning === undefined) continue
      const { position: at, type } = event.transaction
      notes.add(`sign of ${type}`, at, warning)
    }
    yield notes.take()
    for (let i = 0; i < entries.length; i += STATEMENT_BATCH_EVENTS) {
      yield entries.slice(i, i + STATEMENT_BATCH_EVENTS).map((entry) => eventOf(entry, isUnique))
    }
    const balance = balanceOf(element, options)
    if (balance !== undefined) yield [balance]
  }
}

async function wholeText(text: AsyncIterable<string>): Promise<string> {
  const pieces: string[] = []
  let chars = 0
  for await (const piece of text) {
    chars += piece.length
    if (chars > OFX_CHARS_MAX) {
      const message = `more than ${OFX_CHARS_MAX} characters; split the export into shorter periods`
      throw new StatementError({ position: `character ${OFX_CHARS_MAX}`, message })
    }
    pieces.push(piece)
  }
  return pieces.join('')
}

/** Collects statements depth first, in file order; the reader of elements bounds the depth. */
function collect(element: OfxElement, statements: OfxElement[], warnings: StatementEvent[]): void {
  if (isStatement(element)) {
    statements.push(element)
    return
  }
  const position = `line ${element.line}`
  if (element.name === 'INVSTMTRS') {
    const message = 'an investment statement (INVSTMTRS), skipped'
    warnings.push({ kind: 'warning', message, position })
    return
  }
  if (['STMTTRNRS', 'CCSTMTTRNRS'].includes(element.name) && !element.children.some(isStatement)) {
    const code = textOf(element, ['STATUS', 'CODE']) ?? 'none'
    const reason = textOf(element, ['STATUS', 'MESSAGE']) ?? 'no message'
    const message = `the bank did not send this statement (status ${code}: ${reason})`
    warnings.push({ kind: 'warning', message, position })
  }
  for (const child of element.children) collect(child, statements, warnings)
}

function textOf(element: OfxElement, path: readonly string[]): string | undefined {
  let at: OfxElement | undefined = element
  for (const name of path) at = at?.children.find((child) => child.name === name)
  return at === undefined || at.text === '' ? undefined : at.text
}

/** The event of the entry, with its reference. */
function eventOf(entry: OfxEntry, isUnique: (fitId: string) => boolean): StatementEvent {
  const { event, fitId } = entry
  if (event.kind !== 'transaction' || fitId === undefined || !isUnique(fitId)) return event
  event.transaction.bankReference = fitId
  return event
}
