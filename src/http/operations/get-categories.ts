import { parseCategoriesQuery } from '../../wire/list-query.js'
import { arrayJson } from '../../wire/page-json.js'
import { operation } from '../operation.js'

export const getCategories = operation({
  id: 'getCategories',
  pattern: '/v1/:workspaceId/categories',
  scope: 'transactions:read',
  parse: parseCategoriesQuery,
  run: ({ snapshot: { categories }, buffer }, { offset, limit }) => {
    const page = categories.slice(offset, offset + limit).map(({ bytes }) => bytes)
    return { bytes: arrayJson(buffer, page), page: { offset, limit, total: categories.length } }
  },
})
