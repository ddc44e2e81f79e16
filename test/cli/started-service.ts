import { test } from 'tap'
import { writeListening, writeListeningJson } from '../../src/cli/started-service.js'

const LINK = 'http://127.0.0.1:8080/dashboard/first-run/secret'
const URLS = {
  url: 'http://127.0.0.1:8080',
  tryUrl: 'http://127.0.0.1:8080',
  demo: undefined,
  storeFlags: ' --data-dir d',
}

async function written(isTerminal: boolean, firstRunUrl?: string): Promise<string> {
  let text = ''
  const write = async (more: string): Promise<void> => {
    text += more
  }
  await writeListening({ isTerminal, write }, { ...URLS, firstRunUrl })
  return text
}

test('the first-run link is printed on a terminal, and in JSON on request', async (t) => {
  const listens = 'kontor listens on http://127.0.0.1:8080\n'
  t.equal(
    await written(true, LINK),
    `There is no operator yet; create the first operator at\n  ${LINK}\n${listens}`,
  )
  const logged = await written(false, LINK)
  t.notMatch(logged, 'secret')
  t.match(logged, 'kontor operators create NAME --data-dir d\n')
  t.equal(await written(true), listens)
  t.equal(await written(false), listens)
  let json = ''
  const write = async (text: string): Promise<void> => {
    json += text
  }
  await writeListeningJson({ isTerminal: false, write }, { ...URLS, firstRunUrl: LINK })
  t.same(JSON.parse(json), { url: URLS.url, firstRunUrl: LINK })
})
