import { JsonRecords, type FileProblem } from '#app/domain/import/json-records.ts';
import type { RawFile } from '#app/domain/records/record-type.ts';

/** The records of a JSON text that arrives in pieces of a given length. */
export function jsonRows(text: string, length = 7): RawFile | FileProblem {
  const records = new JsonRecords();
  const file: RawFile = { rows: [], bad: [] };
  for (let at = 0; at < text.length; at += length) {
    const part = records.push(text.slice(at, at + length));
    if ('problem' in part) return part;
    file.rows.push(...part.rows);
    file.bad.push(...part.bad);
  }
  return records.end() ?? file;
}
