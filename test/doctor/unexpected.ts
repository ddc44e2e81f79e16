import { test } from 'tap'
import type { DoctorReply } from '../../src/doctor/request.js'
import { unexpected } from '../../src/doctor/unexpected.js'

function replyWith(options: Partial<DoctorReply> & { location?: string }): DoctorReply {
  const { location, ...parts } = options
  return {
    request: 'GET https://bank.example.org/v1/w',
    url: 'https://bank.example.org/v1/w',
    ...{ status: 404, text: '', json: undefined, isKontors: false },
    headers: new Headers(location === undefined ? {} : { location }),
    ...parts,
  }
}

const FIXES: readonly (readonly [options: Parameters<typeof replyWith>[0], fix: RegExp])[] = [
  [{ status: 301, location: 'https://other.org/' }, /that it leads to \(https:\/\/other\.org\/\)/],
  [{ status: 404, isKontors: true }, /has no active integration .* another --data-dir/],
  [{ status: 401, isKontors: true }, /does not know the credential/],
  [{ status: 403, isKontors: true }, /Host or Origin/],
  [{ status: 429, isKontors: true }, /wait a minute/],
  [{ status: 500, isKontors: true }, /log of the server/],
  [{ status: 404 }, /forward \/v1\/w unchanged\.$/],
  [
    { status: 404, url: 'https://bank.example.org/.well-known/x/v1/w' },
    /forward \/\.well-known\/x\/v1\/w unchanged\. The paths .* at the root/,
  ],
  [{ status: 401 }, /requires its own credential: exempt \/v1\/w/],
  [{ status: 403 }, /requires its own credential/],
  [{ status: 413 }, /bodies of up to 1 MB/],
  [{ status: 502 }, /cannot reach kontor/],
  [{ status: 200 }, /removes X-Request-Id/],
]

test('the remedy depends on the sender of the answer', async (t) => {
  for (const [options, fix] of FIXES) {
    const finding = unexpected(replyWith(options), '200 with JSON')
    t.match(finding, { outcome: 'failed', fix, request: 'GET https://bank.example.org/v1/w' })
    t.match(finding.observed, new RegExp(`^${options.status}.*; 200 with JSON was expected$`))
  }
})
