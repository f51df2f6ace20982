import { describe, expect, it } from 'vitest';
import type { ImportedRecord } from '#app/domain/records/record-type.ts';
import { decodeRecords, encodeRecords } from '#models/import/import.server.ts';

const at = new Date('2090-05-01T06:00:00.123Z');

describe('records of a checked file', () => {
  it('are read back as stored, including dates and texts that look like dates', () => {
    const records: ImportedRecord[] = [
      {
        type: 'sideEffects',
        id: 'fx_0123456789abcdef01234567',
        createdAt: at,
        effect: {
          name: '{"$date":"2090-05-01T06:00:00.123Z"}',
          severity: 2,
          startedAt: at,
          resolvedDate: '2090-05-02',
          resolvedAt: at,
          compoundId: null,
          doseId: null,
          notes: at.toISOString(),
        },
      },
    ];
    expect(decodeRecords(encodeRecords(records))).toEqual(records);
    expect(decodeRecords(encodeRecords([]))).toEqual([]);
  });

  it('are refused when an earlier version stored them unparsed', () => {
    expect(() => decodeRecords('[{"type":"doses","line":2,"cells":{}}]')).toThrowError(
      expect.objectContaining({ conflict: 'CHANGED_MEANWHILE' }) as Error,
    );
    expect(decodeRecords('[]')).toEqual([]);
  });
});
