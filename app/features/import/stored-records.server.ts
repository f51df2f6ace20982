import { conflict } from '#app/domain/errors.ts';
import type { ImportedRecord } from '#app/domain/records/record-type.ts';

/** JSON has no instants: one stands as an object with this single key. No text of a person becomes an object. */
const INSTANT = '$date';

function isInstant(value: unknown): value is Record<typeof INSTANT, string> {
  return typeof value === 'object' && value !== null && INSTANT in value;
}

/** Records of a checked file as text, until they are imported. */
export function encodeRecords(records: readonly ImportedRecord[]): string {
  const text = JSON.stringify(records, function (this: Record<string, unknown>, key: string, value: unknown) {
    // Date has become text before it arrives as a value.
    const original = this[key];
    return original instanceof Date ? { [INSTANT]: original.toISOString() } : value;
  });
  return `{"records":${text}}`;
}

/**
 * The records that {@link encodeRecords} wrote.
 * @throws AppError CONFLICT for the unread rows that earlier versions stored
 */
export function decodeRecords(text: string): ImportedRecord[] {
  const stored = JSON.parse(text, (_key, value: unknown) =>
    isInstant(value) ? new Date(value[INSTANT]) : value,
  ) as { records: ImportedRecord[] } | unknown[];
  if (!Array.isArray(stored)) return stored.records;
  if (stored.length === 0) return [];
  throw conflict('CHANGED_MEANWHILE', 'Vialbook was updated since this file was checked. Upload it again.');
}
