import { test } from 'tap'
import { withAge } from '../../src/http/with-age.js'
import { ask, replyText, requestText, rigs } from '../fixtures/http-rig.js'

for (const rig of rigs) {
  test(`replies have the time without contact as Age: ${rig.name}`, async (t) => {
    let silentMs = 0
    const answer = withAge(
      (exchange) => replyText(exchange, 'yes'),
      () => silentMs,
    )
    const { port } = await rig.listen(t, answer)
    for (const [ms, age] of [
      [0, undefined],
      [2_999, '2'],
      [60_000, '60'],
      [Number.POSITIVE_INFINITY, undefined],
    ] as const) {
      silentMs = ms
      const reply = await ask(port, requestText('GET', '/'))
      t.equal(reply.fields['age'], age)
      t.equal(reply.status, 200)
    }
  })
}
