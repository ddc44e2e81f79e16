// The house rules of the documents: short pages, links that lead to a target, pages that a link
// leads to, and comments that cite an existing section.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { test } from 'tap'

const LINE_COLUMNS_MAX = 100
const PAGE_LINES_MAX = 200
const README_LINES_MAX = 150

const root = resolve(import.meta.dirname, '../..')

function filesUnder(folder: string, name: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path))
    .map((path) => posix.join(folder, path))
    .sort()
}

const PAGES = filesUnder('docs', /\.md$/)
/** Reports and the changelog grow, and are for reference. */
const UNBOUNDED = ['CHANGELOG.md', 'bench/results.md']
const DOCUMENTS = [...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'], ...UNBOUNDED, ...PAGES]
const SOURCES = ['src', 'test', 'bench', 'matrix', 'fuzz'].flatMap((folder) =>
  filesUnder(folder, /\.tsx?$/),
)
/** Other files whose comments cite documents. */
const SCRIPTS = ['Containerfile', 'bin/kontor.mjs', 'sbom.mjs', ...filesUnder('deploy', /\.\w+$/)]

/** A path from the root in a span of code. */
const NAMED_PATH = /`((?:src|workers|test|bench|matrix|fuzz|data|deploy|bin|docs)\/[^`\s]+)`/g

interface Line {
  readonly number: number
  readonly text: string
  readonly isCode: boolean
}

/** Lines of a document, with those inside fences marked as code. */
function linesOf(text: string): Line[] {
  let isCode = false
  return text.split('\n').map((line, i) => {
    const isFence = line.trimStart().startsWith('```')
    if (isFence) isCode = !isCode
    return { number: i + 1, text: line, isCode: isCode || isFence }
  })
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Headings of a page as written, without markup. */
function headingsOf(path: string): string[] {
  return linesOf(read(path))
    .filter(({ text, isCode }) => !isCode && /^#{1,6} /.test(text))
    .map(({ text }) => text.replace(/^#+ /, '').replaceAll('`', '').trim())
}

/** The anchor that GitHub gives a heading: lower case, punctuation dropped, blanks as hyphens. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

interface Link {
  /** Path from the root; the page itself for a bare anchor. */
  readonly path: string
  readonly anchor: string | undefined
  readonly line: number
}

/** Links and images of a page with a target in the repository. */
function linksOf(path: string): Link[] {
  const text = linesOf(read(path))
    .map((line) => (line.isCode ? '' : line.text.replace(/`[^`]*`/g, '')))
    .join('\n')
  const targets = text.matchAll(/\]\(([^()\s]+)\)|<img\s+src="([^"]+)"/g)
  return Array.from(targets, (match) => {
    const [target = '', anchor] = (match[1] ?? match[2] ?? '').split('#')
    const to = target === '' ? path : posix.normalize(posix.join(dirname(path), target))
    return { path: to, anchor, line: text.slice(0, match.index).split('\n').length, target }
  }).filter(({ target }) => !/^[a-z]+:/.test(target))
}

/** The fault of a link, or undefined. */
function faultOf({ path, anchor }: Link): string | undefined {
  if (!existsSync(join(root, path))) return `there is no ${path}`
  if (anchor === undefined) return undefined
  const isThere = headingsOf(path).some((heading) => anchorOf(heading) === anchor)
  return isThere ? undefined : `${path} has no heading #${anchor}`
}

/** Printed command output and URLs cannot be broken. */
function mayBeLong({ text, isCode }: Line): boolean {
  if (isCode) return !/^(\$| )/.test(text)
  return text.split(/\s/).some((word) => word.length > LINE_COLUMNS_MAX - 10)
}

interface Citation {
  readonly page: string
  readonly section: string | undefined
}

/** Comments of a source, as running text. */
function commentsOf(source: string): string {
  const lines = source.split('\n').map((line) => /^\s*(?:\/?\*+|\/\/)(.*)|\s\/\/ (.*)/.exec(line))
  return lines.map((match) => (match?.[1] ?? match?.[2] ?? '').trim()).join(' ')
}

/** Documents, and their sections, that a text names: page.md, "Section" and "Section". */
function citationsIn(text: string): Citation[] {
  const named = text.matchAll(
    /(?<![\w./-])([a-zA-Z][\w./-]*\.md)((?:(?:, | and )"[^"\n]{1,80}")*)/g,
  )
  return Array.from(named).flatMap(([, page = '', quoted = '']) => {
    const sections = Array.from(quoted.matchAll(/"([^"]+)"/g), ([, section]) => section)
    return sections.length === 0
      ? [{ page, section: undefined }]
      : sections.map((section) => ({ page, section }))
  })
}

/** The citations of a source: in comments any document, in messages a section of one. */
function citationsOf(source: string): Citation[] {
  const messages = citationsIn(source).filter(({ section }) => section !== undefined)
  const all = [...citationsIn(commentsOf(source)), ...messages]
  return [...new Map(all.map((citation) => [JSON.stringify(citation), citation])).values()]
}

test('pages are short enough to read', async (t) => {
  for (const path of DOCUMENTS) {
    if (UNBOUNDED.includes(path)) continue
    const lines = linesOf(read(path).trimEnd())
    const linesMax = path === 'README.md' ? README_LINES_MAX : PAGE_LINES_MAX
    t.ok(lines.length <= linesMax, `${path}: ${lines.length} lines`)
    for (const line of lines) {
      if (line.text.length <= LINE_COLUMNS_MAX || mayBeLong(line)) continue
      t.fail(`${path}:${line.number}: ${line.text.length} columns`)
    }
  }
})

test('pages name their subjects', async (t) => {
  for (const path of DOCUMENTS) {
    if (UNBOUNDED.includes(path)) continue
    for (const { text, number } of linesOf(read(path))) {
      const [word] = /\b(nobody|somebody|anybody|whoever|anew)\b/i.exec(text) ?? []
      if (word !== undefined) t.fail(`${path}:${number}: ${word}`)
    }
  }
})

test('every link leads to a target', async (t) => {
  let count = 0
  for (const path of DOCUMENTS) {
    for (const link of linksOf(path)) {
      count++
      const fault = faultOf(link)
      if (fault !== undefined) t.fail(`${path}:${link.line}: ${fault}`)
    }
  }
  t.ok(count > 100, 'links were found')
})

test('links lead from the README to every page', async (t) => {
  const reached = new Set(['README.md'])
  for (const path of reached) {
    if (!path.endsWith('.md') || !existsSync(join(root, path))) continue
    for (const link of linksOf(path)) reached.add(link.path)
  }
  for (const path of PAGES) t.ok(reached.has(path), `a link leads to ${path}`)
})

test('paths in pages exist', async (t) => {
  for (const path of DOCUMENTS) {
    if (UNBOUNDED.includes(path)) continue
    for (const [, named = ''] of read(path).matchAll(NAMED_PATH)) {
      if (/[*<{…]/.test(named)) continue
      t.ok(existsSync(join(root, named)), `${path} names ${named}`)
    }
  }
})

test('no page has two headings with the same anchor', async (t) => {
  for (const path of PAGES) {
    const anchors = headingsOf(path).map(anchorOf)
    t.equal(new Set(anchors).size, anchors.length, path)
  }
})

test('comments cite existing sections', async (t) => {
  let count = 0
  for (const path of SOURCES) {
    const text = read(path)
    t.notMatch(text, /\b(contract|decisions), "/, `${path} cites a document by its path`)
    if (path === 'test/documents.ts') continue
    for (const { page, section } of citationsOf(text)) {
      count++
      if (!existsSync(join(root, page))) t.fail(`${path} cites ${page}, which does not exist`)
      else if (section !== undefined && !headingsOf(page).includes(section)) {
        t.fail(`${path} cites ${page}, "${section}", which does not exist`)
      }
    }
  }
  for (const path of SCRIPTS) {
    for (const { page } of citationsIn(read(path).replace(/\n(#|\/\/) /g, ' '))) {
      count++
      t.ok(existsSync(join(root, page)), `${path} cites ${page}, which exists`)
    }
  }
  t.ok(count > 50, `${count} citations were found`)
})

test('citations and links are parsed as written', async (t) => {
  const comment = ' * (docs/contract.md, "Statuses" and\n * "Limits"; docs/a.md, "B").'
  t.same(citationsIn(commentsOf(comment)), [
    { page: 'docs/contract.md', section: 'Statuses' },
    { page: 'docs/contract.md', section: 'Limits' },
    { page: 'docs/a.md', section: 'B' },
  ])
  t.equal(anchorOf('OAuth 2.1'), 'oauth-21')
  t.equal(anchorOf('AI agents (MCP)'), 'ai-agents-mcp')
  t.match(faultOf({ path: 'docs/contract.md', anchor: 'none', line: 1 }), 'no heading')
  t.match(faultOf({ path: 'docs/none.md', anchor: undefined, line: 1 }), 'there is no')
  t.equal(faultOf({ path: 'docs/contract.md', anchor: 'statuses', line: 1 }), undefined)
})
