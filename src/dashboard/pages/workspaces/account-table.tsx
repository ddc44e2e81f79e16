import type { VNode } from '../../../browser/jsx.js'
import { countText } from '../../../count-text.js'
import type { Account } from '../../../domain/account.js'
import { accountName, amountOf } from '../../account-list.js'
import type { BalanceSum } from '../../account-sums.js'
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

interface AccountTableProps {
  /** The accounts of a page. */
  readonly shown: readonly CountedAccount[]
  /** Number of transactions of all accounts of the workspace. */
  readonly rowCount: number
  /** Of all accounts of the workspace. */
  readonly balances: readonly BalanceSum[]
}

/** Accounts of a workspace, and the sums of all of them. */
export function AccountTable({ shown, rowCount, balances }: AccountTableProps): VNode {
  const total = ['Total', '', countText(rowCount), <Sums key="sums" sums={balances} />]
  return <Table caption="Accounts" columns={COLUMNS} rows={shown} total={total} />
}
