import fc from 'fast-check'
import { test } from 'tap'
import { calledTools } from '../../src/mcp/called-tools.js'
import { assertProperty } from '../fixtures/assert-property.js'

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_accounts' } }

test('every tool that a body calls is listed, in order', async (t) => {
  t.same(calledTools(CALL), ['get_accounts'])
  const other = { ...CALL, params: { name: 'x', arguments: { name: 'y' } } }
  t.same(calledTools([CALL, { ...CALL, method: 'tools/list' }, other]), ['get_accounts', 'x'])
})

test('a body without calls has none', async (t) => {
  const bodies = [
    { ...CALL, method: 'tools/list' },
    { ...CALL, params: undefined },
    { ...CALL, params: null },
    { ...CALL, params: { name: 7 } },
    { ...CALL, method: ['tools/call'] },
    [[CALL]],
    null,
    'tools/call',
  ]
  for (const body of bodies) t.same(calledTools(body), [], JSON.stringify(body))
})

test('no body is too odd to be read', async (t) => {
  assertProperty(
    fc.property(fc.jsonValue(), (body) => Array.isArray(calledTools(body))),
    { verbose: true },
  )
  t.pass('none threw')
})
