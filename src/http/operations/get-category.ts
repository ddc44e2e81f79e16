import { ApiError } from '../../errors.js'
import { categoryOfId } from '../../snapshot/snapshot.js'
import { parseNoQuery } from '../../wire/list-query.js'
import { parseCategoryId } from '../../wire/path-parameters.js'
import { operation } from '../operation.js'

export const getCategory = operation({
  id: 'getCategory',
  pattern: '/v1/:workspaceId/categories/:categoryId',
  scope: 'transactions:read',
  parse: parseNoQuery,
  run: ({ snapshot, segments }) => {
    const id = parseCategoryId(segments[0] ?? '')
    const category = categoryOfId(snapshot, id)
    if (category !== undefined) return { bytes: category.bytes }
    throw new ApiError(
      'not_found',
      `There is no category with id ${id}; GET /categories lists all.`,
    )
  },
})
