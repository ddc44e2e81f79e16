// An operator's session on the dashboard, without a browser: signs in and requests pages.
import { strict as assert } from 'node:assert'
import type { Answered, Client } from './client.js'

/** Name and password of an operator. */
export interface Operator {
  readonly name: string
  readonly password: string
}

/** Uncompressed bytes of a first visit. */
export interface FirstVisit {
  /** The sign-in page, with its inline style. */
  readonly signInBytes: number
  /** The overview behind it. */
  readonly overviewBytes: number
  /** Assets that the overview names: style, scripts, icon. */
  readonly assetBytes: number
}

/** A session after sign-in. */
export class DashboardSession {
  private constructor(
    private readonly client: Client,
    private readonly cookies: string,
    private readonly signInBytes: number,
  ) {}

  /** Signs in through the form of the page. */
  static async begin(client: Client, operator: Operator): Promise<DashboardSession> {
    const page = await client.ask({ path: '/dashboard', fields: {} })
    const token = /name="form_token" value="([^"]+)"/.exec(page.body.toString('utf8'))?.[1]
    assert(token !== undefined, 'the page has a form to sign in')
    const fields = {
      Cookie: cookiesOf(page),
      'Content-Type': 'application/x-www-form-urlencoded',
    }
    const form = new URLSearchParams({ ...operator, form_token: token, action: 'sign-in' })
    const begun = await client.ask({ path: '/dashboard', fields, body: form.toString() })
    assert.equal(begun.status, 303, begun.body.toString('utf8'))
    return new DashboardSession(client, cookiesOf(begun), page.body.length)
  }

  /** Requests a page. @throws AssertionError when the answer is not a page */
  async open(path: string): Promise<string> {
    return (await this.#ask(path)).toString('utf8')
  }

  /**
   * Weighs the sign-in page and the overview. The overview has to be complete, with nothing
   * loading.
   */
  async weighFirstVisit(): Promise<FirstVisit> {
    const overview = await this.#ask('/dashboard')
    const named = /(?:href|src)="(\/dashboard\/assets\/[^"]+)"/g
    const paths = [...overview.toString('utf8').matchAll(named)].map(([, path = '']) => path)
    assert(paths.length > 0, 'the overview names its style')
    const assets = await Promise.all([...new Set(paths)].map((path) => this.#ask(path)))
    for (const asset of assets) {
      assert.doesNotMatch(asset.toString('utf8'), /\burl\(|@import|^import /m, 'all are named')
    }
    const assetBytes = assets.reduce((sum, { length }) => sum + length, 0)
    return { signInBytes: this.signInBytes, overviewBytes: overview.length, assetBytes }
  }

  async #ask(path: string): Promise<Buffer> {
    const { status, body } = await this.client.ask({ path, fields: { Cookie: this.cookies } })
    assert.equal(status, 200, `${path}: ${body.toString('utf8').slice(0, 2_000)}`)
    return body
  }
}

function cookiesOf({ fields }: Answered): string {
  return (fields['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ')
}
