import { test } from 'tap'
import type { ConfirmationOutcome, NodeState, StoreNodes } from '../../../../src/domain/nodes.js'
import { listApiKeys } from '../../../../src/store/api-key-rows.js'
import { overDashboards } from '../../../fixtures/dashboard-fixture.js'
import { wordsOf } from '../../../fixtures/page-visitor.js'

/** Nodes whose confirmations a test sets. */
class SetNodes implements StoreNodes {
  outcome: ConfirmationOutcome = { kind: 'confirmed' }
  askedCount = 0

  async list(): Promise<NodeState[]> {
    const common = { program: '0.3.0', newestVersion: 7, residents: 2, bytes: 3_000_000 }
    return [
      { ...common, id: 'a-1', heard: 0, ageMs: 400, controlVersion: 7 },
      { ...common, id: 'b-2', heard: 0, ageMs: 75_000, controlVersion: 6 },
    ]
  }

  async confirmed(): Promise<ConfirmationOutcome> {
    this.askedCount += 1
    return this.outcome
  }
}

const nodes = new SetNodes()

test(
  'nodes are listed where there may be several',
  overDashboards(
    async (t, fixture) => {
      const page = await fixture.page('/dashboard/activity/nodes')
      t.equal(page.status, 200)
      t.match(wordsOf(page), 'a-1 0.3.0 0 s ago Newest 2 3 MB')
      t.match(wordsOf(page), 'b-2 0.3.0 75 s ago Older 2')
      t.match((await fixture.page('/dashboard/activity')).text, '/dashboard/activity/nodes"')
    },
    { nodes },
  ),
)

test(
  'a service of a data directory has no such page',
  overDashboards(async (t, fixture) => {
    t.equal((await fixture.page('/dashboard/activity/nodes')).status, 404)
    t.notMatch((await fixture.page('/dashboard/activity')).text, 'activity/nodes')
  }),
)

test(
  'a change is answered when every node has confirmed it, or with the names of the others',
  overDashboards(
    async (t, fixture) => {
      const visitor = await fixture.signedIn()
      const { id } = await fixture.service.newKey('w')
      const path = `${fixture.url}/dashboard/workspaces/w/keys/${id}`
      const page = await visitor.get(path)
      nodes.askedCount = 0
      nodes.outcome = { kind: 'unconfirmed', nodes: [{ id: 'b-2', untilMs: 0, leftMs: 1 }] }
      const reply = await visitor.submit(page, { action: 'revoke', sure: 'yes' })
      t.equal(reply.status, 200)
      t.match(wordsOf(reply), 'Not confirmed by every server')
      t.match(wordsOf(reply), 'may use the old state: b-2 until 1970-01-01T00:00:00.000Z')
      t.equal(nodes.askedCount, 1)
      const [key] = fixture.service.control.look(listApiKeys)
      t.not(key?.revokedAt, null)
      nodes.outcome = { kind: 'confirmed' }
    },
    { nodes },
  ),
)
