import type { ComponentChildren, VNode } from '../../browser/jsx.js'

interface ChoiceGroupProps {
  /** Unique on the page. */
  readonly id: string
  readonly legend: string
  /** The meaning of the choice. */
  readonly hint?: ComponentChildren
  /** A sentence on the fault of the choice. */
  readonly error?: string | undefined
  readonly children: ComponentChildren
}

/** A group of check boxes or radio buttons, with a legend. */
export function ChoiceGroup({ id, legend, hint, error, children }: ChoiceGroupProps): VNode {
  const notes = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ]
  return (
    <fieldset aria-describedby={notes.length === 0 ? undefined : notes.join(' ')}>
      <legend>{legend}</legend>
      {hint === undefined ? null : (
        <p class="soft" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
      {error === undefined ? null : (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
