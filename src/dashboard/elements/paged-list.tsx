import type { VNode } from '../../browser/jsx.js'
import { usePageContext } from '../layout/page-context.js'
import { Pagination } from './pagination.js'

/** Workspaces on one page of a list. */
export const WORKSPACES_PER_PAGE = 50

/** Accounts on one page of a list. */
export const ACCOUNTS_PER_PAGE = 200

/** Keys, clients or grants on one page of a list. */
const KEYS_PER_PAGE = 50

interface PagedListProps<Row> {
  readonly rows: readonly Row[]
  readonly rowsPerPage?: number
  /** Shows the rows of one page. */
  readonly show: (rows: readonly Row[]) => VNode
  /** In place of an empty list. */
  readonly none?: VNode
}

/** The page of a list that the URL asks for, and links to its neighbours. */
export function PagedList<Row>(props: PagedListProps<Row>): VNode {
  const { rows, rowsPerPage: limit = KEYS_PER_PAGE, show, none } = props
  const { path, query } = usePageContext()
  const given = query.value('offset') ?? ''
  const offset = /^\d{1,9}$/.test(given) ? Number(given) : 0
  return (
    <>
      {rows.length === 0 && none !== undefined ? none : show(rows.slice(offset, offset + limit))}
      <Pagination
        {...{ offset, limit }}
        total={rows.length}
        pageAt={(at) => `${path}?offset=${at}`}
      />
    </>
  )
}
