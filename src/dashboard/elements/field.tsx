import type { ComponentChildren, VNode } from '../../browser/jsx.js'

interface FieldProps {
  readonly name: string
  readonly label: ComponentChildren
  /** Unique on the page; the name if absent. */
  readonly id?: string
  /** Default: `text`. */
  readonly type?: 'text' | 'search' | 'password' | 'date' | 'url'
  readonly value?: string | undefined
  readonly placeholder?: string
  readonly required?: boolean
  readonly maxLength?: number
  /** The value a browser may fill in; default: `off`. */
  readonly autoComplete?: string
  /** The keyboard of a phone. */
  readonly inputMode?: 'text' | 'numeric' | 'decimal' | 'search'
  readonly pattern?: string
  /** The expected value and its use. */
  readonly hint?: ComponentChildren
  /** A sentence on the fault of the typed value. */
  readonly error?: string | undefined
  /** A URL whose suggestions `suggest.js` lists while one types. */
  readonly suggestions?: string
}

/** One line of a form: label, input, hint and error. */
export function Field(props: FieldProps): VNode {
  const { label, hint, error, suggestions, type, ...input } = props
  const { id = props.name, autoComplete = 'off' } = props
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...input}
        type={type as 'text'}
        id={id}
        autoComplete={autoComplete}
        spellcheck={false}
        data-suggest={suggestions}
        aria-describedby={describedBy(id, hint, error)}
        aria-invalid={error === undefined ? undefined : 'true'}
      />
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}

/** An option of a drop-down list. */
export interface ChoiceOption {
  readonly value: string
  readonly text: string
}

interface ChoiceFieldProps {
  readonly name: string
  readonly label: ComponentChildren
  readonly options: readonly ChoiceOption[]
  /** The chosen value. */
  readonly value?: string | undefined
  readonly hint?: ComponentChildren
  readonly id?: string
  /** A sentence on the fault of the choice. */
  readonly error?: string | undefined
}

/** A line of a form with a drop-down list. */
export function ChoiceField(props: ChoiceFieldProps): VNode {
  const { name, label, options, value, hint, error, id = name } = props
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        aria-describedby={describedBy(id, hint, error)}
        aria-invalid={error === undefined ? undefined : 'true'}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}

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
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <textarea
        {...{ id: name, name, placeholder }}
        rows={3}
        spellcheck={false}
        aria-describedby={describedBy(name, hint, error)}
        aria-invalid={error === undefined ? undefined : 'true'}
      >
        {value}
      </textarea>
      <FieldNotes id={name} hint={hint} error={error} />
    </div>
  )
}

interface CheckProps {
  /** `radio` = one of the inputs with the same name. */
  readonly type?: 'checkbox' | 'radio'
  readonly name: string
  readonly value: string
  readonly checked?: boolean
  readonly label: ComponentChildren
  readonly hint?: ComponentChildren
}

/** A check box or radio button with its label. */
export function Check({ type = 'checkbox', name, value, checked, label, hint }: CheckProps): VNode {
  const id = `${name}-${value}`
  return (
    <div class="check">
      <input
        {...{ type, id, name, value, checked }}
        aria-describedby={describedBy(id, hint, undefined)}
      />
      <label for={id}>{label}</label>
      <FieldNotes id={id} hint={hint} error={undefined} />
    </div>
  )
}

interface FieldNotesProps {
  readonly id: string
  readonly hint: ComponentChildren
  readonly error: string | undefined
}

function FieldNotes({ id, hint, error }: FieldNotesProps): VNode {
  return (
    <>
      {hint === undefined ? null : (
        <p class="soft" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  )
}

function describedBy(
  id: string,
  hint: ComponentChildren,
  error: string | undefined,
): string | undefined {
  const ids = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ]
  return ids.length === 0 ? undefined : ids.join(' ')
}
