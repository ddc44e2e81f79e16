// Limits of the dashboard; `limits.ts` holds those of everything else.

import { strict as assert } from 'node:assert'

/** Bytes of a form of the dashboard: enough for a schema, and a hundred times the form of a key. */
export const FORM_BYTES_MAX = 65_536

/** Workspaces that the overview loads: the few of a small service, not the many of a host. */
export const OVERVIEW_LOADS_MAX = 6

/** Time the overview waits for them: a start that reads their caches takes less. */
export const OVERVIEW_WAIT_MS = 400

/** Seconds after which a page with work in progress reloads itself. */
export const REFRESH_SECONDS = 2

/** Workspaces on one page of a list. */
export const WORKSPACES_PER_PAGE = 50

/** Keys, clients or grants on one page of a list. */
export const KEYS_PER_PAGE = 50

/** Integrations whose last report is kept; beyond it the oldest is dropped. */
export const DIAGNOSTIC_REPORTS_MAX = 100

/** Entries of the audit log on one page: a few screens. */
export const AUDIT_ROWS_PER_PAGE = 100

/** Entries of it that one page scans: a few milliseconds, for which requests have to wait. */
export const AUDIT_LOOKED_AT_MAX = 5_000

/** Entries of it that one download holds; `kontor audit` has no such limit. */
export const AUDIT_CSV_ROWS_MAX = 100_000

/** Accounts that a form lists for choice; beyond it the operator types ids. */
export const ACCOUNT_CHOICES_MAX = 200

/** Transactions on one page of the explorer: a few screens, and half of a page's maximum size. */
export const EXPLORED_ROWS_DEFAULT = 50

/** Accounts or categories that a form offers; beyond it the operator types the id. */
export const CHOICES_MAX = 1_000

/** Transactions that a schema is applied to. */
export const SCHEMA_ROWS = 3

/** Months that a chart has bars for: more would be lines on a screen. Its table has all. */
export const CHARTED_MONTHS_MAX = 36

/** Categories that a chart has bars for; the others are one bar. Its table has all. */
export const CHARTED_CATEGORIES_MAX = 14

/** Requests of a workspace whose sums by month and category are cached, some 10 kB each. */
export const GROUPED_KEPT_MAX = 32

/** Time a page waits for sums in computation: the whole time budget of a page. */
export const CHART_WAIT_MS = 12

/** Seconds after which a page without its sums reloads itself. */
export const CHART_REFRESH_SECONDS = 1

/** Transactions of a CSV download, some 30 MB of text; larger exports go through the REST API. */
export const EXPORTED_ROWS_MAX = 100_000

/** Transactions that are written as CSV in one slice, two milliseconds' worth. */
export const EXPORTED_ROWS_AT_ONCE_MAX = 200

/** Lifetime of a one-time note: long enough for a redirect on a slow line. */
export const ONE_TIME_NOTE_MS = 60_000

/** One-time notes held at the same time; beyond it the oldest is dropped. */
export const ONE_TIME_NOTES_MAX = 1_000

/** Bytes of files sent at once, by default: a year of a company. */
export const UPLOAD_BYTES_DEFAULT = 250_000_000

/** Files that are sent at once: more than a year of daily statements. */
export const UPLOAD_FILES_MAX = 500

/** Fields of a form with files: the form has six, and each costs memory, empty or not. */
export const UPLOAD_FIELDS_MAX = 64

/** Forms with files that arrive at once: their files wait on disk. */
export const UPLOADS_AT_ONCE_MAX = 4

/** Files that wait to be imported, of all workspaces: each takes space on disk. */
export const IMPORTS_WAITING_MAX = 1_000

/** Time one import may take: a file of UPLOAD_BYTES_DEFAULT takes some five minutes. */
export const IMPORT_MS_MAX = 30 * 60_000

/** Time a cancelled import may run on before its thread is ended: enough for one entry. */
export const IMPORT_GRACE_MS = 2_000

/** Imports of a workspace whose results are shown. */
export const IMPORTS_SHOWN_MAX = 100

/** Warnings of an import that a page lists. */
export const WARNINGS_SHOWN_MAX = 10

/** Fields of rows that an import changed, or would have, that a page lists. */
export const CHANGES_SHOWN_MAX = 50

/** Cache lifetime of a style sheet or script in browsers; its name changes with its content. */
export const ASSET_MAX_AGE_SECONDS = 31_536_000

assert(AUDIT_ROWS_PER_PAGE <= AUDIT_LOOKED_AT_MAX)
assert(OVERVIEW_WAIT_MS < REFRESH_SECONDS * 1_000)
