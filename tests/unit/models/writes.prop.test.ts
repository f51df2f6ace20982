import fc from 'fast-check';
import mongoose, { Schema } from 'mongoose';
import { describe, expect, it } from 'vitest';
import { doseSchema } from '#models/dose.server.ts';
import { modelOf } from '#models/model-of.server.ts';
import { plainRow } from '#models/writes.server.ts';

const connection = mongoose.createConnection();

const partSchema = new Schema({ amount: { type: Number, required: true } }, { _id: false });
const thingSchema = new Schema({
  _id: { type: String, required: true },
  userId: { type: String, required: true },
  kind: { type: String, enum: ['one', 'two'], required: true },
  mood: { type: String, enum: ['low', 'high'] },
  count: { type: Number, default: 0 },
  size: { type: Number, min: 1 },
  at: { type: Date, required: true },
  isOpen: { type: Boolean, default: true },
  note: { type: String, default: null },
  parts: { type: [partSchema], default: [] },
  names: [String],
  place: partSchema,
  anything: Schema.Types.Mixed,
});

/** What a document makes of a row; null when it refuses it. */
function byDocument<Row>(schema: Schema<Row>, name: string, row: Row): unknown {
  const Model = modelOf<Row>(connection, name, schema);
  try {
    const document = new Model(row);
    return document.validateSync() === undefined ? document.toObject() : null;
  } catch {
    return null;
  }
}

const value = fc.oneof(
  fc.constantFrom(
    'one',
    'two',
    'low',
    '',
    ' ',
    'x',
    null,
    undefined,
    true,
    0,
    1,
    -1.5,
    Number.NaN,
    Infinity,
    '5',
  ),
  fc.constantFrom([], ['a'], [{ amount: 1 }], [{ amount: 'x' }], { amount: 1 }, { other: 1 }, {}),
  fc.constantFrom(new Date(0), new Date('2026-01-01'), new Date(Number.NaN)),
);

/** A sound row in which some fields are something else. */
const rowLike = (sound: Record<string, unknown>, fields: readonly string[]) =>
  fc
    .dictionary(fc.constantFrom(...fields, 'unknown'), value, { maxKeys: 3 })
    .map((changes) => ({ ...sound, ...changes }) as Record<string, unknown>);

describe('a row without a document', () => {
  it.each([
    [
      'a schema with one of everything',
      'Thing',
      thingSchema as unknown as Schema<never>,
      { _id: 'a', userId: 'b', kind: 'one', at: new Date(1) },
    ],
    [
      'a dose',
      'Dose',
      doseSchema as unknown as Schema<never>,
      {
        _id: 'dose_1',
        userId: 'u',
        name: 'BPC-157',
        localDay: '2026-01-01',
        wallTime: '08:00',
        timeZone: 'UTC',
        dueDate: new Date(5),
        doseAmount: '250',
        doseUnit: 'mcg',
        status: 'taken',
        remindStage: 'due',
      },
    ],
  ])('equals what a mongoose document would store, or is left to one: %s', (_, name, schema, sound) => {
    expect(plainRow(schema, sound as never)).not.toBeNull();
    const fields = Object.keys(schema.paths);
    fc.assert(
      fc.property(rowLike(sound, fields), (row) => {
        const plain = plainRow(schema, row as never);
        if (plain !== null) expect(plain).toEqual(byDocument(schema, name, row as never));
      }),
      { numRuns: 1000 },
    );
  });
});
