import type { VNode } from '../../browser/jsx.js'
import { CopyButton } from './copy-button.js'

interface CodeBlockProps {
  /** What it is, such as `curl`. */
  readonly label: string
  readonly code: string
}

/** A text for a terminal or an editor, with a button that copies it. */
export function CodeBlock({ label, code }: CodeBlockProps): VNode {
  return (
    <figure class="code">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={code} what={label} />
      </figcaption>
      <pre {...reachable(label)}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}

/** It scrolls, so the keyboard has to reach it, and a screen reader to know what it is. */
function reachable(label: string): object {
  return { role: 'region', tabIndex: 0, 'aria-label': label }
}
