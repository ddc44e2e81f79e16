import type { ComponentChildren, VNode } from '../../../browser/jsx.js'
import type { Transaction } from '../../../domain/transaction.js'
import { ApiError } from '../../../errors.js'
import type { OperationRequest } from '../../../http/call-operation.js'
import { parseInstant } from '../../../instant.js'
import { amountOf } from '../../account-list.js'
import type { DashboardContext } from '../../dashboard-context.js'
import { CodeBlock } from '../../elements/code-block.js'
import { DayText, InstantText } from '../../elements/day-text.js'
import { IbanText } from '../../elements/iban-text.js'
import { Link } from '../../elements/link.js'
import { Money } from '../../elements/money.js'
import { Panel } from '../../elements/panel.js'
import { Facts } from '../../elements/stat.js'
import type { DashboardPage } from '../../page.js'
import type { View } from '../../reply.js'
import { noSuchPageView } from '../error-pages.js'
import { CallPanel } from './call-panel.js'
import { explorerPath, transactionPath } from './explorer-paths.js'
import { encodeQueryText, urlWith } from './filter-values.js'
import { openWorkspace } from './open-workspace.js'
import { callAsOperator } from './operator-call.js'
import { transactionRequest } from './rest-request.js'

/** One transaction, every field of it. */
export const DETAIL_PAGE: DashboardPage = {
  path: `${explorerPath(':workspaceId')}/:transactionId`,
  show: showDetail,
}

async function showDetail(context: DashboardContext): Promise<View> {
  const snapshot = await openWorkspace(context, 'listed')
  if ('body' in snapshot) return snapshot
  const { workspaceId } = snapshot
  const segment = encodeQueryText(context.named['transactionId'] ?? '')
  const request = transactionRequest(segment)
  const answer = await callAsOperator(context, workspaceId, request)
  if (answer instanceof ApiError) return noSuchPageView()
  // Rendered by resource-json.ts, which writes exactly these members.
  const row = JSON.parse(answer.reading) as Transaction
  return {
    title: row.counterpart.name ?? `Transaction ${row.id}`,
    lead: <Money amount={amountOf(row.amount)} currency={row.currency} isMovement />,
    above: { text: 'Transactions', path: explorerPath(workspaceId) },
    body: <Detail {...{ workspaceId, row, request }} />,
  }
}

interface DetailProps {
  readonly workspaceId: string
  readonly row: Transaction
  readonly request: OperationRequest
}

function Detail({ workspaceId, row, request }: DetailProps): VNode {
  const pretty = JSON.stringify(row, null, 2)
  return (
    <>
      <Part title="Payment" facts={paymentFacts(row, workspaceId)} />
      <Part title="Counterpart" facts={counterpartFacts(row, workspaceId)} />
      <Part title="References" facts={referenceFacts(row)} />
      <Part title="Own account" facts={accountFacts(row, workspaceId)} />
      <Part title="Record" facts={recordFacts(row)} />
      <Panel title="JSON">
        <CodeBlock label={`Transaction ${row.id}`} code={pretty} />
      </Panel>
      <CallPanel
        {...{ workspaceId, request }}
        downloads={[{ text: 'As JSON', to: `${transactionPath(workspaceId, row.id)}/json` }]}
      />
    </>
  )
}

type FactRow = readonly [name: string, value: ComponentChildren]

/** Facts without a value are left out, and so is a part without facts. */
function Part({ title, facts }: { readonly title: string; readonly facts: readonly FactRow[] }) {
  const known = facts.flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [{ name, value }],
  )
  if (known.length === 0) return null
  return (
    <Panel title={title}>
      <Facts facts={known} />
    </Panel>
  )
}

function paymentFacts(row: Transaction, workspaceId: string): FactRow[] {
  const { category, parentCategory, originalAmount } = row
  return [
    ['Amount', <Money key="a" amount={amountOf(row.amount)} currency={row.currency} isMovement />],
    ['Original amount', moneyOf(originalAmount, row.originalCurrency)],
    ['Original currency', originalAmount === undefined ? row.originalCurrency : undefined],
    ['Booked', dayOf(row.bookingDate)],
    ['Valued', dayOf(row.valueDate)],
    ['Type', row.type],
    ['Purpose', row.purpose],
    ['SEPA purpose code', row.sepaPurposeCode],
    ['Category', categoryLink(workspaceId, 'category', category)],
    ['Broad category', categoryLink(workspaceId, 'parentCategory', parentCategory)],
  ]
}

function counterpartFacts({ counterpart }: Transaction, workspaceId: string): FactRow[] {
  const { iban } = counterpart
  const path = explorerPath(workspaceId)
  return [
    ['Name', counterpart.name],
    [
      'IBAN',
      iban === undefined ? undefined : (
        <Link key="iban" to={urlWith(path, { counterpart: iban })}>
          <IbanText iban={iban} />
        </Link>
      ),
    ],
    ['Account number', counterpart.accountNumber],
    ['BIC', counterpart.bic],
    ['Bank', counterpart.bankName],
  ]
}

function referenceFacts(row: Transaction): FactRow[] {
  const { counterpart, paypal } = row
  return [
    ['End-to-end reference', row.endToEndReference],
    ['Mandate reference', counterpart.mandateReference],
    ['Creditor ID', counterpart.creditorId],
    ['Customer reference', counterpart.customerReference],
    ['Primanota', row.primanota],
    ['PayPal invoice', paypal?.invoiceNumber],
    ['PayPal fee', moneyOf(paypal?.fee, row.currency)],
    ['PayPal net', moneyOf(paypal?.net, row.currency)],
  ]
}

function accountFacts({ account, accountId }: Transaction, workspaceId: string): FactRow[] {
  const path = explorerPath(workspaceId)
  return [
    [
      'Id',
      <Link key="id" to={urlWith(path, { account: String(accountId) })}>
        {accountId}
      </Link>,
    ],
    ['Name', account.name],
    ['IBAN', account.iban === undefined ? undefined : <IbanText key="i" iban={account.iban} />],
    ['Account number', account.accountNumber],
    ['Bank', account.bankName],
  ]
}

function recordFacts(row: Transaction): FactRow[] {
  return [
    ['Id', row.id],
    ['Imported', momentOf(row.importDate)],
    ['Created', momentOf(row.createdAt)],
    ['Updated', momentOf(row.updatedAt)],
  ]
}

function moneyOf(wire: number | undefined, currency: string | undefined): VNode | undefined {
  return wire === undefined ? undefined : <Money amount={amountOf(wire)} currency={currency} />
}

function dayOf(text: string | undefined): VNode | undefined {
  const ms = parseInstant(text ?? '')
  return ms === undefined ? undefined : <DayText ms={ms} />
}

function momentOf(text: string): VNode | undefined {
  const ms = parseInstant(text)
  return ms === undefined ? undefined : <InstantText ms={ms} />
}

function categoryLink(
  workspaceId: string,
  filter: 'category' | 'parentCategory',
  { id, name }: Transaction['category'],
): VNode | undefined {
  if (id === undefined) return undefined
  const to = urlWith(explorerPath(workspaceId), { [filter]: String(id) })
  return <Link to={to}>{name ?? id}</Link>
}
