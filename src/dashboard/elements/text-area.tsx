import type { VNode } from '../../browser/jsx.js'

interface TextAreaProps {
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  readonly placeholder?: string
  readonly hint: string
  /** A sentence on the fault of the typed text. */
  readonly error?: string | undefined
}

/** Several lines of a form. */
export function TextArea({ name, label, value, placeholder, hint, error }: TextAreaProps): VNode {
  const notes = error === undefined ? `${name}-hint` : `${name}-hint ${name}-error`
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <textarea
        {...{ id: name, name, placeholder }}
        rows={3}
        spellcheck={false}
        aria-describedby={notes}
        aria-invalid={error === undefined ? undefined : 'true'}
      >
        {value}
      </textarea>
      <p class="soft" id={`${name}-hint`}>
        {hint}
      </p>
      {error === undefined ? null : (
        <p class="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
