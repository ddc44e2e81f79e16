import { Link } from '../elements/link.js'
import { Notice } from '../elements/notice.js'
import type { View } from '../reply.js'

/** For a path without a page. */
export function noSuchPageView(): View {
  return {
    title: 'There is no such page',
    status: 404,
    body: (
      <p>
        The address has a typing error, or what was here is gone.{' '}
        <Link to="/dashboard">The overview</Link> shows what there is.
      </p>
    ),
  }
}

/** For a form that this browser was not shown by this page. */
export function staleFormView(path: string): View {
  return {
    title: 'Nothing was done',
    status: 403,
    body: (
      <Notice tone="bad">
        <p>
          The form was out of date, too long, or did not come from here.{' '}
          <Link to={path}>Open the page again</Link> and send it from there.
        </p>
      </Notice>
    ),
  }
}

/** For an action that the page does not have. */
export function noSuchActionView(path: string): View {
  return {
    title: 'Nothing was done',
    status: 400,
    body: (
      <Notice tone="bad">
        <p>
          The page does not know what to do with that form. <Link to={path}>Open it again.</Link>
        </p>
      </Notice>
    ),
  }
}

/** For a page whose object does not exist, or no longer. @param what `workspace` */
export function goneView(what: string, above: NonNullable<View['above']>): View {
  return {
    title: `There is no such ${what}`,
    status: 404,
    above,
    body: <p>It was deleted, or the address has a typing error.</p>,
  }
}
