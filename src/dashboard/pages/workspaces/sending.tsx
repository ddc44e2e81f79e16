import type { FoundWorkspace } from '../../../admin/workspaces.js'
import type { VNode } from '../../../browser/jsx.js'
import { bytesText, countText } from '../../../count-text.js'
import { compactCode, isIban, looksLikeIban } from '../../../iban.js'
import { NEW_ACCOUNTS_MAX } from '../../../limits.js'
import { type DashboardContext, isTokenHere } from '../../dashboard-context.js'
import { Check, Field } from '../../elements/field.js'
import { Form, SubmitButton } from '../../elements/form.js'
import type { DashboardReply } from '../../reply.js'
import {
  arrivedFile,
  discardUploads,
  readUpload,
  UPLOAD_FILES_MAX,
  type Upload,
  UploadError,
} from '../../upload.js'

const FORMATS_READ = 'CAMT, MT940, CSV, OFX, QIF, CODA, CFONB120, Norma 43, BAI2 or NDJSON'

const COLUMNS_HINT =
  'kontor’s field names, =, and the column names in the first line of the file; charge instead ' +
  'of amount if debits have no minus.'

/** The form for bank files, chosen or dropped: without script, dropped on the field itself. */
export function SendingForm({ bytesMax }: { readonly bytesMax: number }): VNode {
  return (
    <Form hasFiles class="drop">
      <label for="files">Bank files</label>
      <input id="files" name="files" type="file" multiple required aria-describedby="files-hint" />
      <p class="soft" id="files-hint">
        {FORMATS_READ}, drop them here. Up to {UPLOAD_FILES_MAX} files and {bytesText(bytesMax)} at
        once. Transactions that already exist are not added again.
      </p>
      <details>
        <summary>
          Options for files that do not name their account, and for unknown CSV formats
        </summary>
        <Field name="account" label="IBAN or account number" maxLength={40} />
        <Field name="currency" label="Currency" maxLength={3} placeholder="EUR" />
        <Field
          name="columns"
          label="Columns of the table"
          maxLength={500}
          placeholder="amount=Betrag,bookingDate=Buchungstag"
          hint={COLUMNS_HINT}
        />
        <Field name="encoding" label="Encoding" maxLength={20} placeholder="windows-1252" />
      </details>
      <Check
        name="update"
        value="yes"
        label="Let NDJSON update existing data"
        hint="Otherwise rows that differ from the file are listed and left unchanged."
      />
      <Check
        name="notifications"
        value="yes"
        label="Import entries of notifications (CAMT.054) without a statement"
        hint="Otherwise their details wait for the statement that books the entries."
      />
      <Check
        name="many-accounts"
        value="yes"
        label={`Let a file create more than ${countText(NEW_ACCOUNTS_MAX)} accounts`}
        hint="Otherwise such a file is rejected: the wrong column is probably read as the account."
      />
      <div class="row">
        <SubmitButton action="send" look="key">
          Import
        </SubmitButton>
      </div>
    </Form>
  )
}

/**
 * Receives the form with files, and queues them for import.
 * @param show the page again, with a sentence on the fault and its status
 */
export async function receiveFiles(
  context: DashboardContext,
  into: FoundWorkspace,
  show: (status: number, sentence: string) => DashboardReply | Promise<DashboardReply>,
): Promise<DashboardReply> {
  const { parts, actor, path } = context
  const { workspaceId } = into
  let upload: Upload
  // A form of a foreign page is no act of this operator.
  let isOurs = false
  try {
    upload = await parts.uploadLimit.during(() =>
      readUpload(context.exchange, {
        folder: context.directory.uploadsPath,
        bytesMax: parts.uploadBytesMax,
        isWanted: (fields) => {
          isOurs = isTokenHere(context, fields.get('form_token'))
          return isOurs
        },
      }),
    )
  } catch (error) {
    if (!(error instanceof UploadError)) throw error
    if (isOurs) await parts.imports.appendRefusal(workspaceId, actor, error.message)
    return show(400, `${error.message} Nothing was imported.`)
  }
  const { fields, files } = upload
  // The session may have ended while the files were arriving.
  if ((await parts.sessions.find(context.exchange.field('cookie'))) === undefined) {
    discardUploads(files)
    return { goTo: path }
  }
  const account = fields.get('account')?.trim() || undefined
  const currency = fields.get('currency')?.trim().toUpperCase() || undefined
  // As an error shows them for the command line, in quotes.
  const columns = /^(['"]?)(.*)\1$/s.exec(fields.get('columns')?.trim() ?? '')?.[2] || undefined
  const encoding = fields.get('encoding')?.trim().toLowerCase() || undefined
  const update = fields.get('update') === 'yes'
  const includesNotifications = fields.get('notifications') === 'yes'
  isOurs = isTokenHere(context, fields.get('form_token'))
  const fault = isOurs ? faultOf(context, upload, { account, currency }) : 'The form has expired.'
  if (fault !== undefined) {
    discardUploads(files)
    if (isOurs) await parts.imports.appendRefusal(workspaceId, actor, fault)
    return show(isOurs ? 400 : 403, `${fault} Nothing was imported.`)
  }
  const settings = {
    ...{ account, currency, columns, encoding, update, includesNotifications },
    allowsManyAccounts: fields.get('many-accounts') === 'yes',
  }
  parts.imports.add({ ...into, files: files.map(arrivedFile), actor, settings })
  return { goTo: path }
}

function faultOf(
  { parts }: DashboardContext,
  { files }: Upload,
  { account, currency }: { readonly account?: string | undefined; currency?: string | undefined },
): string | undefined {
  if (files.length === 0) return 'No file was selected.'
  if (!parts.imports.hasRoomFor(files.length)) {
    return 'Too many files are waiting to be imported. Upload these when the others are done.'
  }
  const code = compactCode(account ?? '')
  if (looksLikeIban(code) && !isIban(code))
    return 'The IBAN is not valid: its length or check digits are wrong.'
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) {
    return 'Enter a currency of three letters, such as EUR.'
  }
  return undefined
}
