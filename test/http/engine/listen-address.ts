import { test } from 'tap'
import { CommandError } from '../../../src/errors.js'
import { addressOf, listenFault } from '../../../src/http/engine/listen-address.js'

function systemError(code: string): Error {
  return Object.assign(new Error(`listen ${code}`), { code })
}

test('an address is used as given, a name is resolved, IPv4 first', async (t) => {
  for (const address of ['127.0.0.1', '0.0.0.0', '::', '::1']) {
    t.equal(await addressOf(address), address)
  }
  t.equal(await addressOf('localhost'), '127.0.0.1')
})

test('every listen error has a remedy', async (t) => {
  const sentences = {
    EADDRINUSE: 'port 80 on ::1 is in use: stop the other program or choose another --port',
    EACCES: 'not permitted to listen on [::1]:80: choose a --port above 1023',
    EPERM: 'not permitted to listen on [::1]:80: choose a --port above 1023',
    EADDRNOTAVAIL: '::1 is not an address of this machine: choose another --host',
    ENOTFOUND: '::1 cannot be resolved: set --host to an address, such as 127.0.0.1',
    EAI_AGAIN: '::1 cannot be resolved: set --host to an address, such as 127.0.0.1',
    EOTHER: 'cannot listen on [::1]:80: listen EOTHER',
  }
  for (const [code, message] of Object.entries(sentences)) {
    const error = listenFault(systemError(code), '::1', 80)
    t.type(error, CommandError)
    t.equal(error.kind, 'failed')
    t.equal(error.message, message)
    t.match(error.cause, { code })
  }
  t.equal(listenFault('odd', 'h', 1).message, 'cannot listen on h:1: odd')
})
