// The schema `kontor`: the tables of all workspaces, which any program may write. They are the
// tables of a workspace file (../sqlite/workspace-schema.ts) with a first column `workspace`;
// docs/internals/postgres-schema.md explains the differences.

import { CHANGE_LOG } from './change-log.js'
import { instant, TEXT } from './column-types.js'

const ID = 'id BIGINT NOT NULL CHECK (id BETWEEN 1 AND 9007199254740991)'

function amount(column: string): string {
  const unscaled = `${column}_unscaled`
  const scale = `${column}_scale`
  return `${unscaled} BIGINT CHECK (${unscaled} BETWEEN -999999999999999 AND 999999999999999),
    ${scale} SMALLINT CHECK (coalesce(${scale}, 0) BETWEEN 0 AND 5
      AND (${scale} IS NULL) = (${unscaled} IS NULL))`
}

function requiredAmount(column: string): string {
  return amount(column)
    .replace(' BIGINT ', ' BIGINT NOT NULL ')
    .replace(' SMALLINT ', ' SMALLINT NOT NULL ')
}

function currency(column: string): string {
  return `${column} ${TEXT} CHECK (${column} ~ '^[A-Z]{3}$')`
}

function texts(columns: string): string {
  return columns
    .split(' ')
    .map((column) => `${column} ${TEXT}`)
    .join(', ')
}

// `id` is NULL once the workspace was deleted, until its rows are removed (deleted-workspaces.ts).
// `writer` is the transaction that holds the workspace or held it last (change-log.ts). Half of
// each page stays free for new versions of its rows (HOT updates).
const WORKSPACES = `
  CREATE TABLE kontor.workspaces (
    no INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id ${TEXT} UNIQUE CHECK (id ~ '^[-a-zA-Z0-9_]{1,128}$'),
    uid ${TEXT} NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', ''),
    ${instant('created_at', 'NOT NULL')}
      DEFAULT trunc(extract(epoch FROM clock_timestamp()) * 1000),
    earlier_rows_last BIGINT NOT NULL DEFAULT 0,
    writer XID8 NOT NULL DEFAULT '0'
  ) WITH (fillfactor = 50);`

// No index by name or number: a workspace has few accounts and categories, and an index would
// refuse texts of more than 2,700 bytes.
const ACCOUNTS = `
  CREATE TABLE kontor.accounts (
    workspace INTEGER NOT NULL REFERENCES kontor.workspaces ON DELETE CASCADE,
    ${ID},
    ${currency('currency')} NOT NULL,
    ${texts('holder_name account_number name bank_name iban bic blz')},
    ${amount('balance')},
    ${amount('available_funds')},
    ${amount('overdraft')},
    ${instant('created_at', 'NOT NULL')},
    ${instant('updated_at', 'NOT NULL')},
    PRIMARY KEY (workspace, id)
  );`

const CATEGORIES = `
  CREATE TABLE kontor.categories (
    workspace INTEGER NOT NULL REFERENCES kontor.workspaces ON DELETE CASCADE,
    ${ID},
    name ${TEXT} NOT NULL CHECK (name <> ''),
    parent_id BIGINT,
    PRIMARY KEY (workspace, id),
    FOREIGN KEY (workspace, parent_id) REFERENCES kontor.categories
      ON DELETE SET NULL (parent_id)
  );`

// SET NULL looks up the rows of each deleted category. Without the two indexes by category,
// deleting a workspace would scan it once for each of its categories.
const TRANSACTIONS = `
  CREATE TABLE kontor.transactions (
    workspace INTEGER NOT NULL,
    ${ID},
    account_id BIGINT NOT NULL,
    ${requiredAmount('amount')},
    ${currency('currency')} NOT NULL,
    category_id BIGINT,
    parent_category_id BIGINT,
    ${texts('counterpart_account_number counterpart_name counterpart_iban')},
    ${texts('counterpart_bic counterpart_bank_name')},
    ${texts('mandate_reference creditor_id customer_reference')},
    ${instant('created_at', 'NOT NULL')},
    ${instant('updated_at', 'NOT NULL')},
    ${instant('import_date', 'NOT NULL')},
    ${instant('booking_date', '')},
    ${instant('value_date', '')},
    ${texts('type purpose end_to_end_reference')},
    ${amount('original_amount')},
    ${currency('original_currency')},
    ${texts('sepa_purpose_code primanota paypal_invoice_number')},
    ${amount('paypal_fee')},
    ${amount('paypal_net')},
    identity BYTEA,
    PRIMARY KEY (workspace, id),
    FOREIGN KEY (workspace, account_id) REFERENCES kontor.accounts ON DELETE CASCADE,
    FOREIGN KEY (workspace, category_id) REFERENCES kontor.categories
      ON DELETE SET NULL (category_id),
    FOREIGN KEY (workspace, parent_category_id) REFERENCES kontor.categories
      ON DELETE SET NULL (parent_category_id)
  );
  CREATE UNIQUE INDEX transactions_identity
    ON kontor.transactions (workspace, account_id, identity) WHERE identity IS NOT NULL;
  CREATE INDEX transactions_category
    ON kontor.transactions (workspace, category_id) WHERE category_id IS NOT NULL;
  CREATE INDEX transactions_parent_category
    ON kontor.transactions (workspace, parent_category_id) WHERE parent_category_id IS NOT NULL;`

const STATEMENTS = `
  CREATE TABLE kontor.statement_entries (
    workspace INTEGER NOT NULL,
    account_id BIGINT NOT NULL,
    entry BYTEA NOT NULL CHECK (length(entry) = 16),
    identities BYTEA NOT NULL CHECK (length(identities) % 16 = 0),
    details ${TEXT},
    PRIMARY KEY (workspace, account_id, entry),
    FOREIGN KEY (workspace, account_id) REFERENCES kontor.accounts ON DELETE CASCADE
  );
  CREATE TABLE kontor.statements (
    workspace INTEGER NOT NULL,
    account_id BIGINT NOT NULL,
    statement BYTEA NOT NULL CHECK (length(statement) = 16),
    ${currency('currency')} NOT NULL,
    opening ${TEXT} NOT NULL,
    closing ${TEXT} NOT NULL,
    first_day INTEGER NOT NULL,
    last_day INTEGER NOT NULL CHECK (last_day >= first_day),
    entries BYTEA NOT NULL CHECK (length(entries) % 25 = 0),
    number BIGINT GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (workspace, account_id, statement),
    FOREIGN KEY (workspace, account_id) REFERENCES kontor.accounts ON DELETE CASCADE
  );
  CREATE INDEX statements_first ON kontor.statements (workspace, account_id, first_day);
  CREATE INDEX statements_last ON kontor.statements (workspace, account_id, last_day);`

// Days and milliseconds of the day separately, because a double cannot represent their total.
const PEOPLE_FUNCTIONS = `
  CREATE FUNCTION kontor.amount(unscaled BIGINT, scale SMALLINT) RETURNS NUMERIC
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN unscaled
      * (ARRAY[1, 0.1, 0.01, 0.001, 0.0001, 0.00001]::NUMERIC[])[scale + 1];
  CREATE FUNCTION kontor.instant(ms BIGINT) RETURNS TIMESTAMPTZ
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (TIMESTAMP 'epoch' + make_interval(
      days => (ms / 86400000)::INTEGER, secs => ms % 86400000 / 1000.0)) AT TIME ZONE 'UTC';`

function readable(column: string): string {
  if (column.endsWith('+')) {
    const name = column.slice(0, -1)
    return `kontor.amount(${name}_unscaled, ${name}_scale) AS ${name}`
  }
  return /_(at|date)$/.test(column) ? `kontor.instant(t.${column}) AS ${column}` : `t.${column}`
}

/** A view of a table for people. @param columns `amount+` = the two columns of an amount */
function view(table: string, columns: string): string {
  return `
  CREATE VIEW kontor.readable_${table} WITH (security_invoker = true) AS
    SELECT w.id AS workspace, ${columns.split(/\s+/).map(readable).join(', ')}
    FROM kontor.${table} AS t JOIN kontor.workspaces AS w ON w.no = t.workspace
    WHERE w.id IS NOT NULL;`
}

const VIEWS = `
  ${PEOPLE_FUNCTIONS}
  ${view(
    'accounts',
    `id currency holder_name account_number name bank_name iban bic blz balance+
    available_funds+ overdraft+ created_at updated_at`,
  )}
  ${view(
    'transactions',
    `id account_id amount+ currency category_id parent_category_id
    counterpart_account_number counterpart_name counterpart_iban counterpart_bic
    counterpart_bank_name mandate_reference creditor_id customer_reference created_at updated_at
    import_date booking_date value_date type purpose end_to_end_reference original_amount+
    original_currency sepa_purpose_code primanota paypal_invoice_number paypal_fee+ paypal_net+`,
  )}`

/** SQL of the schema `kontor`. */
export const WORKSPACE_TABLES: string = [
  'CREATE SCHEMA kontor;',
  ...[WORKSPACES, ACCOUNTS, CATEGORIES, TRANSACTIONS, STATEMENTS, CHANGE_LOG, VIEWS],
].join('\n')
