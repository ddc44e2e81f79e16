import type { VNode } from '../../../browser/jsx.js'
import type { MatchedTransaction } from '../../../domain/matched-transaction.js'
import { Pagination } from '../../elements/pagination.js'
import { type Column, Table } from '../../elements/table.js'
import { type FilterValues, urlWith } from './filter-values.js'
import type { RestAnswer } from './operator-call.js'
import { parseRows } from './transaction-row.js'

interface RowsPageProps {
  readonly caption: string
  readonly columns: readonly Column<MatchedTransaction>[]
  readonly answer: RestAnswer
  /** Of the view, which shows the other pages too. */
  readonly path: string
  readonly values: FilterValues
}

/** The page of transactions in an answer, with links to the others. */
export function RowsPage({ caption, columns, answer, path, values }: RowsPageProps): VNode {
  return (
    <>
      <Table {...{ caption, columns }} rows={parseRows(answer.reading)} />
      <Pagination
        {...(answer.page ?? { offset: 0, limit: 0, total: 0 })}
        pageAt={(at) => urlWith(path, values, { offset: at === 0 ? undefined : String(at) })}
      />
    </>
  )
}
