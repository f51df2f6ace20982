import Database from 'better-sqlite3';

/** What can be bound to a statement: integers up to 2^53, texts and bytes. */
export type Value = number | string | Uint8Array | null;
/** A row's columns, in order. */
export type Row = unknown[];

/** A prepared statement. */
export interface Statement {
  /** Runs a statement that returns nothing. @returns how many rows it has changed */
  run(...values: Value[]): number;
  /** The first row. */
  row(...values: Value[]): Row | undefined;
  rows(...values: Value[]): Row[];
  /** The rows one by one. The connection can do nothing else until it is read to the end, or left. */
  each(...values: Value[]): IterableIterator<Row>;
}

export interface ConnectionOptions {
  /** How long to wait, blocking the thread, while another connection holds a lock. */
  waitMs: number;
}

/** A connection to a SQLite file. Nothing else uses the package. */
export class Connection {
  private readonly db: Database.Database;
  private readonly statements = new Map<string, Statement>();

  /** Opens an existing file, which may be empty. */
  constructor(file: string, { waitMs }: ConnectionOptions) {
    this.db = new Database(file, { fileMustExist: true, timeout: waitMs });
  }

  /** The statement for this text, prepared once. */
  statement(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = prepare(this.db, sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs a statement without values. */
  run(sql: string): void {
    this.statement(sql).run();
  }

  /** The first column of the first row of a statement without values. */
  value(sql: string): unknown {
    return this.statement(sql).row()?.[0];
  }

  get isInTransaction(): boolean {
    return this.db.inTransaction;
  }

  /** Rolls back an open transaction. */
  close(): void {
    this.db.close();
  }
}

function prepare(db: Database.Database, sql: string): Statement {
  const prepared = db.prepare<Value[], Row>(sql);
  if (prepared.reader) prepared.raw(true);
  return {
    run: (...values) => (prepared.reader ? prepared.all(...values).length : prepared.run(...values).changes),
    row: (...values) => prepared.get(...values),
    rows: (...values) => prepared.all(...values),
    each: (...values) => prepared.iterate(...values),
  };
}

/** SQLite's name for a failure, such as `SQLITE_BUSY`; null for errors that are not SQLite's. */
export function sqliteCode(error: unknown): string | null {
  return error instanceof Database.SqliteError ? error.code : null;
}

/** True when another connection holds the lock that was needed; also for a failure in another thread. */
export function isBusy(error: unknown): boolean {
  return String((error as { code?: unknown } | null)?.code).startsWith('SQLITE_BUSY');
}
