import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { HeldFolder } from '../../src/inbox/held-folder.js'
import { parseSettings, readSettings } from '../../src/inbox/import-settings.js'

test('each option of an import is read', async (t) => {
  const settings = {
    account: 'DE02 1203 0000 0000 2020 51',
    currency: 'EUR',
    columns: 'amount=Betrag,bookingDate=Buchungstag',
    encoding: 'cp850',
    lenient: true,
  }
  t.same(await parseSettings(JSON.stringify(settings)), { settings })
  const many = await parseSettings('{"many-accounts": true}')
  t.same(many, { settings: { allowsManyAccounts: true } })
  const include = await parseSettings('{"include": "notifications"}')
  t.same(include, { settings: { includesNotifications: true } })
  t.same(await parseSettings('\uFEFF{}'), { settings: {} }, 'as Windows editors write it')
})

test('a fault is named with a valid example', async (t) => {
  const faults: [text: string, fault: RegExp][] = [
    ['', /is not a JSON object; for example \{"account": "DE02/],
    ['[]', /is not a JSON object/],
    ['null', /is not a JSON object/],
    [`{"account": ${'['.repeat(30_000)}${']'.repeat(30_000)}}`, /must be a string, not an array;/],
    ['{"account": {}}', /must be a string, not an object; /],
    ['{"lenient": null}', /must be a boolean, not null; /],
    [
      '{"account": 4711}',
      /"account" must be a string, not a number; for example \{"account": "DE02/,
    ],
    ['{"account": " "}', /an IBAN or an account number is expected/],
    ['{"account": "DE02120300000000202052"}', /check digits are wrong; for example/],
    [
      '{"currency": "eur"}',
      /"currency": "eur": three capital letters.*for example \{"currency": "EUR"/,
    ],
    ['{"encoding": "latin"}', /"latin": one of utf-8, .* is expected; for example/],
    ['{"include": "all"}', /"include": "all": it is not known; for example .*notifications/],
    [
      '{"lenient": "yes"}',
      /"lenient" must be a boolean, not a string; for example \{"lenient": true\}/,
    ],
    ['{"columns": "sum=Betrag"}', /"columns": "sum=Betrag": .*for example \{"columns": "amount=/],
    ['{"Colums": ""}', /no option "Colums"; did you mean "columns"\? The options are account, /],
    [
      '{"format": "csv"}',
      /no option "format"; The options are .*, lenient and many-accounts, such as \{/,
    ],
    ['{"__proto__": 1}', /no option "__proto__"/],
    ['{"toString": 1}', /no option "toString"/],
  ]
  for (const [text, fault] of faults) {
    const read = await parseSettings(text)
    t.match(read, { fault: /^import\.json/ }, text)
    t.match(read, { fault }, text)
    t.notMatch(read, { fault: '--' }, text)
  }
})

test('import.json is a small regular file', async (t) => {
  const path = t.testdir({ there: '{"lenient": true}', a: {}, b: {}, c: {}, d: {} })
  symlinkSync(join(path, 'there'), join(path, 'a/import.json'))
  mkdirSync(join(path, 'b/import.json'))
  writeFileSync(join(path, 'c/import.json'), ' '.repeat(65_537))
  writeFileSync(join(path, 'd/import.json'), '{"lenient": true}')
  const read = async (name: string): Promise<unknown> => {
    const folder = await HeldFolder.open(join(path, name))
    const settings = await readSettings(folder)
    await folder.close()
    return settings
  }
  t.match(await read('a'), {
    fault: /it is a symbolic link; replace the link with a copy of its target/,
  })
  t.same(await read('b'), { fault: 'import.json: it is not a regular file' })
  t.same(await read('c'), { fault: 'import.json has more than 65536 bytes' })
  t.same(await read('d'), { settings: { lenient: true } })
})
