import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import {
  vialFormSchema,
  reconstituteSchema,
  remainingSchema,
  spillSchema,
  vialCallSchema,
  vialChangesSchema,
  vialSchema,
} from '#app/domain/vials/vial-schema.ts';
import { vialQuerySchema } from '#app/domain/vials/vial-list-schema.ts';

const VIAL = { name: 'BPC-157', totalAmount: '5', waterMl: '2' };
const wrong = (schema: z.ZodType, input: unknown): string[] => {
  const parsed = schema.safeParse(input);
  return parsed.success ? [] : [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))];
};

describe('a vial form', () => {
  it('accepts typed text and JSON numbers alike', () => {
    const read = {
      name: 'A B',
      totalAmount: '0.1',
      waterMl: '2',
      cost: '0',
      currency: 'EUR',
      reconstitutionDate: '2026-03-01',
    };
    expect(
      vialSchema.parse({
        ...read,
        name: ' A\t B ',
        totalAmount: '0,10',
        waterMl: '02.00',
        cost: '0.0',
        currency: ' eur ',
        reconstitutionDate: ' 2026-03-01 ',
      }),
    ).toMatchObject(read);
    expect(vialSchema.parse({ ...read, totalAmount: 0.1, waterMl: 2, cost: 0 })).toMatchObject(read);
  });

  it('treats blank, null and absent alike', () => {
    for (const nothing of ['', '  ', null, undefined]) {
      const parsed = vialSchema.parse({
        ...VIAL,
        lot: nothing,
        cost: nothing,
        expirationDate: nothing,
        concentration: nothing,
      });
      const { lot, cost, expirationDate, concentration } = parsed;
      for (const value of [lot, cost, expirationDate, concentration]) expect(value ?? null).toBeNull();
    }
  });

  it.each([
    [{ name: undefined }, ['name']],
    [{ name: '\u0000' }, ['name']],
    [{ totalAmount: undefined }, ['totalAmount']],
    [{ totalAmount: Number.NaN }, ['totalAmount']],
    [{ totalAmount: -5 }, ['totalAmount']],
    [{ totalAmount: '5 ml' }, ['totalAmount']],
    [{ totalAmount: '1'.repeat(41) }, ['totalAmount']],
    [{ totalAmount: ['5', '6'] }, ['totalAmount']],
    [{ waterMl: '1000.1' }, ['waterMl']],
    [{ concentration: '9' }, ['concentration']],
    [{ reconstitutionDate: '2026-3-1' }, ['reconstitutionDate']],
    [{ reconstitutionDate: '2026-02-29' }, ['reconstitutionDate']],
    [{ reconstitutionDate: '1949-12-31' }, ['reconstitutionDate']],
    [{ expirationDate: '9999-12-31' }, ['expirationDate']],
    [{ reconstitutionDate: '2026-03-02', expirationDate: '2026-03-01' }, ['expirationDate']],
    [{ reconstitutionDate: '2026-03-01', waterMl: '' }, ['waterMl']],
    [{ storageTemp: 'x'.repeat(101) }, ['storageTemp']],
    [{ currency: 'EURO' }, ['currency']],
    [{ cost: '1000000.01' }, ['cost']],
    [{ displacement: '-1' }, ['displacement']],
    [{ amountMg: '4' }, ['amountMg']],
  ])('refuses %j', (more, fields) => expect(wrong(vialSchema, { ...VIAL, ...more })).toEqual(fields));

  it('accepts a vial that may be used only on the day it is reconstituted', () => {
    expect(
      wrong(vialSchema, { ...VIAL, reconstitutionDate: '2026-03-01', expirationDate: '2026-03-01' }),
    ).toEqual([]);
  });

  it('accepts the strength of a sealed vial from a program', () => {
    expect(wrong(vialCallSchema, { name: 'A', totalAmount: 5 })).toEqual(['concentration']);
    expect(wrong(vialCallSchema, { name: 'A', totalAmount: 5, concentration: 1 })).toEqual([]);
    expect(wrong(vialCallSchema, { name: 'A', amountMg: 5, waterMl: 1 })).toEqual([]);
  });

  it('never throws, and returns only texts', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...Object.keys(vialChangesSchema.shape), 'userId'), fc.anything()),
        (input) => {
          for (const schema of [vialSchema, vialChangesSchema, vialFormSchema]) {
            const parsed = schema.safeParse(input);
            if (!parsed.success) continue;
            expect(parsed.data).not.toHaveProperty('userId');
            for (const value of Object.values(parsed.data))
              expect(['string', 'undefined'].includes(typeof value) || value === null).toBe(true);
          }
        },
      ),
    );
  });
});

describe('changes of a vial', () => {
  it('distinguish cleared fields from unchanged ones', () => {
    expect(vialChangesSchema.parse({ lot: '', notes: null, name: 'B' })).toEqual({
      lot: null,
      notes: null,
      name: 'B',
    });
    expect(wrong(vialChangesSchema, { name: '' })).toEqual(['name']);
    expect(wrong(vialChangesSchema, { totalAmount: null })).toEqual(['totalAmount']);
  });
});

describe('the amounts of a vial', () => {
  it.each(['-1', '', 'x', '1e2', null, {}])('do not accept %j as remaining', (remainingAmount) =>
    expect(wrong(remainingSchema, { remainingAmount })).toEqual(['remainingAmount']),
  );

  it('can be zero for what is left, but not for what is lost', () => {
    expect(wrong(remainingSchema, { remainingAmount: 0 })).toEqual([]);
    expect(wrong(spillSchema, { lostAmount: '0' })).toEqual(['lostAmount']);
  });

  it('need a day and a strength for reconstitution', () => {
    expect(wrong(reconstituteSchema, {})).toEqual(['reconstitutionDate']);
    expect(wrong(reconstituteSchema, { reconstitutionDate: '2026-03-01' })).toEqual(['waterMl']);
    expect(wrong(reconstituteSchema, { reconstitutionDate: '2026-03-01', concentration: 2 })).toEqual([]);
  });
});

describe('the list of vials', () => {
  it('opens with any parameters from an old link', () => {
    const standard = { search: '', filter: 'active', sort: 'expiry', page: 1, limit: 20 };
    expect(vialQuerySchema.parse({})).toEqual(standard);
    expect(
      vialQuerySchema.parse({ search: 7, filter: 'x', sort: '$where', page: '-1', limit: 'all', cursor: {} }),
    ).toEqual(standard);
  });
});
