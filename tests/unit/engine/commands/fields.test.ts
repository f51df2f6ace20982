import { describe, expect, it } from 'vitest';
import { field, readFields, required } from '#models/engine/commands/fields.ts';
import { Double, Long } from '#models/engine/values/types.ts';

const table = {
  find: required(field.string),
  filter: field.document,
  limit: field.count,
  tailable: field.bool,
  updates: field.documents,
};

describe('the arguments of a command', () => {
  it('are read with their types', () => {
    const args = readFields(
      'find',
      { find: 'c', filter: { a: 1 }, limit: Long.fromNumber(5), tailable: 1, updates: [{}] },
      table,
    );
    expect(args).toEqual({ find: 'c', filter: { a: 1 }, limit: 5, tailable: true, updates: [{}] });
  });

  it.each([5, new Double(5), Long.fromNumber(5), 5.9])('take a number of any type: %s', (limit) => {
    expect(readFields('find', { find: 'c', limit }, table).limit).toBe(5);
  });

  it('treat null as missing', () => {
    expect(readFields('find', { find: 'c', filter: null }, table).filter).toBeUndefined();
  });

  it('may include the arguments that every command accepts', () => {
    const generic = { lsid: {}, $db: 'd', maxTimeMS: 1, comment: 'x', readConcern: {}, $clusterTime: {} };
    expect(readFields('find', { find: 'c', ...generic }, table)).toEqual({ find: 'c' });
  });

  it.each([
    [
      'an unknown one',
      { find: 'c', filtre: {} },
      40415,
      "BSON field 'find.filtre' is an unknown field: the embedded database does not have it",
    ],
    ['one named like something every object has', { find: 'c', constructor: {} }, 40415, 'constructor'],
    ['a missing one', { filter: {} }, 40414, "BSON field 'find.find' is missing but a required field"],
    [
      'a wrong type',
      { find: 'c', filter: 'x' },
      14,
      "BSON field 'find.filter' is the wrong type 'string', expected type 'object'",
    ],
    ['an array for a document', { find: 'c', filter: [] }, 14, "is the wrong type 'array'"],
    ['a wrong type inside an array', { find: 'c', updates: [{}, 5] }, 14, "'find.updates.1'"],
    [
      'text for a boolean',
      { find: 'c', tailable: 'yes' },
      14,
      "expected types '[bool, long, int, decimal, double]'",
    ],
    [
      'a number below zero',
      { find: 'c', limit: -1 },
      51024,
      "BSON field 'limit' value must be >= 0, actual value '-1'",
    ],
  ])('are refused for %s', (_name, body, code, message) => {
    const read = () => readFields('find', body, table);
    expect(read).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) as string }),
    );
  });
});
