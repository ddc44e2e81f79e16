import type { VNode } from '../../../browser/jsx.js'
import { excerptOf, type Span } from './highlight.js'

interface MarkedTextProps {
  readonly text: string
  /** The found parts; ascending, none overlapping. */
  readonly spans: readonly Span[]
}

/** A text of a row with the found parts marked; of a long one the part with the first mark. */
export function MarkedText({ text, spans }: MarkedTextProps): VNode {
  const excerpt = excerptOf(text, spans)
  let at = 0
  const parts = excerpt.spans.flatMap(({ start, end }) => {
    const before = excerpt.text.slice(at, start)
    at = end
    return [before, <mark key={start}>{excerpt.text.slice(start, end)}</mark>]
  })
  return (
    <bdi>
      {excerpt.isCutBefore ? '…' : null}
      {parts}
      {excerpt.text.slice(at)}
      {excerpt.isCutAfter ? '…' : null}
    </bdi>
  )
}
