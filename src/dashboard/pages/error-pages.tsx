import { Link } from '../elements/link.js'
import { Notice } from '../elements/notice.js'
import type { View } from '../reply.js'

/** Where there is no page. */
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

/** In place of what a form asked for that was not shown by this page in this browser. */
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

/** Where a page has no such button. */
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

/** Where what a page is about does not exist, or no longer. @param what `workspace` */
export function goneView(what: string, above: NonNullable<View['above']>): View {
  return {
    title: `There is no such ${what}`,
    status: 404,
    above,
    body: <p>It was deleted, or the address has a typing error.</p>,
  }
}
