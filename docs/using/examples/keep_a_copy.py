"""Keeps a SQLite copy of the transactions of a kontor workspace in step, until it is stopped.

    KONTOR_KEY=sk-… python3 keep_a_copy.py copy.db          follows for good
    KONTOR_KEY=sk-… python3 keep_a_copy.py copy.db --once   ends when the copy is complete

KONTOR_URL and KONTOR_WORKSPACE name another service or workspace than the demo.
"""

import json
import os
import sqlite3
import sys
import time
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

URL = os.environ.get("KONTOR_URL", "http://127.0.0.1:8080")
WORKSPACE = os.environ.get("KONTOR_WORKSPACE", "demo")
KEY = os.environ["KONTOR_KEY"]
PATH = sys.argv[1] if len(sys.argv) > 1 else "copy.db"
ONCE = "--once" in sys.argv

SCHEMA = """
  CREATE TABLE IF NOT EXISTS transactions (
    id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL,
    amount NUMERIC NOT NULL,
    currency TEXT NOT NULL,
    booking_date TEXT,
    json TEXT NOT NULL,
    round INTEGER NOT NULL  -- the copy that has last seen the row
  );
  CREATE TABLE IF NOT EXISTS progress (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    cursor TEXT,            -- NULL = start from the beginning
    round INTEGER NOT NULL,
    is_copying INTEGER NOT NULL
  );
  INSERT OR IGNORE INTO progress VALUES (1, NULL, 1, 1);
"""


def next_page(cursor):
    """The next page, or None when the copy has to start again."""
    query = {"limit": 250}
    if cursor is not None:
        query["since"] = cursor
    if not ONCE:
        query["wait"] = 30
    request = Request(
        f"{URL}/v1/{WORKSPACE}/transactions/changes?{urlencode(query)}",
        headers={"Authorization": f"Bearer {KEY}"},
    )
    try:
        with urlopen(request, timeout=60) as reply:
            return json.load(reply)
    except HTTPError as error:
        if error.code == 400 and json.load(error)["error"] == "cursor_expired":
            return None
        raise


def apply(db, page, round_number, is_copying):
    """Rows and cursor change in one transaction: a crash repeats a page, and skips none."""
    with db:
        for change in page["changes"]:
            if change["kind"] == "delete":
                db.execute("DELETE FROM transactions WHERE id = ?", (change["id"],))
                continue
            row = change["transaction"]
            db.execute(
                "INSERT OR REPLACE INTO transactions VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    row["id"],
                    row["accountId"],
                    row["amount"],
                    row["currency"],
                    row.get("bookingDate"),
                    json.dumps(row, ensure_ascii=False),
                    round_number,
                ),
            )
        # At the end of another copy: it has not seen the rows that have gone since the one before.
        if is_copying and not page["hasMore"]:
            db.execute("DELETE FROM transactions WHERE round < ?", (round_number,))
        db.execute(
            "UPDATE progress SET cursor = ?, is_copying = ?",
            (page["cursor"], is_copying and page["hasMore"]),
        )


def main():
    db = sqlite3.connect(PATH)
    db.executescript(SCHEMA)
    while True:
        select = "SELECT cursor, round, is_copying FROM progress"
        cursor, round_number, is_copying = db.execute(select).fetchone()
        try:
            page = next_page(cursor)
        except (HTTPError, URLError, TimeoutError) as error:
            # A wrong key or parameter does not get better; a busy service or a lost
            # connection does.
            retry_after = error.headers.get("Retry-After") if isinstance(error, HTTPError) else "5"
            if ONCE or retry_after is None:
                raise
            print(f"{error}; trying again", file=sys.stderr)
            time.sleep(int(retry_after))
            continue
        if page is None:
            with db:
                db.execute(
                    "UPDATE progress SET cursor = NULL, round = round + 1, is_copying = 1"
                )
            continue
        apply(db, page, round_number, is_copying)
        if ONCE and not page["hasMore"]:
            break


main()
