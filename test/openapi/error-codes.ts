import { test } from 'tap'
import { ERROR_STATUS } from '../../src/errors.js'
import { errorCodeTable } from '../../src/openapi/error-codes.js'

test('the table is the closed list, with its statuses', async (t) => {
  const rows = [...errorCodeTable().matchAll(/^\| `(\w+)` \| (\d+) \| .+\. \|$/gm)]
  t.same(Object.fromEntries(rows.map(([, code, status]) => [code, Number(status)])), ERROR_STATUS)
})
