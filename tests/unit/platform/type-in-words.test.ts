import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { jsonSchemaOf } from '#app/platform/api/json-schema.ts';
import { typeInWords } from '#app/platform/api/openapi/page.ts';
import { day, instant, listOf, wholeNumber, yesOrNo } from '#app/platform/api/shapes.ts';

const inWords = (schema: z.ZodType, io: 'input' | 'output' = 'input') =>
  typeInWords(jsonSchemaOf(schema, io));

describe('a field’s type in words', () => {
  it.each<[string, z.ZodType]>([
    ['text', z.string()],
    ['text, at most 20 characters', z.string().max(20)],
    ['whole number', z.int()],
    ['whole number, 1 to 5', z.int().min(1).max(5)],
    ['number, at least 0', z.number().min(0)],
    ['true or false', yesOrNo],
    ['"mg", "mcg"', z.enum(['mg', 'mcg'])],
    ['"trial"', z.literal('trial')],
    ['number or text', z.union([z.number(), z.string()])],
    ['text or null', z.string().nullable()],
    ['list of "a", "b"', listOf(z.enum(['a', 'b']))],
    ['calendar day, YYYY-MM-DD', day],
    ['whole number, 1 to 100', wholeNumber({ min: 1, max: 100, otherwise: 20, about: 'Entries' })],
  ])('%s', (words, schema) => {
    expect(inWords(schema)).toBe(words);
  });

  it('describes instants as in JSON', () => {
    expect(inWords(instant, 'output')).toBe('instant, ISO 8601');
  });
});

describe('query parameters', () => {
  const number = wholeNumber({ min: 1, max: 100, otherwise: 20, about: 'Entries' });

  it('are converted from text', () => {
    expect(number.parse('7')).toBe(7);
    expect(number.parse(undefined)).toBe(20);
    expect(yesOrNo.parse('0')).toBe(false);
    expect(listOf(z.string()).parse('a, b,,c')).toEqual(['a', 'b', 'c']);
    expect(listOf(z.string()).parse(['a,b', 'c'])).toEqual(['a', 'b', 'c']);
    expect(instant.parse(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
  });

  it.each(['0', '101', '-1', '1.5', '1e3', 'x', '99999999999999999999', ['1', '2']])('refuse %s', (text) => {
    expect(number.safeParse(text).success).toBe(false);
  });
});
