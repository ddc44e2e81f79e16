import type { VNode } from '../../browser/jsx.js'
import { KEYS_PER_PAGE } from '../dashboard-limits.js'
import { usePageContext } from '../layout/page-context.js'
import { Pagination } from './pagination.js'

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
  const asked = query.value('offset') ?? ''
  const offset = /^\d{1,9}$/.test(asked) ? Number(asked) : 0
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
