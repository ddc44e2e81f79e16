import { parseAccountsQuery } from '../../wire/list-query.js'
import { arrayJson } from '../../wire/page-json.js'
import { operation } from '../operation.js'

export const getAccounts = operation({
  id: 'getAccounts',
  pattern: '/v1/:workspaceId/accounts',
  scope: 'accounts:read',
  parse: parseAccountsQuery,
  run: ({ snapshot, access, buffer }, query) => {
    const { blz, bic, offset, limit, customSchema } = query
    const found = snapshot.accounts.filter(
      (account) =>
        (access.accountIds?.has(account.id) ?? true) &&
        (blz === undefined || account.blz === blz) &&
        (bic === undefined || account.bic === bic),
    )
    const page = found.slice(offset, offset + limit).map(({ bytes }) => bytes)
    const bytes = arrayJson(buffer, page, customSchema)
    return { bytes, page: { offset, limit, total: found.length }, accounts: found }
  },
})
