import type { VNode } from '../../browser/jsx.js'

interface CopyButtonProps {
  readonly text: string
  /** The copied object, for screen readers: `the key`. */
  readonly what: string
}

/** Copies a text with one click. Hidden without script: the text can be selected and copied. */
export function CopyButton({ text, what }: CopyButtonProps): VNode {
  return (
    <button type="button" class="copy" data-copy={text} hidden>
      <span aria-live="polite">Copy</span>
      <span class="unseen"> {what}</span>
    </button>
  )
}
