/**
 * The difference between a URL and the expected one, in words; undefined when they are equal
 * character by character, as clients compare them.
 */
export function urlDifference(wanted: string, found: unknown): string | undefined {
  if (found === wanted) return undefined
  if (typeof found !== 'string') return 'it is missing'
  if (!URL.canParse(found)) return `it is not an absolute URL`
  if (found === `${wanted}/`) return 'it has a trailing slash'
  const [right, other] = [new URL(wanted), new URL(found)]
  const differing = PARTS.find(([part]) => right[part] !== other[part])
  if (differing === undefined) return 'it is spelled differently'
  const [part, name] = differing
  const [wantedPart, foundPart] = [wordOf(right, part), wordOf(other, part)]
  return `its ${name} is ${foundPart} instead of ${wantedPart}`
}

const PARTS = [
  ['protocol', 'scheme'],
  ['hostname', 'host'],
  ['port', 'port'],
  ['pathname', 'path'],
  ['search', 'query'],
  ['hash', 'fragment'],
] as const

function wordOf(url: URL, part: (typeof PARTS)[number][0]): string {
  if (part === 'protocol') return url.protocol.slice(0, -1)
  if (part !== 'port' || url.port !== '') return url[part] || 'none'
  return url.protocol === 'https:' ? '443' : '80'
}
