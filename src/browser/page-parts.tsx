import type { VNode } from './jsx.js'

/** A sentence about a preceding error; nothing if undefined. */
export function Problem({ text }: { readonly text: string | undefined }): VNode | null {
  if (text === undefined) return null
  return (
    <p class="bad" role="alert">
      {text}
    </p>
  )
}

/** Proof that the form was sent from this service's page (`form-token.ts`). */
export function FormToken({ value }: { readonly value: string }): VNode {
  return <input type="hidden" name="form_token" value={value} />
}

/** The field for an operator's name, the first input of its page. */
export function OperatorNameField(): VNode {
  return (
    <>
      <label for="name">Name</label>
      <input
        {...{ id: 'name', name: 'name', autocomplete: 'username', autocapitalize: 'none' }}
        {...{ spellcheck: false, maxlength: 200, required: true, autofocus: true }}
      />
    </>
  )
}
