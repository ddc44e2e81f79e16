import type { ComponentChildren, VNode } from '../../browser/jsx.js'
import { formTokenFor, linkTo } from '../dashboard-context.js'
import { usePageContext } from '../layout/page-context.js'

interface FormProps {
  /** The path it is sent to, as in routes.ts; absent = that of the current page. */
  readonly to?: string
  readonly class?: string
  /** Whether it holds files. */
  readonly hasFiles?: boolean
  readonly children: ComponentChildren
}

/** A form that acts. The pressed button names the action: see {@link SubmitButton}. */
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
  /**
   * `key` = the main action of the form, `danger` = cannot be undone, `plain` = looks like a link.
   */
  readonly look?: 'key' | 'danger' | 'plain'
  readonly children: ComponentChildren
}

/** The button of a {@link Form} that requests one of the actions of a page. */
export function SubmitButton({ action, look, children }: SubmitButtonProps): VNode {
  return (
    <button type="submit" class={look} name="action" value={action}>
      {children}
    </button>
  )
}
