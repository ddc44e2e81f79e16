import type { VNode } from '../../../browser/jsx.js'
import { bytesText, countedText } from '../../../count-text.js'
import { INBOX_ACTOR } from '../../../domain/audit.js'
import { reasonForFolder } from '../../../inbox/folder-reason.js'
import type { FileImport, ImportResult } from '../../../inbox/imports.js'
import type { BalanceProof } from '../../../statements/import/file-balances.js'
import type { RowChange } from '../../../statements/import/row-change.js'
import { Badge } from '../../elements/badge.js'
import { InstantText } from '../../elements/day-text.js'
import { Form, SubmitButton } from '../../elements/form.js'

/** Warnings of an import that a page lists. */
const WARNINGS_SHOWN_MAX = 10

/** Fields of rows that an import changed, or would have, that a page lists. */
const CHANGES_SHOWN_MAX = 50

/** Imported files, the newest first, with their progress or result. */
export function ImportList({ all }: { readonly all: readonly FileImport[] }): VNode {
  return (
    <ol class="imports" aria-live="polite">
      {all.map((file) => (
        <li>
          <div class="import-head">
            <strong>
              <bdi>{file.name}</bdi>
            </strong>
            <StateBadge state={file.state} />
          </div>
          <State file={file} />
          {file.state === 'waiting' || file.state === 'running' ? <Cancel file={file} /> : null}
          <p class="soft">
            {bytesText(file.bytes)}, <Arrival file={file} />
          </p>
        </li>
      ))}
    </ol>
  )
}

function Arrival({ file: { who, queuedAtMs } }: { readonly file: FileImport }): VNode {
  const at = <InstantText ms={queuedAtMs} />
  if (who === INBOX_ACTOR.who) return <>found {at} in the import folder</>
  return (
    <>
      sent {at} by <bdi>{who.replace(/^operator:/, '')}</bdi>
    </>
  )
}

function Cancel({ file: { id, name } }: { readonly file: FileImport }): VNode {
  return (
    <Form>
      <input type="hidden" name="import" value={id} />
      <SubmitButton action="cancel" look="plain">
        Cancel <span class="unseen">{name}</span>
      </SubmitButton>
    </Form>
  )
}

function StateBadge({ state }: Pick<FileImport, 'state'>): VNode {
  if (state === 'waiting') return <Badge>Waiting</Badge>
  if (state === 'running') return <Badge variant="warn">Importing</Badge>
  if (state === 'ending' || state.kind === 'cancelled') return <Badge>Cancelled</Badge>
  return state.kind === 'done' ? (
    <Badge variant="good">Done</Badge>
  ) : (
    <Badge variant="bad">Failed</Badge>
  )
}

function State({ file }: { readonly file: FileImport }): VNode | null {
  const { state, readBytes, readRows, bytes, name } = file
  if (state === 'waiting') return null
  if (state === 'ending') return <p>The import is being rolled back.</p>
  if (state !== 'running') return <Outcome file={file} outcome={state} />
  return (
    <>
      <progress value={Math.min(readBytes, bytes)} max={bytes} aria-label={`Import of ${name}`} />
      <p>{countedText(readRows, 'entry', 'entries')} read</p>
    </>
  )
}

interface OutcomeProps {
  readonly file: FileImport
  readonly outcome: ImportResult
}

function Outcome({ file, outcome }: OutcomeProps): VNode {
  if (outcome.kind === 'cancelled') {
    const by = outcome.by.replace(/^operator:/, '')
    return (
      <p>
        Cancelled by <bdi>{by}</bdi>. Nothing was imported from the file.
      </p>
    )
  }
  if (outcome.kind === 'failed') {
    return <p class="field-error">{sentenceOf(forSender(file, outcome.reason))}</p>
  }
  const { format, accounts, added, unchanged, updated, skipped, kept, changed, warnings } = outcome
  const more = warnings.length - WARNINGS_SHOWN_MAX
  return (
    <>
      <p>
        <strong>{countedText(added, 'new transaction')}</strong>,{' '}
        {countedText(unchanged, 'was', 'were')} already there
        {updated === 0 ? '' : `, ${countedText(updated, 'was', 'were')} updated`}; in{' '}
        {countedText(accounts, 'account')}, read as {formatName(format)}.
        {skipped === 0 ? '' : ` ${countedText(skipped, 'entry', 'entries')} skipped.`}
      </p>
      <Proof balances={outcome.balances} />
      {kept === 0 ? null : (
        <p>
          {countedText(kept, 'row differs', 'rows differ')} from the file and{' '}
          {kept === 1 ? 'was' : 'were'} left unchanged. To apply the changes, upload the file again
          with “Let NDJSON update existing data”.
        </p>
      )}
      {kept + changed === 0 ? null : (
        <Changes
          summary={`${countedText(kept + changed, 'row')} ${changed > 0 ? 'changed' : 'kept'}`}
          changes={outcome.changes}
        />
      )}
      {warnings.length === 0 ? null : (
        <details>
          <summary>{countedText(warnings.length, 'warning')}</summary>
          <ul>
            {warnings.slice(0, WARNINGS_SHOWN_MAX).map((warning) => (
              <li>{forThePage(forSender(file, warning))}</li>
            ))}
            {more > 0 ? <li>and {more} more</li> : null}
          </ul>
        </details>
      )}
    </>
  )
}

/** Nothing for most CSV files and for NDJSON, whose balances say nothing about the rows. */
const PROOFS: Readonly<Record<BalanceProof['result'], string | undefined>> = {
  proved: 'The balances of the file confirm its rows.',
  unproved: undefined,
  gaps: 'The balances of two statements do not meet: one between them may be missing.',
  contradicted: 'The balances of the file contradict its rows; the warnings say where.',
}

function Proof({ balances }: { readonly balances: BalanceProof | undefined }): VNode | null {
  const text = balances === undefined ? undefined : PROOFS[balances.result]
  return text === undefined ? null : <p>{text}</p>
}

interface ChangesProps {
  readonly summary: string
  readonly changes: readonly RowChange[]
}

/** The fields that differ between the file and the workspace. */
function Changes({ summary, changes }: ChangesProps): VNode {
  return (
    <details>
      <summary>{summary}</summary>
      <ul>
        {changes.slice(0, CHANGES_SHOWN_MAX).map(({ kind, id, field, old, new: now }) => (
          <li>
            {kind} {id}, {field}: <bdi>{old ?? 'none'}</bdi> → <bdi>{now ?? 'none'}</bdi>
          </li>
        ))}
      </ul>
      {changes.length <= CHANGES_SHOWN_MAX ? null : <p>The first {CHANGES_SHOWN_MAX} fields.</p>}
    </details>
  )
}

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  camt052: 'CAMT.052',
  camt053: 'CAMT.053',
  camt054: 'CAMT.054',
  mt940: 'MT940',
  csv: 'CSV',
  ndjson: 'NDJSON',
  ofx: 'OFX',
  coda: 'CODA',
  cfonb120: 'CFONB120',
  norma43: 'Norma 43',
  bai2: 'BAI2',
  qif: 'QIF',
}

/** The name of a format in words. */
export function formatName(format: string): string {
  return FORMAT_NAMES[format] ?? format
}

/** The labels of the form for the flags of `kontor import`. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  '--account': '“IBAN or account number”',
  '--columns': '“Columns of the table”',
  '--currency': '“Currency”',
  '--encoding': '“Encoding”',
}

/** A text for a terminal, for the sender of a file in the folder. */
function forSender({ who }: FileImport, text: string): string {
  return who === INBOX_ACTOR.who ? reasonForFolder(text) : text
}

/** A text for a terminal, with the labels of the form in the place of its flags. */
function forThePage(text: string): string {
  return text
    .replace(/, or use --format \w+/, '')
    .replace(/--[a-z]+/g, (flag) => FIELD_NAMES[flag] ?? flag)
}

/** Faults of files are phrased for the middle of a sentence, and for a terminal. */
function sentenceOf(reason: string): string {
  const named = forThePage(reason)
  const text = named.charAt(0).toUpperCase() + named.slice(1)
  return `${text.replace(/\.$/, '')}. Nothing was imported from the file.`
}
