import type { VNode } from '../../browser/jsx.js'
import { CopyButton } from './copy-button.js'

interface CodeBlockProps {
  /** The language or program, such as `curl`. */
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

/** A scrolling region must be reachable by keyboard and named for screen readers. */
function reachable(label: string): object {
  return { role: 'region', tabIndex: 0, 'aria-label': label }
}
