import { test } from 'tap'
import { nodeTags, processTags } from '../../src/http/state-tags.js'

const VERSION = { uid: 'u', sequence: 7, mark: 3 }

test('tags of a process differ between starts and generations', async (t) => {
  const [one, other] = [processTags(), processTags()]
  t.not(one.program, other.program)
  const snapshot = { generation: 1, version: VERSION }
  t.equal(one.of(snapshot), one.of({ generation: 1, version: { ...VERSION, sequence: 8 } }))
  t.not(one.of(snapshot), one.of({ ...snapshot, generation: 2 }))
  t.not(one.of(snapshot), other.of(snapshot))
})

test('tags of nodes depend on the version of the workspace and the program alone', async (t) => {
  const [one, other] = [nodeTags(() => '0.3.0'), nodeTags(() => '0.3.0')]
  const tag = one.of({ generation: 1, version: VERSION })
  t.equal(one.program, other.program)
  t.equal(other.of({ generation: 99, version: { ...VERSION } }), tag)
  t.not(nodeTags(() => '0.3.1').of({ generation: 1, version: VERSION }), tag)
  for (const changed of [{ uid: 'v' }, { sequence: 8 }, { mark: 4 }]) {
    t.not(one.of({ generation: 1, version: { ...VERSION, ...changed } }), tag)
  }
})
