import type { ComponentChildren, VNode } from '../../browser/jsx.js'
import { formTokenFor, linkTo } from '../dashboard-context.js'
import { usePageContext } from '../layout/page-context.js'

interface FormProps {
  /** The page it is sent to, as the routes write it; absent = the one it stands on. */
  readonly to?: string
  readonly class?: string
  /** It holds files. */
  readonly hasFiles?: boolean
  readonly children: ComponentChildren
}

/** A form that does something. The button that is pressed says what: see {@link SubmitButton}. */
export function Form({ to, class: names, hasFiles, children }: FormProps): VNode {
  const context = usePageContext()
  const path = to ?? context.path
  const encType = hasFiles === true ? 'multipart/form-data' : undefined
  return (
    <form method="post" action={linkTo(context, path)} class={names} encType={encType}>
      <input type="hidden" name="form_token" value={formTokenFor(context, path)} />
      {children}
    </form>
  )
}

interface SubmitButtonProps {
  /** One of the actions of the page that the form is sent to. */
  readonly action: string
  /** `key` is what the form is for, `danger` cannot be undone, `plain` looks like a link. */
  readonly look?: 'key' | 'danger' | 'plain'
  readonly children: ComponentChildren
}

/** The button of a {@link Form} that asks for one of the actions of a page. */
export function SubmitButton({ action, look, children }: SubmitButtonProps): VNode {
  return (
    <button type="submit" class={look} name="action" value={action}>
      {children}
    </button>
  )
}
