import { ApiError } from '../../errors.js'
import { categoryOfId } from '../../snapshot/snapshot.js'
import type { CategoriesQuery } from '../../wire/list-query.js'
import { arrayJson } from '../../wire/page-json.js'
import { parseCategoryId } from '../../wire/path-parameters.js'
import type { OperationContext, OperationResult } from '../operation.js'

/** The page of categories. */
export function categoriesPage(
  { snapshot: { categories }, buffer }: OperationContext,
  { offset, limit }: CategoriesQuery,
): OperationResult {
  const page = categories.slice(offset, offset + limit).map(({ bytes }) => bytes)
  return { bytes: arrayJson(buffer, page), page: { offset, limit, total: categories.length } }
}

/** The category that the path names. @throws ApiError 400 */
export function oneCategory({ snapshot, segments }: OperationContext): OperationResult {
  const id = parseCategoryId(segments[0] ?? '')
  const category = categoryOfId(snapshot, id)
  if (category !== undefined) return { bytes: category.bytes }
  throw new ApiError('not_found', `There is no category with id ${id}; getCategories lists all.`)
}
