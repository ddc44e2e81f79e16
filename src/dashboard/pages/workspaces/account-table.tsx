import type { VNode } from '../../../browser/jsx.js'
import type { Account } from '../../../domain/account.js'
import { accountName, amountOf, balanceSums } from '../../account-list.js'
import { countText } from '../../elements/count-text.js'
import { IbanText } from '../../elements/iban-text.js'
import { Money } from '../../elements/money.js'
import { type Column, Table } from '../../elements/table.js'
import { Sums } from './workspace-table.js'

/** An account with the number of its transactions. */
export interface CountedAccount {
  readonly account: Account
  readonly rowCount: number
}

const COLUMNS: readonly Column<CountedAccount>[] = [
  {
    heading: 'Account',
    isRowHeading: true,
    cell: ({ account }) => (
      <>
        <bdi>{accountName(account)}</bdi>
        {account.bankName === undefined ? null : <div class="soft">{account.bankName}</div>}
      </>
    ),
  },
  {
    heading: 'IBAN or number',
    cell: ({ account: { iban, accountNumber } }) =>
      iban === undefined ? (accountNumber ?? '–') : <IbanText iban={iban} />,
  },
  { heading: 'Transactions', kind: 'number', cell: ({ rowCount }) => countText(rowCount) },
  {
    heading: 'Balance',
    kind: 'number',
    cell: ({ account: { balance, currency } }) =>
      balance === undefined ? '–' : <Money amount={amountOf(balance)} currency={currency} />,
  },
]

/** The accounts of a workspace and their sums. */
export function AccountTable({ all }: { readonly all: readonly CountedAccount[] }): VNode {
  const sums = balanceSums(all.map(({ account }) => account))
  const rowCount = all.reduce((sum, counted) => sum + counted.rowCount, 0)
  const total = ['Total', '', countText(rowCount), <Sums key="sums" sums={sums} />]
  return <Table caption="Accounts" columns={COLUMNS} rows={all} total={total} />
}
