import type { ComponentChildren, VNode } from '../browser/jsx.js'

/** Seconds after which a page with work in progress reloads itself. */
export const REFRESH_SECONDS = 2

/** A page of the dashboard. */
export interface View {
  /** The text of its heading and of the browser's tab. */
  readonly title: string
  readonly body: ComponentChildren
  /** Below the heading: one sentence on the use of the page, or on its object. */
  readonly lead?: ComponentChildren
  /** Next to the heading: the most frequent action. */
  readonly aside?: VNode
  /** The page above this one. */
  readonly above?: { readonly text: string; readonly path: string }
  /** Default: 200. */
  readonly status?: number
  /** Names of scripts in `assets/` that the page uses; it works without them. */
  readonly scripts?: readonly string[]
  /** Seconds after which the page reloads itself, because work shown on it is in progress. */
  readonly refreshSeconds?: number
  /** Whether it shows `data:` images. */
  readonly hasImages?: boolean
}

/** Sends the browser to a page of the dashboard, with a GET. */
interface Redirection {
  /** A path as in routes.ts, and a query. */
  readonly goTo: string
  readonly setCookie?: string
}

/** Bytes that are no page: a download, or a resource that a script requests. */
export interface Download {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** The file name in the browser; absent = it is shown and not saved. */
  readonly fileName?: string
  /** Default: 200. */
  readonly status?: number
}

/** The reply of a page. */
export type DashboardReply = View | Redirection | Download
