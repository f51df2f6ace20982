import path from 'node:path';
import Database from 'better-sqlite3';

/**
 * Watches whether anybody is writing to a data directory.
 * @returns a function that tells it
 */
export function watchWriter(dir) {
  const db = new Database(path.join(dir, 'data.db'), { fileMustExist: true, timeout: 0 });
  const [begin, end] = ['BEGIN IMMEDIATE', 'ROLLBACK'].map((sql) => db.prepare(sql));
  return () => {
    try {
      begin.run();
      end.run();
      return false;
    } catch (error) {
      if (error.code !== 'SQLITE_BUSY') throw error;
      return true;
    }
  };
}
