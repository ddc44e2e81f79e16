import { test } from 'tap'
import { Database, driverVersion } from '../../../src/store/sqlite/sqlite-driver.js'

test('Node.js 20 has its own compiled binding, newer ones use Node-API', async (t) => {
  const major = Number.parseInt(process.versions.node, 10)
  t.match(driverVersion(), major >= 22 ? /^13\./ : /^12\./)
  const connection = new Database(':memory:')
  t.equal(connection.prepare('SELECT 1 + 1').pluck().get(), 2)
  connection.close()
})
