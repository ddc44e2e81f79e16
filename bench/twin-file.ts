import { copyFileSync } from 'node:fs'
import { Database } from '../src/store/sqlite/sqlite-driver.js'

/**
 * Copies a workspace file and changes the copy into the schema of a developer who serves these
 * lists straight from SQLite: a plain amount column, an index for each sort key and for each filter
 * by value (its trailing rowid also gives the default order), and no change log.
 * @param source a workspace file without a concurrent writer
 */
export function makeTwinFile(source: string, target: string): void {
  const original = new Database(source)
  original.pragma('wal_checkpoint(TRUNCATE)')
  original.close()
  copyFileSync(source, target)
  const file = new Database(target)
  file.pragma('journal_mode = OFF')
  file.pragma('synchronous = OFF')
  file.pragma('cache_size = -262144')
  const triggers = file.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").pluck()
  for (const name of triggers.all()) file.exec(`DROP TRIGGER ${String(name)}`)
  file.exec(`
    DROP TABLE changes;
    ALTER TABLE transactions ADD COLUMN amount REAL;
    UPDATE transactions SET amount = amount_unscaled / CASE amount_scale
      WHEN 0 THEN 1.0 WHEN 1 THEN 1e1 WHEN 2 THEN 1e2 WHEN 3 THEN 1e3 WHEN 4 THEN 1e4
      ELSE 1e5 END;
    CREATE INDEX by_booking_date ON transactions (booking_date, id);
    CREATE INDEX by_value_date ON transactions (value_date, id);
    CREATE INDEX by_import_date ON transactions (import_date, id);
    CREATE INDEX by_amount ON transactions (amount, id);
    CREATE INDEX by_account ON transactions (account_id);
    CREATE INDEX by_counterpart ON transactions (counterpart_iban);
    CREATE INDEX by_category ON transactions (category_id);
    CREATE INDEX by_parent_category ON transactions (parent_category_id);
    ANALYZE;`)
  file.pragma('journal_mode = WAL')
  file.close()
}
