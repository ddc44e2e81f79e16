import { test } from 'tap'
import { tableText } from '../../src/cli/table.js'

test('a list has headings, and columns as wide as their widest cell', async (t) => {
  const rows = [
    [1, 'demo', null, 'a name'],
    [20, 'w', '', 'b'],
  ]
  t.equal(
    tableText(['id', 'workspace', 'last use', 'name'], rows),
    'ID  WORKSPACE  LAST USE  NAME\n' +
      '1   demo       -         a name\n' +
      '20  w          -         b\n',
  )
  t.equal(tableText(['id', 'name'], []), 'ID  NAME\n', 'also without rows')
})

test('a row is one line, whatever its texts contain', async (t) => {
  const text = tableText(['id', 'name'], [[1, 'a\r\nb\u202ec\u001b[31m']])
  t.equal(text, 'ID  NAME\n1   a\ufffd\ufffdb\ufffdc\ufffd[31m\n')
})
