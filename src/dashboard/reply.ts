import type { ComponentChildren, VNode } from '../browser/jsx.js'

/** A page of the dashboard. */
export interface View {
  /** What its heading says, and the browser's tab. */
  readonly title: string
  readonly body: ComponentChildren
  /** Beneath the heading: one sentence on what the page is for, or on what it is about. */
  readonly lead?: ComponentChildren
  /** Beside the heading: what is done most. */
  readonly aside?: VNode
  /** The page above this one. */
  readonly above?: { readonly text: string; readonly path: string }
  /** 200 unless told otherwise. */
  readonly status?: number
  /** Names of scripts in `assets/` that do something for this page; it works without them. */
  readonly scripts?: readonly string[]
  /** Seconds after which it is asked for again: something on it is under way. */
  readonly refreshSeconds?: number
  /** It draws `data:` images. */
  readonly hasImages?: boolean
}

/** Sends the browser to a page of the dashboard, with a GET. */
interface Redirection {
  /** As the routes write it, and a query. */
  readonly goTo: string
  readonly setCookie?: string
}

/** Bytes that are no page: a download, or what a script asks for. */
export interface Download {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** What the browser calls the file; absent = it is shown and not saved. */
  readonly fileName?: string
  /** 200 unless told otherwise. */
  readonly status?: number
}

/** What a page answers with. */
export type DashboardReply = View | Redirection | Download
