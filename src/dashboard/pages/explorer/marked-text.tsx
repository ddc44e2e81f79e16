import type { VNode } from '../../../browser/jsx.js'
import type { Span } from './highlight.js'

interface MarkedTextProps {
  readonly text: string
  /** The found parts; ascending, none overlapping. */
  readonly spans: readonly Span[]
}

/** A text with the found parts marked. */
export function MarkedText({ text, spans }: MarkedTextProps): VNode {
  let at = 0
  const parts = spans.flatMap(({ start, end }) => {
    const before = text.slice(at, start)
    at = end
    return [before, <mark key={start}>{text.slice(start, end)}</mark>]
  })
  return (
    <bdi>
      {parts}
      {text.slice(at)}
    </bdi>
  )
}
