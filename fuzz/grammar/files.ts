import { formToken } from '../../src/browser/form-token.js'
import { type Grammar, wholeRequest } from '../shot.js'
import { damaged, hostileText } from './texts.js'

const BOUNDARY = 'kontor-fuzz'
const TARGET = '/dashboard/workspaces/files'

/** Damaged bank files, sent through the dashboard's form; occasionally a damaged form. */
export const files: Grammar = (random, { host, cookie, session, files: known, words }) => {
  const { name, bytes } = random.pick(known)
  const file = damaged(random, bytes, 12)
  const typed: Readonly<Record<string, string>> = {
    form_token: formToken(session, `dashboard ${TARGET}`),
    action: 'send',
    account: random.chance(500) ? '4711' : hostileText(random, words, 60),
    currency: random.chance(800) ? 'EUR' : hostileText(random, words, 5),
    columns: random.chance(800) ? '' : hostileText(random, words, 500),
  }
  const parts = Object.entries(typed).map(([field, value]) => part(field, Buffer.from(value)))
  parts.splice(1, 0, part('files', file, `; filename="${name}"`))
  const form = Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
  const body = random.chance(100) ? damaged(random, form, 3) : form
  const lines = [
    `Host: ${host}`,
    `Origin: http://${host}`,
    `Cookie: ${cookie}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
  ]
  const shot = wholeRequest({ method: 'POST', target: TARGET, fields: lines, body })
  // The service closes the connection when it refuses a form before the end.
  return { ...shot, isWhole: false }
}

function part(name: string, value: Buffer, file = ''): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), value, Buffer.from('\r\n')])
}
