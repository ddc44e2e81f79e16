// The tables of control.db, as forward migrations: entry n brings a file from user_version n to
// n + 1. An entry that has been released is never edited.

import { instant } from './workspace-schema.js'

const API_KEYS = `
  CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    accounts TEXT NOT NULL,
    ${instant('created_at', 'NOT NULL')},
    ${instant('expires_at', '')},
    ${instant('revoked_at', '')}
  ) STRICT;
  CREATE INDEX api_keys_workspace ON api_keys (workspace_id);`

const LAST_USE = [instant('last_used_at', ''), 'last_used_operation TEXT'] as const

const API_KEY_LIFE = `
  ALTER TABLE api_keys ADD COLUMN ${LAST_USE[0]};
  ALTER TABLE api_keys ADD COLUMN ${LAST_USE[1]};
  ALTER TABLE api_keys ADD COLUMN
    replaced_by INTEGER REFERENCES api_keys (id) ON DELETE SET NULL;
  ALTER TABLE api_keys ADD COLUMN ip_allow TEXT;
  CREATE INDEX api_keys_replaced ON api_keys (replaced_by) WHERE replaced_by IS NOT NULL;`

function urlSafeId(): string {
  return "id TEXT NOT NULL PRIMARY KEY CHECK (id <> '' AND id NOT GLOB '*[^-a-zA-Z0-9_]*')"
}

function flag(column: string): string {
  return `${column} INTEGER NOT NULL CHECK (${column} IN (0, 1))`
}

function duration(column: string): string {
  return `${column} INTEGER NOT NULL CHECK (${column} > 0)`
}

const INTEGRATIONS = `
  CREATE TABLE integrations (
    ${urlSafeId()},
    workspace_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('oauth2', 'mcp')),
    name TEXT NOT NULL,
    ${flag('active')},
    accounts TEXT NOT NULL,
    tools TEXT NOT NULL,
    scopes TEXT NOT NULL,
    dcr INTEGER NOT NULL CHECK (dcr = 0 OR (dcr = 1 AND kind = 'mcp')),
    ${duration('code_ms')},
    ${duration('access_ms')},
    ${duration('refresh_ms')},
    ${flag('mask_ibans')},
    ${flag('mask_names')},
    ${instant('created_at', 'NOT NULL')},
    ${instant('updated_at', 'NOT NULL')}
  ) STRICT;
  CREATE INDEX integrations_workspace ON integrations (workspace_id);

  CREATE TABLE mcp_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    integration_id TEXT NOT NULL REFERENCES integrations (id) ON DELETE CASCADE,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    ip_allow TEXT,
    ${instant('created_at', 'NOT NULL')},
    ${instant('expires_at', '')},
    ${instant('revoked_at', '')},
    ${LAST_USE.join(',\n    ')}
  ) STRICT;
  CREATE INDEX mcp_keys_integration ON mcp_keys (integration_id);`

const CLIENTS = `
  CREATE TABLE clients (
    ${urlSafeId()},
    integration_id TEXT NOT NULL REFERENCES integrations (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('public', 'confidential')),
    secret_hash BLOB CHECK ((secret_hash IS NULL) = (type = 'public')
      AND coalesce(length(secret_hash), 32) = 32),
    redirect_uris TEXT NOT NULL CHECK (json_type(redirect_uris) = 'array'),
    scopes TEXT NOT NULL,
    ${flag('active')},
    registered TEXT NOT NULL CHECK (registered IN ('operator', 'dynamic')),
    ${instant('created_at', 'NOT NULL')}
  ) STRICT;
  CREATE INDEX clients_integration ON clients (integration_id);`

const OPERATORS = `
  CREATE TABLE operators (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    password TEXT NOT NULL CHECK (password GLOB '$scrypt$*'),
    ${instant('created_at', 'NOT NULL')}
  ) STRICT;

  CREATE TABLE sessions (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
    ${instant('created_at', 'NOT NULL')},
    ${instant('expires_at', 'NOT NULL')}
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_operator ON sessions (operator_id);
  CREATE INDEX sessions_expiry ON sessions (expires_at);`

// A grant is a family: everything issued for one consent, its rotations included.
const GRANTS = `
  CREATE TABLE grants (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    client_id TEXT NOT NULL REFERENCES clients (id) ON DELETE CASCADE,
    integration_id TEXT NOT NULL REFERENCES integrations (id) ON DELETE CASCADE,
    operator_id INTEGER REFERENCES operators (id) ON DELETE SET NULL,
    scope TEXT NOT NULL,
    resource TEXT,
    ${instant('created_at', 'NOT NULL')},
    ${instant('expires_at', 'NOT NULL')},
    ${instant('revoked_at', '')}
  ) STRICT;
  CREATE INDEX grants_client ON grants (client_id);
  CREATE INDEX grants_integration ON grants (integration_id);
  CREATE INDEX grants_operator ON grants (operator_id) WHERE operator_id IS NOT NULL;
  CREATE INDEX grants_expiry ON grants (expires_at);

  CREATE TABLE codes (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    grant_id INTEGER NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    redirect_uri TEXT NOT NULL,
    challenge TEXT NOT NULL,
    ${instant('expires_at', 'NOT NULL')},
    ${instant('used_at', '')}
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX codes_grant ON codes (grant_id);

  CREATE TABLE tokens (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
    grant_id INTEGER NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    scope TEXT NOT NULL,
    ${instant('created_at', 'NOT NULL')},
    ${instant('expires_at', 'NOT NULL')},
    ${instant('used_at', '')}
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tokens_grant ON tokens (grant_id, kind);
  CREATE INDEX tokens_expiry ON tokens (expires_at);`

// Without the third trigger, INSERT OR REPLACE would remove a row without firing the second.
const AUDIT = `
  CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    ${instant('at', 'NOT NULL')},
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT,
    workspace_id TEXT,
    integration_id TEXT,
    from_address TEXT,
    request_id TEXT,
    outcome TEXT NOT NULL CHECK (outcome IN ('ok', 'refused')),
    detail TEXT CHECK (detail IS NULL OR json_valid(detail))
  ) STRICT;
  CREATE INDEX audit_workspace ON audit (workspace_id, sequence);
  CREATE INDEX audit_action ON audit (action, sequence);
  CREATE TRIGGER audit_kept BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
  CREATE TRIGGER audit_complete BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
  CREATE TRIGGER audit_unreplaced BEFORE INSERT ON audit
    WHEN EXISTS (SELECT 1 FROM audit WHERE sequence = new.sequence)
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;`

/** The columns of a key without its last use. */
const KEY_COLUMNS = 'hash, name, scopes, ip_allow, created_at, expires_at, revoked_at'

function keyVersionTriggers(table: string, columns: string): string {
  const count = 'BEGIN UPDATE key_version SET version = version + 1; END;'
  return `
  CREATE TRIGGER ${table}_inserted AFTER INSERT ON ${table} ${count}
  CREATE TRIGGER ${table}_deleted AFTER DELETE ON ${table} ${count}
  CREATE TRIGGER ${table}_updated AFTER UPDATE OF ${columns} ON ${table} ${count}`
}

// A cache of all keys need not be reloaded because of a token or a last use.
const KEY_VERSION = `
  CREATE TABLE key_version (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    version INTEGER NOT NULL
  ) STRICT;
  INSERT INTO key_version VALUES (1, 1);
  ${keyVersionTriggers('api_keys', `workspace_id, accounts, ${KEY_COLUMNS}`)}
  ${keyVersionTriggers('mcp_keys', `integration_id, ${KEY_COLUMNS}`)}
  CREATE TRIGGER integrations_updated AFTER UPDATE ON integrations
    BEGIN UPDATE key_version SET version = version + 1; END;`

// Finds the one unreplaced access token of a family that is refreshed often.
const REPLACED_TOKENS = `
  DROP INDEX tokens_grant;
  CREATE INDEX tokens_grant ON tokens (grant_id, kind, used_at);`

// Refusals of a minute that differ only in their requests.
const REFUSALS = `
  CREATE TABLE refusals (
    minute INTEGER NOT NULL,
    likeness TEXT NOT NULL CHECK (json_valid(likeness)),
    times INTEGER NOT NULL CHECK (times > 0),
    PRIMARY KEY (minute, likeness)
  ) STRICT, WITHOUT ROWID;`

// NULL: made before this column, or bound to no file yet.
const WORKSPACE_UIDS = `
  ALTER TABLE api_keys ADD COLUMN workspace_uid TEXT;
  ALTER TABLE integrations ADD COLUMN workspace_uid TEXT;
  DROP TRIGGER api_keys_updated;
  CREATE TRIGGER api_keys_updated
    AFTER UPDATE OF workspace_id, workspace_uid, accounts, ${KEY_COLUMNS} ON api_keys
    BEGIN UPDATE key_version SET version = version + 1; END;`

// A row holds both tokens of a refresh, next to the others of their family: a refresh then writes
// half the pages. If a sweep had already removed one token of a pair, its hash is NULL.
const TOKEN_PAIRS = `
  CREATE TABLE token_pairs (
    grant_id INTEGER NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    generation INTEGER NOT NULL CHECK (generation > 0),
    access_hash BLOB CHECK (length(access_hash) = 32),
    refresh_hash BLOB CHECK (length(refresh_hash) = 32),
    access_scope TEXT NOT NULL,
    refresh_scope TEXT NOT NULL,
    ${instant('created_at', 'NOT NULL')},
    ${instant('access_expires_at', 'NOT NULL')},
    ${instant('refresh_expires_at', 'NOT NULL')},
    ${instant('used_at', '')},
    expires_at INTEGER AS (max(access_expires_at, refresh_expires_at)),
    PRIMARY KEY (grant_id, generation),
    CHECK (access_hash IS NOT NULL OR refresh_hash IS NOT NULL)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO token_pairs
    SELECT grant_id,
      row_number() OVER (PARTITION BY grant_id ORDER BY used_at IS NULL, created_at, used_at),
      access_hash, refresh_hash, coalesce(access_scope, refresh_scope),
      coalesce(refresh_scope, access_scope), created_at,
      coalesce(access_expires_at, refresh_expires_at),
      coalesce(refresh_expires_at, access_expires_at), used_at
    FROM (
      SELECT grant_id, created_at, used_at,
        max(hash) FILTER (WHERE kind = 'access') AS access_hash,
        max(hash) FILTER (WHERE kind = 'refresh') AS refresh_hash,
        max(scope) FILTER (WHERE kind = 'access') AS access_scope,
        max(scope) FILTER (WHERE kind = 'refresh') AS refresh_scope,
        max(expires_at) FILTER (WHERE kind = 'access') AS access_expires_at,
        max(expires_at) FILTER (WHERE kind = 'refresh') AS refresh_expires_at
      FROM (
        SELECT *, row_number() OVER
          (PARTITION BY grant_id, created_at, used_at, kind ORDER BY hash) AS place FROM tokens
      ) GROUP BY grant_id, created_at, used_at, place
    );
  DROP TABLE tokens;
  ALTER TABLE token_pairs RENAME TO tokens;
  CREATE UNIQUE INDEX tokens_access ON tokens (access_hash);
  CREATE UNIQUE INDEX tokens_refresh ON tokens (refresh_hash);
  CREATE INDEX tokens_expiry ON tokens (expires_at);`

// Most rows are refreshes: a search for those finds them in any order.
const AUDIT_WITHOUT_REFRESHES = `
  DROP INDEX audit_action;
  CREATE INDEX audit_action ON audit (action, sequence) WHERE action <> 'token.refresh';`

// The key that signs the cookies of browsers in which the operator has signed in. NULL: no browser
// has since the password was set.
const BROWSER_KEYS = `
  ALTER TABLE operators ADD COLUMN
    browser_key BLOB CHECK (browser_key IS NULL OR length(browser_key) = 32);`

// Rows can be removed only if the newest row records their trim, and rows that record a trim never.
// The key signs those records.
const AUDIT_TRIMS = `
  CREATE TABLE audit_key (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    key BLOB NOT NULL CHECK (length(key) = 32)
  ) STRICT;
  INSERT INTO audit_key VALUES (1, randomblob(32));
  DROP TRIGGER audit_complete;
  CREATE TRIGGER audit_complete BEFORE DELETE ON audit
    WHEN old.action = 'audit.trim' OR NOT EXISTS (
      SELECT 1 FROM audit WHERE sequence = (SELECT max(sequence) FROM audit)
        AND action = 'audit.trim' AND outcome = 'ok'
        AND old.sequence <= json_extract(detail, '$.last'))
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;`

// Failed sign-ins. A key is a digest: a name may be a password that was typed into the wrong field.
const ATTEMPTS = `
  CREATE TABLE attempts (
    kind TEXT NOT NULL CHECK (kind IN ('name', 'address', 'browser')),
    key BLOB NOT NULL CHECK (length(key) = 32),
    failures INTEGER NOT NULL CHECK (failures >= 0),
    last_at INTEGER NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX attempts_last ON attempts (last_at);`

/** Migrations of control.db. */
export const CONTROL_MIGRATIONS: readonly string[] = [
  API_KEYS,
  API_KEY_LIFE + INTEGRATIONS + CLIENTS + OPERATORS + GRANTS + AUDIT + KEY_VERSION,
  REPLACED_TOKENS + REFUSALS,
  WORKSPACE_UIDS,
  TOKEN_PAIRS + AUDIT_WITHOUT_REFRESHES,
  BROWSER_KEYS,
  AUDIT_TRIMS,
  ATTEMPTS,
]
