// The tables `changes` and `deleted_ids` of all workspaces, and the triggers that fill them
// (docs/internals/postgres-schema.md, "Changes are numbered in the order of commits").

import { TEXT } from './column-types.js'

const CHANGES = `
  CREATE TABLE kontor.changes (
    workspace INTEGER NOT NULL,
    sequence BIGINT NOT NULL,
    mark BIGINT NOT NULL,
    entity ${TEXT} NOT NULL CHECK (entity IN ('account', 'category', 'transaction')),
    entity_id BIGINT NOT NULL,
    kind ${TEXT} NOT NULL CHECK (kind IN ('insert', 'update', 'delete')),
    account_before BIGINT,
    account_after BIGINT,
    PRIMARY KEY (workspace, sequence)
  );
  CREATE TABLE kontor.deleted_ids (
    workspace INTEGER NOT NULL,
    entity ${TEXT} NOT NULL CHECK (entity IN ('account', 'category', 'transaction')),
    first BIGINT NOT NULL,
    last BIGINT NOT NULL CHECK (last >= first),
    PRIMARY KEY (workspace, entity, first)
  );`

/**
 * Triggers run as the owner of the tables, because foreign writers have no privileges on the log,
 * and with a fixed search_path, so that no temporary table of the writer shadows one of kontor's.
 */
const AS_OWNER = 'LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp'

/** SQL of a new mark: a random positive integer that a double can represent exactly. */
export const NEW_MARK = 'floor(random() * 9007199254740991)::BIGINT + 1'

/** SQL of the last sequence of a workspace; 0 = no change has been logged. */
function lastSequence(workspace: string): string {
  return `coalesce((SELECT max(sequence) FROM kontor.changes WHERE workspace = ${workspace}), 0)`
}

/** SQL of the largest deleted id; 0 = there is none. @param bound condition on `first` */
function largestDeletedId(entity: string, workspace: string, bound = ''): string {
  return `coalesce((SELECT last FROM kontor.deleted_ids AS d WHERE d.workspace = ${workspace}
    AND entity = '${entity}' ${bound} ORDER BY first DESC LIMIT 1), 0)`
}

function isDeletedId(entity: string, workspace: string, id: string): string {
  return `${id} <= ${largestDeletedId(entity, workspace, `AND first <= ${id}`)}`
}

function refuseDeletedId(table: string): string {
  return `RAISE integrity_constraint_violation
    USING MESSAGE = 'this id of ${table} was deleted; ids are never used again';`
}

// `rewritten` leaves a gap after 0 too, because a reader of an empty log has no mark to compare.
const FUNCTIONS = `
  CREATE FUNCTION kontor.hold(held INTEGER) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE kontor.workspaces SET writer = pg_current_xact_id()
        WHERE no = held AND id IS NOT NULL
          AND (writer <> pg_current_xact_id() OR xmin <> pg_current_xact_id()::xid);
      IF FOUND THEN
        PERFORM pg_notify('kontor', held::text);
        RETURN TRUE;
      END IF;
      RETURN EXISTS (SELECT FROM kontor.workspaces WHERE no = held AND id IS NOT NULL);
    END $$;
  COMMENT ON FUNCTION kontor.hold IS
    'locks a workspace until the end of the transaction; FALSE = there is no such workspace';

  CREATE FUNCTION kontor.refuse_truncate() RETURNS TRIGGER LANGUAGE plpgsql AS $$
    BEGIN
      RAISE feature_not_supported USING MESSAGE =
        format('TRUNCATE of %s is not logged; use DELETE', TG_TABLE_NAME);
    END $$;

  CREATE FUNCTION kontor.rewritten(workspace_id TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
    DECLARE
      held INTEGER := (SELECT no FROM kontor.workspaces WHERE id = workspace_id);
      next BIGINT;
    BEGIN
      IF held IS NULL THEN
        RAISE no_data_found USING MESSAGE = format('there is no workspace %s', workspace_id);
      END IF;
      PERFORM kontor.hold(held);
      next := 1 + greatest(1, ${lastSequence('held')});
      DELETE FROM kontor.changes WHERE workspace = held;
      INSERT INTO kontor.changes (workspace, sequence, mark, entity, entity_id, kind)
        VALUES (held, next, ${NEW_MARK}, 'account', 0, 'update');
    END $$;

  CREATE FUNCTION kontor.workspace_deleted() RETURNS TRIGGER ${AS_OWNER} AS $$
    BEGIN
      DELETE FROM kontor.changes WHERE workspace = OLD.no;
      DELETE FROM kontor.deleted_ids WHERE workspace = OLD.no;
      PERFORM pg_notify('kontor', OLD.no::text);
      RETURN NULL;
    END $$;
  CREATE TRIGGER workspaces_deleted AFTER DELETE ON kontor.workspaces
    FOR EACH ROW EXECUTE FUNCTION kontor.workspace_deleted();`

/** A table of resources, and the name of its rows in the log. */
interface LoggedTable {
  readonly table: string
  readonly entity: string
  /** SQL of the account before and after the change, of an old row `o` and a new row `n`. */
  readonly accounts: readonly [before: string, after: string]
}

/**
 * Assigns the next id to a row without one. The workspace is held before the largest id is read,
 * and rows of one statement see each other.
 */
function numbering({ table, entity }: LoggedTable): string {
  return `
  CREATE FUNCTION kontor.${table}_numbered() RETURNS TRIGGER ${AS_OWNER} AS $$
    BEGIN
      PERFORM kontor.hold(NEW.workspace);
      NEW.id := 1 + greatest(${largestDeletedId(entity, 'NEW.workspace')},
        (SELECT max(id) FROM kontor.${table} WHERE workspace = NEW.workspace));
      RETURN NEW;
    END $$;
  CREATE TRIGGER ${table}_numbered BEFORE INSERT ON kontor.${table}
    FOR EACH ROW WHEN (NEW.id IS NULL)
    EXECUTE FUNCTION kontor.${table}_numbered();`
}

/**
 * For a row whose id or workspace changes. Fires before the trigger of its statement, so no row of
 * the statement can take an id that another row has given up.
 */
function renumbering({ table, entity }: LoggedTable): string {
  return `
  CREATE FUNCTION kontor.${table}_renumbered() RETURNS TRIGGER ${AS_OWNER} AS $$
    BEGIN
      PERFORM kontor.hold(least(OLD.workspace, NEW.workspace));
      PERFORM kontor.hold(greatest(OLD.workspace, NEW.workspace));
      IF ${isDeletedId(entity, 'NEW.workspace', 'NEW.id')} THEN
        ${refuseDeletedId(table)}
      END IF;
      INSERT INTO kontor.deleted_ids VALUES (OLD.workspace, '${entity}', OLD.id, OLD.id)
        ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;
  CREATE TRIGGER ${table}_renumbered AFTER UPDATE ON kontor.${table}
    FOR EACH ROW WHEN (OLD.id <> NEW.id OR OLD.workspace <> NEW.workspace)
    EXECUTE FUNCTION kontor.${table}_renumbered();`
}

/** The SQL for logging a kind of statement. */
interface LoggedEvent {
  readonly event: 'INSERT' | 'UPDATE' | 'DELETE'
  readonly transition: string
  /** SELECT of its workspaces, possibly with duplicates. */
  readonly workspaces: string
  /** SELECT of the changes in all workspaces. */
  readonly changes: string
  /** Statements about the ids in the workspace `held`. */
  readonly ids: string
}

function eventsOf({ table, entity, accounts: [before, after] }: LoggedTable): LoggedEvent[] {
  return [
    {
      event: 'INSERT',
      transition: 'NEW TABLE AS new_rows',
      workspaces: 'SELECT workspace FROM new_rows',
      changes: `SELECT n.workspace, n.id, 'insert' AS kind, NULL::BIGINT AS before,
        ${after} AS after FROM new_rows AS n`,
      ids: `
        newest := ${largestDeletedId(entity, 'held')};
        IF EXISTS (SELECT FROM new_rows AS n WHERE n.workspace = held AND n.id <= newest
            AND ${isDeletedId(entity, 'held', 'n.id')}) THEN
          ${refuseDeletedId(table)}
        END IF;`,
    },
    {
      event: 'UPDATE',
      transition: 'OLD TABLE AS old_rows NEW TABLE AS new_rows',
      workspaces: 'SELECT workspace FROM old_rows UNION ALL SELECT workspace FROM new_rows',
      changes: `SELECT DISTINCT workspace, id, CASE WHEN n.id IS NULL THEN 'delete'
        WHEN o.id IS NULL THEN 'insert' ELSE 'update' END AS kind,
        ${before} AS before, ${after} AS after
        FROM old_rows AS o FULL JOIN new_rows AS n USING (workspace, id)`,
      ids: '',
    },
    {
      event: 'DELETE',
      transition: 'OLD TABLE AS old_rows',
      workspaces: 'SELECT workspace FROM old_rows',
      changes: `SELECT o.workspace, o.id, 'delete' AS kind, ${before} AS before,
        NULL::BIGINT AS after FROM old_rows AS o`,
      ids: `
        INSERT INTO kontor.deleted_ids SELECT held, '${entity}', id, id
          FROM old_rows WHERE workspace = held ON CONFLICT DO NOTHING;`,
    },
  ]
}

/**
 * Logs a statement, one workspace after the other. The last sequence is read by a separate
 * statement, so that its snapshot is taken while the workspace is held.
 */
function logging({ table, entity }: LoggedTable, logged: LoggedEvent): string {
  const name = `${table}_${logged.event.toLowerCase()}_logged`
  return `
  CREATE FUNCTION kontor.${name}() RETURNS TRIGGER ${AS_OWNER} AS $$
    DECLARE
      held INTEGER;
      newest BIGINT;
      statement_mark BIGINT := ${NEW_MARK};
    BEGIN
      FOR held IN SELECT DISTINCT workspace FROM (${logged.workspaces}) AS w ORDER BY workspace LOOP
        IF NOT kontor.hold(held) THEN CONTINUE; END IF;
        ${logged.ids}
        newest := ${lastSequence('held')};
        INSERT INTO kontor.changes
          SELECT held, newest + row_number() OVER (ORDER BY kind = 'insert', id), statement_mark,
            '${entity}', id, kind, before, after
          FROM (${logged.changes}) AS c WHERE workspace = held;
      END LOOP;
      RETURN NULL;
    END $$;
  CREATE TRIGGER ${name} AFTER ${logged.event} ON kontor.${table}
    REFERENCING ${logged.transition}
    FOR EACH STATEMENT EXECUTE FUNCTION kontor.${name}();`
}

const NO_ACCOUNTS = ['NULL::BIGINT', 'NULL::BIGINT'] as const

const LOGGED_TABLES: readonly LoggedTable[] = [
  { table: 'accounts', entity: 'account', accounts: NO_ACCOUNTS },
  { table: 'categories', entity: 'category', accounts: NO_ACCOUNTS },
  {
    table: 'transactions',
    entity: 'transaction',
    accounts: ['o.account_id', 'n.account_id'],
  },
]

function triggersOf(logged: LoggedTable): string {
  return [
    numbering(logged),
    renumbering(logged),
    ...eventsOf(logged).map((event) => logging(logged, event)),
    `CREATE TRIGGER ${logged.table}_truncated BEFORE TRUNCATE ON kontor.${logged.table}
      FOR EACH STATEMENT EXECUTE FUNCTION kontor.refuse_truncate();`,
  ].join('\n')
}

/** SQL of the change log; the tables of resources are there. */
export const CHANGE_LOG: string = [CHANGES, FUNCTIONS, ...LOGGED_TABLES.map(triggersOf)].join('\n')
