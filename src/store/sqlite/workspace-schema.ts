// The tables of a workspace file, as forward migrations: entry n brings a file from user_version n
// to n + 1. An entry that has been released is never edited.

const INSTANT_MIN = -62_167_219_200_000
const INSTANT_MAX = 253_402_300_799_999

/** Definition of a column of epoch milliseconds within years 0 to 9999. */
export function instant(column: string, requirement: 'NOT NULL' | ''): string {
  const range = `BETWEEN ${INSTANT_MIN} AND ${INSTANT_MAX}`
  return `${column} INTEGER ${requirement} CHECK (${column} ${range})`
}

function amount(column: string): string {
  const unscaled = `${column}_unscaled`
  const scale = `${column}_scale`
  return `${unscaled} INTEGER CHECK (${unscaled} BETWEEN -999999999999999 AND 999999999999999),
    ${scale} INTEGER CHECK (coalesce(${scale}, 0) BETWEEN 0 AND 5
      AND (${scale} IS NULL) = (${unscaled} IS NULL))`
}

function requiredAmount(column: string): string {
  return amount(column).replaceAll(' INTEGER ', ' INTEGER NOT NULL ')
}

const ID = 'id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991)'

const ACCOUNTS = `
  CREATE TABLE accounts (
    ${ID},
    currency TEXT NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
    holder_name TEXT, account_number TEXT, name TEXT, bank_name TEXT,
    iban TEXT, bic TEXT, blz TEXT,
    ${amount('balance')},
    ${amount('available_funds')},
    ${amount('overdraft')},
    ${instant('created_at', 'NOT NULL')},
    ${instant('updated_at', 'NOT NULL')}
  ) STRICT;
  CREATE INDEX accounts_iban ON accounts (iban) WHERE iban IS NOT NULL;
  CREATE INDEX accounts_number ON accounts (account_number) WHERE account_number IS NOT NULL;`

const CATEGORIES = `
  CREATE TABLE categories (
    ${ID},
    name TEXT NOT NULL CHECK (name <> ''),
    parent_id INTEGER REFERENCES categories (id) ON DELETE SET NULL
  ) STRICT;
  CREATE INDEX categories_name ON categories (name);`

// identity makes an import idempotent (src/statements/import/identity.ts); programs that write
// their own rows leave it NULL. The category columns have no index: deleting a category is rare and
// scans, importing a million rows is not and should not pay for it.
const TRANSACTIONS = `
  CREATE TABLE transactions (
    ${ID},
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    ${requiredAmount('amount')},
    currency TEXT NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
    category_id INTEGER REFERENCES categories (id) ON DELETE SET NULL,
    parent_category_id INTEGER REFERENCES categories (id) ON DELETE SET NULL,
    counterpart_account_number TEXT, counterpart_name TEXT, counterpart_iban TEXT,
    counterpart_bic TEXT, counterpart_bank_name TEXT,
    mandate_reference TEXT, creditor_id TEXT, customer_reference TEXT,
    ${instant('created_at', 'NOT NULL')},
    ${instant('updated_at', 'NOT NULL')},
    ${instant('import_date', 'NOT NULL')},
    ${instant('booking_date', '')},
    ${instant('value_date', '')},
    type TEXT, purpose TEXT, end_to_end_reference TEXT,
    ${amount('original_amount')},
    original_currency TEXT CHECK (original_currency GLOB '[A-Z][A-Z][A-Z]'),
    sepa_purpose_code TEXT, primanota TEXT,
    paypal_invoice_number TEXT,
    ${amount('paypal_fee')},
    ${amount('paypal_net')},
    identity BLOB
  ) STRICT;
  CREATE UNIQUE INDEX transactions_identity ON transactions (account_id, identity)
    WHERE identity IS NOT NULL;`

function changeTriggers(table: string, entity: string): string {
  const log = (id: string, kind: string): string =>
    `INSERT INTO changes (entity, entity_id, kind) VALUES ('${entity}', ${id}, '${kind}');`
  return `
  CREATE TRIGGER ${table}_inserted AFTER INSERT ON ${table} BEGIN ${log('new.id', 'insert')} END;
  CREATE TRIGGER ${table}_deleted AFTER DELETE ON ${table} BEGIN ${log('old.id', 'delete')} END;
  CREATE TRIGGER ${table}_updated AFTER UPDATE ON ${table} WHEN new.id = old.id
    BEGIN ${log('new.id', 'update')} END;
  CREATE TRIGGER ${table}_renumbered AFTER UPDATE ON ${table} WHEN new.id <> old.id
    BEGIN ${log('old.id', 'delete')} ${log('new.id', 'insert')} END;`
}

const CHANGES = `
  CREATE TABLE changes (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    entity TEXT NOT NULL CHECK (entity IN ('account', 'category', 'transaction')),
    entity_id INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('insert', 'update', 'delete'))
  ) STRICT;
  ${changeTriggers('accounts', 'account')}
  ${changeTriggers('categories', 'category')}
  ${changeTriggers('transactions', 'transaction')}`

const WORKSPACE = `
  CREATE TABLE workspace (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    uid TEXT NOT NULL,
    ${instant('created_at', 'NOT NULL')}
  ) STRICT;
  INSERT INTO workspace VALUES (1, lower(hex(randomblob(16))), unixepoch() * 1000);`

// Ids of deleted rows, as ranges that do not overlap: keys and integrations are bound to ids, and
// would follow an id to its next row. AUTOINCREMENT never reassigns them; the triggers refuse one
// that a writer names. Deletions before this table are unknown, so every id that is free at that
// time counts as used. Afterwards each deletion is a row of its own: finding and joining its
// neighbours would cost more than the deletion.
const DELETED_IDS = `
  CREATE TABLE deleted_ids (
    entity TEXT NOT NULL CHECK (entity IN ('account', 'category', 'transaction')),
    first INTEGER NOT NULL,
    last INTEGER NOT NULL CHECK (last >= first),
    PRIMARY KEY (entity, first)
  ) STRICT, WITHOUT ROWID;
  ${deletedIds('accounts', 'account')}
  ${deletedIds('categories', 'category')}
  ${deletedIds('transactions', 'transaction')}`

function deletedIds(table: string, entity: string): string {
  const isDeleted = (id: string): string =>
    `${id} <= (SELECT last FROM deleted_ids
      WHERE entity = '${entity}' AND first <= ${id} ORDER BY first DESC LIMIT 1)`
  const remember = `INSERT OR IGNORE INTO deleted_ids VALUES ('${entity}', old.id, old.id);`
  const refuse = `SELECT RAISE(ABORT, 'this id of ${table} was deleted; ids are never used again')`
  return `
  INSERT INTO deleted_ids (entity, first, last)
    SELECT '${entity}', previous + 1, id - 1
    FROM (SELECT id, lag(id, 1, 0) OVER (ORDER BY id) AS previous FROM (
      SELECT id FROM ${table}
      UNION SELECT seq + 1 FROM sqlite_sequence WHERE name = '${table}'))
    WHERE id > previous + 1;
  CREATE TRIGGER ${table}_id_once AFTER INSERT ON ${table}
    WHEN ${isDeleted('new.id')} BEGIN ${refuse}; END;
  CREATE TRIGGER ${table}_id_deleted AFTER DELETE ON ${table} BEGIN ${remember} END;
  CREATE TRIGGER ${table}_id_moved AFTER UPDATE OF id ON ${table} WHEN new.id <> old.id BEGIN
    ${refuse} WHERE ${isDeleted('new.id')};
    ${remember}
    UPDATE sqlite_sequence SET seq = new.id WHERE name = '${table}' AND seq < new.id;
  END;`
}

// Stored state of entries that several messages of the bank contain
// (src/statements/import/joined-entries.ts). `identities` are those of the rows of the entry, 16
// bytes each; `details` are these rows in the wording of a notification.
const STATEMENT_ENTRIES = `
  CREATE TABLE statement_entries (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    entry BLOB NOT NULL CHECK (length(entry) = 16),
    identities BLOB NOT NULL CHECK (length(identities) % 16 = 0),
    details TEXT,
    PRIMARY KEY (account_id, entry)
  ) STRICT, WITHOUT ROWID;`

// The largest id of a transaction that readers before this version have read; 0 = there is none.
// Their texts differ from those of today's readers, and with them the identities
// (src/statements/import/earlier-rows.ts). A version whose readers word a booking differently adds
// a migration that marks the rows again.
const MARK_EARLIER_ROWS = `
  UPDATE workspace SET earlier_rows_last =
    (SELECT coalesce(max(id), 0) FROM transactions WHERE identity IS NOT NULL);`

const EARLIER_ROWS = `
  ALTER TABLE workspace ADD COLUMN earlier_rows_last INTEGER NOT NULL DEFAULT 0;
  ${MARK_EARLIER_ROWS}`

// Statements of imported files (kept-statement.ts has the fields): the balances of two statements
// show whether equal entries of one day are two. `statement` is a digest of the others.
const STATEMENTS = `
  CREATE TABLE statements (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    statement BLOB NOT NULL CHECK (length(statement) = 16),
    currency TEXT NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
    opening TEXT NOT NULL,
    closing TEXT NOT NULL,
    first_day INTEGER NOT NULL,
    last_day INTEGER NOT NULL CHECK (last_day >= first_day),
    entries BLOB NOT NULL CHECK (length(entries) % 25 = 0),
    PRIMARY KEY (account_id, statement)
  ) STRICT;
  CREATE INDEX statements_first ON statements (account_id, first_day);
  CREATE INDEX statements_last ON statements (account_id, last_day);`

// The account of a transaction before and after each change; NULL = it was not there. A credential
// that sees some accounts is told of a row that leaves them, and of no other row's end.
const CHANGED_ACCOUNTS = `
  ALTER TABLE changes ADD COLUMN account_before INTEGER;
  ALTER TABLE changes ADD COLUMN account_after INTEGER;
  ${['inserted', 'deleted', 'updated', 'renumbered']
    .map((event) => `DROP TRIGGER transactions_${event};`)
    .join(' ')}
  CREATE TRIGGER transactions_inserted AFTER INSERT ON transactions
    BEGIN ${transactionLog('new.id', 'insert', 'NULL', 'new.account_id')} END;
  CREATE TRIGGER transactions_deleted AFTER DELETE ON transactions
    BEGIN ${transactionLog('old.id', 'delete', 'old.account_id', 'NULL')} END;
  CREATE TRIGGER transactions_updated AFTER UPDATE ON transactions WHEN new.id = old.id
    BEGIN ${transactionLog('new.id', 'update', 'old.account_id', 'new.account_id')} END;
  CREATE TRIGGER transactions_renumbered AFTER UPDATE ON transactions WHEN new.id <> old.id
    BEGIN
      ${transactionLog('old.id', 'delete', 'old.account_id', 'NULL')}
      ${transactionLog('new.id', 'insert', 'NULL', 'new.account_id')}
    END;`

function transactionLog(id: string, kind: string, before: string, after: string): string {
  return `INSERT INTO changes (entity, entity_id, kind, account_before, account_after)
      VALUES ('transaction', ${id}, '${kind}', ${before}, ${after});`
}

/** Migrations of a workspace file. */
export const WORKSPACE_MIGRATIONS: readonly string[] = [
  WORKSPACE + ACCOUNTS + CATEGORIES + TRANSACTIONS + CHANGES,
  DELETED_IDS,
  STATEMENT_ENTRIES + EARLIER_ROWS,
  MARK_EARLIER_ROWS,
  STATEMENTS + MARK_EARLIER_ROWS,
  CHANGED_ACCOUNTS,
]
