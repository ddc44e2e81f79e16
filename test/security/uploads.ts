// A form with files is bounded in every part, and a user who is signed out while it arrives imports
// nothing.
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { test } from 'tap'
import { deleteOperator } from '../../src/admin/operators.js'
import { CLI_ACTOR } from '../../src/domain/audit.js'
import { type DashboardFixture, overDashboards } from '../fixtures/dashboard-fixture.js'
import { hiddenFieldsOf } from '../fixtures/page-visitor.js'

const BOUNDARY = 'kontor-test'

function part(name: string, value: string, file = ''): string {
  const disposition = `Content-Disposition: form-data; name="${name}"${file}`
  return `--${BOUNDARY}\r\n${disposition}\r\n\r\n${value}\r\n`
}

interface Sending {
  readonly url: string
  readonly cookie: string
  readonly first: string
  readonly between?: () => void | Promise<void>
  readonly rest: string
}

/** Sends a form in two halves. @returns its status */
function sendInHalves({ url, cookie, first, between, rest }: Sending): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      Cookie: cookie,
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      'Content-Length': Buffer.byteLength(first + rest),
    }
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.write(first, async () => {
      await between?.()
      sent.end(rest)
    })
  })
}

const FILE = part('files', 'Datum;Betrag\r\n1.7.2026;5,00\r\n', '; filename="a.csv"')
const END = `--${BOUNDARY}--\r\n`

/** The fields of a form with files of the workspace, sent by an operator. */
async function formOf(fixture: DashboardFixture) {
  const visitor = await fixture.signedIn()
  const url = `${fixture.url}/dashboard/workspaces/w`
  const page = await visitor.get(url)
  const token = part('form_token', hiddenFieldsOf(page)['form_token'] ?? '')
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return { url, token, cookie }
}

test(
  'an operator deleted during an upload imports nothing',
  overDashboards(async (t, fixture) => {
    const { url, token, cookie } = await formOf(fixture)
    const { control, directory, nowMs } = fixture.service
    const uploads = (): string[] => readdirSync(directory.uploadsPath)
    const status = await sendInHalves({
      ...{ url, cookie, first: token + FILE.slice(0, -10), rest: FILE.slice(-10) + END },
      between: async () => {
        await fixture.service.until(() => uploads().length === 1)
        await deleteOperator({ control, nowMs, actor: CLI_ACTOR }, 1)
      },
    })
    t.equal(status, 303)
    t.same(uploads(), [], 'the file is deleted')
    const actions = fixture.audit().map(({ action }) => action)
    t.notOk(actions.includes('workspace.import'), 'and nothing of it was imported')
  }),
)

test(
  'fields and files without content count towards the limits',
  overDashboards(async (t, fixture) => {
    const { url, token, cookie } = await formOf(fixture)
    const empty = part('files', '', '; filename=""')
    for (const [rest, wanted] of [
      [part('x', '').repeat(100_000), 400],
      [part('x'.repeat(4_000), '').repeat(20), 400],
      [token + empty.repeat(100_000), 400],
      [token + empty.repeat(10) + FILE, 303],
    ] as const) {
      // A refused form is not read to its end: the connection may close while the client sends.
      const sent = sendInHalves({ url, cookie, first: '', rest: rest + END })
      const status = await sent.catch(() => 400)
      t.equal(status, wanted, rest.slice(0, 80))
    }
  }),
)
