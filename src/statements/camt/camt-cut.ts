import { SaxesParser } from 'saxes'
import { emittedEvents } from '../emitted-events.js'
import {
  STATEMENT_ENTRY_CHARS_MAX,
  STATEMENT_LINE_CHARS_MAX,
  StatementError,
} from '../statement.js'

/** Characters passed to the XML parser at a time; bounds its buffer between two checks. */
const STATEMENT_SLICE_CHARS = 16_384

/** Elements an XML statement may be nested: a CAMT message goes 16 deep. */
const STATEMENT_DEPTH_MAX = 64

/** An element by its local name, in any namespace and with any prefix. */
export interface XmlElement {
  readonly name: string
  readonly line: number
  /** The attribute `Ccy`, the only one that CAMT has on values. */
  readonly currency: string | undefined
  readonly children: readonly XmlElement[]
  /** All character data directly inside, entities replaced. */
  text: string
}

/** Events in document order: a start, a whole element of a requested name, an end. */
export type XmlEvent =
  | { readonly kind: 'start'; readonly name: string; readonly line: number }
  | { readonly kind: 'element'; readonly element: XmlElement }
  | { readonly kind: 'end'; readonly name: string; readonly line: number }

/** The first element along a path of local names. */
export function elementAt(
  parent: XmlElement | undefined,
  ...path: string[]
): XmlElement | undefined {
  let element = parent
  for (const name of path) {
    if (element === undefined) return undefined
    element = childNamed(element, name)
  }
  return element
}

/** Number of children from which on a map is faster than a loop. */
const INDEXED_CHILDREN_MIN = 64

/**
 * First children by name, of elements with many children: an entry is searched for each of its
 * details, of which it can have as many as children.
 */
const firstChildren = new WeakMap<XmlElement, ReadonlyMap<string, XmlElement>>()

/** The first child of a name: mostly by a loop, since an entry needs some hundred of these. */
function childNamed(parent: XmlElement, name: string): XmlElement | undefined {
  const { children } = parent
  if (children.length >= INDEXED_CHILDREN_MIN) return firstChildrenOf(parent).get(name)
  for (const child of children) if (child.name === name) return child
  return undefined
}

/** @param parent an element that is complete */
function firstChildrenOf(parent: XmlElement): ReadonlyMap<string, XmlElement> {
  const known = firstChildren.get(parent)
  if (known !== undefined) return known
  const index = new Map<string, XmlElement>()
  for (const child of parent.children) if (!index.has(child.name)) index.set(child.name, child)
  firstChildren.set(parent, index)
  return index
}

/** All children of one name, in order. */
export function childrenOf(parent: XmlElement | undefined, name: string): XmlElement[] {
  return parent?.children.filter((child) => child.name === name) ?? []
}

/** The text of the first element along a path, trimmed; undefined when empty or absent. */
export function textAt(parent: XmlElement | undefined, ...path: string[]): string | undefined {
  let element = parent
  // Not by elementAt, which would list the names a second time in each call.
  for (const name of path) {
    if (element === undefined) return undefined
    element = childNamed(element, name)
  }
  const text = element?.text.trim()
  return text === '' ? undefined : text
}

/** Elements of vendors, which may have the same names. */
const FOREIGN = 'SplmtryData'

/** The message of saxes, without its `line:column: ` and full stop. */
function reasonOf(error: Error): string {
  return error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')
}

/** An element before its end tag. */
interface OpenElement extends XmlElement {
  children: XmlElement[]
  readonly isCut: boolean
}

/** Most elements contain only text: an array for each would be half the memory of an entry. */
const CHILDLESS: XmlElement[] = []

function addChild(parent: OpenElement | undefined, child: XmlElement): void {
  if (parent === undefined) return
  if (parent.children === CHILDLESS) parent.children = [child]
  else parent.children.push(child)
}

/** Local names of the elements to cut out: of outer ones, and of inner ones within these. */
export interface CutNames {
  readonly outer: ReadonlySet<string>
  readonly inner: ReadonlySet<string>
}

/** The parser, and the open elements of the part to cut out. */
class Cutter {
  events: XmlEvent[] = []
  readonly #parser = new SaxesParser({ xmlns: true })
  readonly #cut: CutNames
  readonly #open: OpenElement[] = []
  #depth = 0
  #foreignDepth = 0
  #written = 0
  #markAt = 0
  /** Position of each open element that is being cut out, the innermost last. */
  readonly #cutAt: number[] = []

  constructor(cut: CutNames) {
    this.#cut = cut
    this.#parser.on('error', (error) => this.#refuse(`is not well-formed XML: ${reasonOf(error)}`))
    this.#parser.on('doctype', (text) => {
      if (text.includes('[')) this.#refuse('has a DOCTYPE with declarations, which is not allowed')
    })
    this.#parser.on('opentag', (tag) => {
      this.#begin(tag.local, tag.attributes['Ccy']?.value)
    })
    this.#parser.on('text', (text) => this.#add(text))
    this.#parser.on('cdata', (text) => this.#add(text))
    this.#parser.on('closetag', (tag) => this.#end(tag.local))
    // No more than these six: saxes keeps each as a property of a computed name, and V8 turns an
    // object with some more of them into a dictionary, in which parsing takes four times as long.
  }

  write(slice: string): void {
    this.#parser.write(slice)
    this.#written += slice.length
    // Between two writes the parser counts the last slice twice.
    this.#measure(this.#written)
  }

  close(): void {
    this.#parser.close()
  }

  #refuse(message: string): never {
    throw new StatementError({ position: `line ${this.#parser.line}`, message })
  }

  /** Refuses a text or tag that is too long with the comments at it, complete or not. */
  #measure(position: number): void {
    const length = position - this.#markAt
    if (length > STATEMENT_LINE_CHARS_MAX) {
      this.#refuse(`has a piece of more than ${STATEMENT_LINE_CHARS_MAX} characters without a tag`)
    }
    const cutAt = this.#cutAt.at(-1)
    if (cutAt !== undefined && position - cutAt > STATEMENT_ENTRY_CHARS_MAX) {
      const name = this.#open[0]?.name
      this.#refuse(`has an element ${name} of more than ${STATEMENT_ENTRY_CHARS_MAX} characters`)
    }
  }

  #mark(): void {
    this.#markAt = this.#measured()
  }

  /** The position inside a write, after the length up to it has been checked. */
  #measured(): number {
    const { position } = this.#parser
    this.#measure(position)
    return position
  }

  /** Whether an element of this name is cut out of the open ones around it. */
  #isCut(name: string): boolean {
    return this.#open.length === 0 ? this.#cut.outer.has(name) : this.#cut.inner.has(name)
  }

  #begin(name: string, currency: string | undefined): void {
    this.#mark()
    this.#depth += 1
    if (this.#depth > STATEMENT_DEPTH_MAX) {
      this.#refuse(`is nested more than ${STATEMENT_DEPTH_MAX} elements deep`)
    }
    if (this.#foreignDepth > 0 || name === FOREIGN) {
      this.#foreignDepth += 1
      return
    }
    const { line } = this.#parser
    const isCut = this.#isCut(name)
    if (isCut) this.#cutAt.push(this.#parser.position)
    if (isCut || this.#open.length === 0) this.events.push({ kind: 'start', name, line })
    if (!isCut && this.#open.length === 0) return
    const element: OpenElement = { name, line, currency, children: CHILDLESS, text: '', isCut }
    // An element cut out of another one is yielded by itself, so that the other stays small.
    if (!isCut) addChild(this.#open.at(-1), element)
    this.#open.push(element)
  }

  #add(text: string): void {
    const element = this.#open.at(-1)
    if (element !== undefined && this.#foreignDepth === 0) element.text += text
  }

  #end(name: string): void {
    this.#mark()
    this.#depth -= 1
    if (this.#foreignDepth > 0) {
      this.#foreignDepth -= 1
      return
    }
    const element = this.#open.pop()
    if (element === undefined) {
      this.events.push({ kind: 'end', name, line: this.#parser.line })
    } else if (element.isCut) {
      const began = this.#cutAt.pop() ?? 0
      // Its content is no longer in memory, so it does not count towards the element around it.
      const around = this.#cutAt.length - 1
      const length = this.#parser.position - began
      if (around >= 0) this.#cutAt[around] = (this.#cutAt[around] ?? 0) + length
      this.events.push({ kind: 'element', element })
    }
  }
}

/**
 * Reads XML as a stream of the elements to cut out, each whole, and the starts and ends of those
 * around them; namespaces are checked and then ignored. Holds one cut element, without those cut
 * out of it. Events before a fault are yielded before it is thrown.
 * @throws StatementError naming the line: not well-formed, a DOCTYPE with declarations, an
 *   undeclared entity, a piece of text, an element or a depth beyond the limits, a truncated file
 */
export function cutXml(
  text: AsyncIterable<string>,
  cut: CutNames,
): AsyncGenerator<readonly XmlEvent[]> {
  const cutter = new Cutter(cut)
  return emittedEvents(slicesOf(text), cutter, {
    take: (slice) => cutter.write(slice),
    end: () => cutter.close(),
  })
}

async function* slicesOf(text: AsyncIterable<string>): AsyncGenerator<readonly [string]> {
  for await (const piece of text) {
    for (let from = 0; from < piece.length; from += STATEMENT_SLICE_CHARS) {
      yield [piece.slice(from, from + STATEMENT_SLICE_CHARS)]
    }
  }
}
