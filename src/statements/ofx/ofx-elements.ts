import { STATEMENT_LINE_CHARS_MAX, StatementError } from '../statement.js'

/** Characters of an element name: longer than any of the specification. */
const OFX_NAME_CHARS_MAX = 40

/** Elements of a file: as many as fit into the longest file and into memory. */
const OFX_ELEMENTS_MAX = 4_000_000

/** Nested elements: twice the depth of a statement. */
const OFX_DEPTH_MAX = 24

/** An element of an OFX file, with either text or children. */
export interface OfxElement {
  /** Upper case. */
  readonly name: string
  /** Physical line of its start tag, 1-based. */
  readonly line: number
  /** Trimmed, entities resolved; empty for an aggregate. */
  text: string
  /** In file order. */
  children: readonly OfxElement[]
}

/**
 * Elements of text, which banks also write empty without an end tag. Any other element without text
 * is an aggregate, which OFX 1 closes like OFX 2.
 */
const TEXT_ELEMENTS = new Set([
  ...['MEMO', 'NAME', 'EXTDNAME', 'CHECKNUM', 'REFNUM', 'FITID', 'SRVRTID', 'SIC', 'PAYEEID'],
  ...['TRNTYPE', 'DTPOSTED', 'DTUSER', 'DTAVAIL', 'TRNAMT', 'CURDEF', 'CURSYM', 'CURRATE'],
  ...['ACCTID', 'BANKID', 'BRANCHID', 'ACCTTYPE', 'ACCTKEY', 'BALAMT', 'DTASOF', 'DTSTART'],
  ...['DTEND', 'LANGUAGE', 'ORG', 'FID', 'MESSAGE', 'CODE', 'SEVERITY', 'TRNUID', 'DTSERVER'],
  ...['INTU.BID', 'INTU.USERID', 'ADDR1', 'ADDR2', 'ADDR3', 'CITY', 'STATE', 'POSTALCODE'],
  ...['COUNTRY', 'PHONE', 'CORRECTFITID', 'CORRECTACTION', 'DTPROFUP', 'DTACCTUP'],
])

/**
 * Aggregates that some banks do not close, but whose end is unambiguous: they have no fields of a
 * transaction, so no field changes its owner. A transaction without an end is a fault.
 */
const CLOSED_BY_OWNER = new Set([
  ...['BANKTRANLIST', 'STMTRS', 'CCSTMTRS', 'STMTTRNRS', 'CCSTMTTRNRS', 'BANKMSGSRSV1'],
  ...['CREDITCARDMSGSRSV1', 'SIGNONMSGSRSV1', 'SONRS', 'STATUS', 'FI', 'LEDGERBAL', 'AVAILBAL'],
])

/** Elements after the list of transactions, which end a list without an end tag. */
const AFTER_LIST = new Set([
  'LEDGERBAL',
  'AVAILBAL',
  'CASHADVBALAMT',
  'INTRATE',
  'BALLIST',
  'MKTGINFO',
])

const TAG = new RegExp(
  `<(/?)([A-Za-z][\\w.:-]{0,${OFX_NAME_CHARS_MAX - 1}})(\\s[^<>]*?)?(/?)>`,
  'uy',
)
const CDATA = '<![CDATA['
const NO_CHILDREN: readonly OfxElement[] = []

interface Open {
  readonly element: OfxElement
  readonly children: OfxElement[]
}

/**
 * Reads the element OFX with all its content, from OFX 1 (SGML: elements of text need no end tag)
 * and OFX 2 (XML) alike, in time linear to the text. Attributes are skipped.
 * @param text the whole file; the text before `<OFX>` is its header
 * @param takeMissingEnd called for a missing end tag whose place is unambiguous
 * @throws StatementError when the elements do not nest, end early, or are hostile (document types
 *   and entity declarations, NUL, more or deeper elements than the limits)
 */
export function readElements(
  text: string,
  takeMissingEnd: (owner: OfxElement, line: number) => void,
): OfxElement {
  const begin = /<OFX[\s>]/iu.exec(text)?.index
  if (begin === undefined) {
    throw new StatementError({
      position: 'line 1',
      message: 'no <OFX> element: this is not an OFX file',
    })
  }
  const nul = text.indexOf('\0')
  if (nul >= 0) {
    const position = `line ${lineBreaks(text, 0, nul) + 1}`
    throw new StatementError({ position, message: 'a NUL character: this is not a text file' })
  }
  return new ElementReader(text, begin, takeMissingEnd).read()
}

class ElementReader {
  readonly #open: Open[] = []
  readonly #text: string
  #at: number
  #line: number
  #lineAt: number
  #count = 0
  #root: OfxElement | undefined

  constructor(
    text: string,
    begin: number,
    private readonly takeMissingEnd: (owner: OfxElement, line: number) => void,
  ) {
    this.#text = text
    this.#at = begin
    this.#line = lineBreaks(text, 0, begin) + 1
    this.#lineAt = begin
  }

  read(): OfxElement {
    while (this.#at < this.#text.length) {
      this.#takeText()
      if (this.#at < this.#text.length) this.#takeMarkup()
    }
    if (this.#root !== undefined && this.#open.length === 0) return this.#root
    const names = this.#open.map(({ element }) => element.name).join(', ')
    throw this.#fault(`the file is truncated: ${names} are not closed`)
  }

  /** Text up to the next tag; a `<` without a tag is text. */
  #takeText(): void {
    let end = this.#at
    for (;;) {
      end = this.#text.indexOf('<', end)
      if (end < 0) end = this.#text.length
      if (end === this.#text.length || this.#isMarkup(end)) break
      end += 1
    }
    const length = end - this.#at
    if (length > STATEMENT_LINE_CHARS_MAX) {
      throw this.#fault(`a text longer than ${STATEMENT_LINE_CHARS_MAX} characters`)
    }
    const text = resolveEntities(this.#text.slice(this.#at, end)).trim()
    if (text !== '') this.#addText(text)
    this.#at = end
  }

  #isMarkup(at: number): boolean {
    TAG.lastIndex = at
    return TAG.test(this.#text) || /^<[!?]/u.test(this.#text.slice(at, at + 2))
  }

  #addText(text: string): void {
    const top = this.#open.at(-1)
    if (top === undefined || top.children.length > 0) {
      const where =
        top === undefined ? 'after the end of OFX' : `between the elements of ${top.element.name}`
      throw this.#fault(`unexpected text ${JSON.stringify(text.slice(0, 60))} ${where}`)
    }
    top.element.text += text
  }

  #takeMarkup(): void {
    if (this.#text.startsWith('<!--', this.#at)) this.#skipTo('-->')
    else if (this.#text.startsWith('<?', this.#at)) this.#skipTo('?>')
    else if (this.#text.startsWith(CDATA, this.#at)) this.#takeCharacterData()
    else this.#takeTag()
  }

  #takeCharacterData(): void {
    const begin = this.#at + CDATA.length
    this.#skipTo(']]>')
    this.#addText(this.#text.slice(begin, this.#at - ']]>'.length).trim())
  }

  #takeTag(): void {
    TAG.lastIndex = this.#at
    const tag = TAG.exec(this.#text)
    if (tag === null) throw this.#fault('a declaration (<!…>), which OFX does not allow')
    const name = (tag[2] ?? '').toUpperCase()
    if (tag[1] === '/') this.#close(name)
    else this.#begin(name)
    if (tag[4] === '/' && tag[1] !== '/') this.#close(name)
    this.#at += tag[0].length
  }

  #skipTo(end: string): void {
    const found = this.#text.indexOf(end, this.#at)
    if (found < 0) throw this.#fault(`the file is truncated: ${end} is missing`)
    this.#at = found + end.length
  }

  #begin(name: string): void {
    this.#endText()
    if (AFTER_LIST.has(name) && this.#open.at(-1)?.element.name === 'BANKTRANLIST') {
      this.#endUnclosed()
    }
    if (this.#root !== undefined && this.#open.length === 0) {
      throw this.#fault(`<${name}> after the end of OFX`)
    }
    this.#count += 1
    if (this.#count > OFX_ELEMENTS_MAX || this.#open.length >= OFX_DEPTH_MAX) {
      const kind = this.#count > OFX_ELEMENTS_MAX ? 'more' : 'deeper'
      throw this.#fault(`${kind} elements than a statement has; is one not closed?`)
    }
    const element = { name, line: this.#lineHere(), text: '', children: NO_CHILDREN }
    this.#root ??= element
    this.#open.push({ element, children: [] })
  }

  #close(name: string): void {
    const top = this.#open.at(-1)
    // An element without text and children may be empty, without an end tag.
    if (top?.element.name !== name && top?.children.length === 0) this.#pop()
    const at = this.#open.findLastIndex(({ element }) => element.name === name)
    const within = at === -1 ? [] : this.#open.slice(at + 1)
    if (within.every(({ element }) => CLOSED_BY_OWNER.has(element.name))) {
      for (const _ of within) this.#endUnclosed()
    }
    const owner = this.#open.at(-1)
    if (owner?.element.name !== name) {
      const open = owner === undefined ? 'nothing is open' : `${owner.element.name} is open`
      throw this.#fault(`</${name}> where ${open} (line ${owner?.element.line ?? 1})`)
    }
    this.#pop()
  }

  /** Ends an element of text at the next start tag. */
  #endText(): void {
    const top = this.#open.at(-1)
    if (top === undefined || top.children.length > 0) return
    if (top.element.text !== '' || TEXT_ELEMENTS.has(top.element.name)) this.#pop()
  }

  #endUnclosed(): void {
    const top = this.#open.at(-1)
    if (top !== undefined) this.takeMissingEnd(top.element, this.#lineHere())
    this.#pop()
  }

  #pop(): void {
    const top = this.#open.pop()
    if (top === undefined) return
    if (top.children.length > 0) top.element.children = top.children
    this.#open.at(-1)?.children.push(top.element)
  }

  #lineHere(): number {
    this.#line += lineBreaks(this.#text, this.#lineAt, this.#at)
    this.#lineAt = this.#at
    return this.#line
  }

  #fault(message: string): StatementError {
    return new StatementError({ position: `line ${this.#lineHere()}`, message })
  }
}

/** The number of line ends between two positions; a lone carriage return is one. */
function lineBreaks(text: string, begin: number, end: number): number {
  let count = 0
  for (let i = begin; i < end; i += 1) {
    const code = text.charCodeAt(i)
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) count += 1
  }
  return count
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** Resolves entities; an unknown one is kept as text, because banks also write a bare `&`. */
function resolveEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/giu,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      const isText = code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      return isText ? String.fromCodePoint(code) : whole
    },
  )
}
