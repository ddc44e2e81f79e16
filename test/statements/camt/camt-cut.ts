import { test } from 'tap'
import { readCamt053, STATEMENT_DETAILS_MAX } from '../../../src/statements/camt/camt.js'
import { STATEMENT_LINE_CHARS_MAX } from '../../../src/statements/statement.js'
import { entry, message } from '../../fixtures/camt-text.js'
import { readAll, transactionsOf } from '../../fixtures/statement-reading.js'

async function faultOf(text: string | Iterable<string>): Promise<string> {
  return (await readAll(readCamt053, text)).error?.message ?? 'none'
}

test('entity bombs and declarations are refused, a plain DOCTYPE is not', async (t) => {
  const bomb = '<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>\n'
  const withHead = (head: string, text: string): string => text.replace('?>\n', `?>\n${head}`)
  const bombed = withHead(bomb, message(entry({ amount: '&b;' })))
  t.match(await faultOf(bombed), /^line 2: has a DOCTYPE with declarations/)
  const external = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
  t.match(await faultOf(withHead(external, message('&x;'))), /^line 2: has a DOCTYPE/)
  t.equal(await faultOf(withHead('<!DOCTYPE Document>', message(entry()))), 'none')
  t.match(
    await faultOf(message(entry({ amount: '&b;' }))),
    /^entry 1 \(line 5\): is not well-formed XML: undefined entity/,
  )
})

test('unterminated pieces are refused before they fill the memory', async (t) => {
  function* endless(open: string, piece: string): Generator<string> {
    yield message(entry()).split('</Stmt>')[0] ?? ''
    yield open
    for (let i = 0; i < 200; i++) yield piece.repeat(65_536 / piece.length)
  }
  const kinds = ['<Ntry><Amt>', '<Ntry a="', '<!-- ', '<?pi ', '<Ntry><![CDATA[', '<', '</Ntry ']
  for (const open of kinds) {
    t.match(
      await faultOf(endless(open, open === '</Ntry ' ? ' ' : 'x')),
      /^(entry 2 \()?line 6\)?: (has a piece of more than 1000000 characters|is not well-formed)/,
      open,
    )
  }
  const inside = await faultOf(endless('<Ntry>', '<a></a>'.padEnd(8)))
  t.match(inside, /^entry 2 \(line 6\): has an element Ntry of more than 4000000 characters/)
  const deep = await faultOf(endless('<Ntry>', '<aaaaaa>'))
  t.match(deep, /^entry 2 \(line 6\): is nested more than 64 elements deep/)
  const longest = 'x'.repeat(STATEMENT_LINE_CHARS_MAX - 100)
  t.match(await faultOf(message(`<Other>${longest}</Other>${entry()}`)), /^none$/)
})

test('an entry has a bounded number of details', async (t) => {
  function* many(): Generator<string> {
    yield message(entry()).split('</NtryDtls>')[0] ?? ''
    for (let i = 0; i <= STATEMENT_DETAILS_MAX; i += 1_000) yield '<TxDtls/>'.repeat(1_000)
  }
  t.match(
    await faultOf(many()),
    /^entry 1 \(line 5\), TxDtls: the entry has more than 100000 details/,
  )
})

test('a file truncated anywhere is refused', async (t) => {
  const text = message(entry() + entry())
  const end = text.indexOf('</Document>')
  for (let length = 0; length <= end + 5; length += 7) {
    t.not(await faultOf(text.slice(0, length)), 'none', `${length} characters`)
  }
  t.match(
    await faultOf(text.slice(0, text.lastIndexOf('<ValDt>'))),
    /^entry 2 \(line 6\): is not well-formed XML: unclosed tag/,
  )
})

test('other text, other XML and other messages are named', async (t) => {
  t.match(
    await faultOf(''),
    /^line 1: is not well-formed XML: document must contain a root element/,
  )
  t.match(await faultOf(':20:STARTUMS\n:25:1/2'), /^line \d: is not well-formed XML/)
  t.match(await faultOf('<html><body/></html>'), /^line 1: is not a camt\.053 statement.*html$/)
  t.match(
    await faultOf('<a:Document/>'),
    /^line 1: is not well-formed XML: unbound namespace prefix/,
  )
  t.match(await faultOf(`${message(entry())}<more/>`), /only one root/)
  const other = (root: string): string => message('').replaceAll('BkToCstmrStmt', root)
  t.match(await faultOf(other('BkToCstmrAcctRpt')), /is a camt\.052 report.* --format camt052$/)
  t.match(
    await faultOf(other('BkToCstmrDbtCdtNtfctn')),
    /is a camt\.054 notification.* --format camt054$/,
  )
  const empty = message('').replace(/<Stmt>.*<\/Stmt>/s, '')
  t.match(await faultOf(empty), /^line 1, Stmt: the message has no statement/)
  t.match(await faultOf(message(entry({ amount: '\0' }))), /disallowed character/)
  const early = message('', { account: entry() })
  t.match(
    await faultOf(early),
    /^entry 1 \(line 4\), Acct: the statement names no account .* specify it with --account IBAN$/,
  )
})

test('elements of other vendors are ignored', async (t) => {
  const foreign = '<SplmtryData><Envlp><Amt Ccy="USD">1</Amt><Ntry/></Envlp></SplmtryData>'
  const content = entry({ tail: foreign }).replace('<Ntry>', `<Ntry>${foreign}`)
  const outcome = await readAll(readCamt053, message(content))
  t.equal(outcome.error, undefined)
  t.same(
    transactionsOf(outcome).map(({ currency }) => currency),
    ['EUR'],
  )
})

test('a large file comes in small batches', async (t) => {
  const text = message(entry().repeat(20_000))
  const outcome = await readAll(readCamt053, text)
  t.equal(transactionsOf(outcome).length, 20_000)
  t.ok(outcome.batchLengthMax <= 65_536 / entry().length + 2, `${outcome.batchLengthMax}`)
})
