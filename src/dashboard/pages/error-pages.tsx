import { Link } from '../elements/link.js'
import { Notice } from '../elements/notice.js'
import type { View } from '../reply.js'

/** For a path without a page. */
export function noSuchPageView(): View {
  return {
    title: 'Page not found',
    status: 404,
    body: (
      <p>
        The address is wrong, or the page no longer exists.{' '}
        <Link to="/dashboard">Go to the overview.</Link>
      </p>
    ),
  }
}

/** For a form that this browser was not shown by this page. */
export function staleFormView(path: string): View {
  return {
    title: 'Request rejected',
    status: 403,
    body: (
      <Notice variant="bad">
        <p>
          The form has expired, was too long, or was not sent from here. Nothing was changed.{' '}
          <Link to={path}>Open the page again</Link> and resend the form.
        </p>
      </Notice>
    ),
  }
}

/** For an action that the page does not have. */
export function noSuchActionView(path: string): View {
  return {
    title: 'Request rejected',
    status: 400,
    body: (
      <Notice variant="bad">
        <p>
          This page does not have that action. Nothing was changed.{' '}
          <Link to={path}>Open the page again.</Link>
        </p>
      </Notice>
    ),
  }
}

/** For a page whose object does not exist, or no longer. @param what `workspace` */
export function goneView(what: string, above: NonNullable<View['above']>): View {
  return {
    title: `No such ${what}`,
    status: 404,
    above,
    body: <p>It was deleted, or the address is wrong.</p>,
  }
}

/** Warns of a change that some servers have not confirmed. @param path of the next page */
export function unconfirmedView(text: string, path: string): View {
  return {
    title: 'Not confirmed by every server',
    body: (
      <Notice variant="bad">
        <p>
          {text[0]?.toUpperCase()}
          {text.slice(1)}. <Link to={path}>Continue.</Link>
        </p>
      </Notice>
    ),
  }
}
