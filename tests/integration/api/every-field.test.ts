import fc from 'fast-check';
import { expect, it } from 'vitest';
import type * as z from 'zod';
import { lotSchema } from '#app/domain/lots/lot-schema.ts';
import { SUPPLY_KINDS } from '#app/domain/supplies/supply.ts';
import { supplySchema } from '#app/domain/supplies/supply-schema.ts';
import { inWordsOf, valuesFor, type FieldValues } from '#tests/support/field-values.ts';
import { testConnection } from '#tests/support/database.ts';
import { besideServer } from '#tests/support/someone.ts';
import type { ApiClient } from './client.ts';
import { useApi } from './world.ts';

/** The law that no field of a noun is lost between the calls and a file. Vials have one of their own, with their pages. */
const world = useApi();

interface Noun {
  /** Its name in the addresses and in files. */
  plural: string;
  /** Its name in responses. */
  name: string;
  fields: Readonly<Record<string, z.ZodType>>;
  /** Values of fields that not any text or number fits. */
  special(owner: ApiClient): Promise<Record<string, fc.Arbitrary<unknown>>>;
  /** The body that changes all fields, where it is not that of a new one. */
  changing?(values: FieldValues): FieldValues;
}

const NOUNS: readonly Noun[] = [
  {
    plural: 'lots',
    name: 'lot',
    fields: lotSchema.shape,
    async special(owner) {
      const { body } = await owner.post('/api/suppliers', { name: 'Acme' });
      const { id } = body.data?.['supplier'] as { id: string };
      return {
        supplierId: fc.constant(id),
        reportUrl: fc.nat(99).map((number) => `https://lab.example/${number}?a=b&c="`),
      };
    },
  },
  {
    plural: 'supplies',
    name: 'supply',
    fields: supplySchema.shape,
    special: () => Promise.resolve({ kind: fc.constantFrom(...SUPPLY_KINDS) }),
    changing: ({ count, ...rest }) => ({ ...rest, counted: count }),
  },
];

it.each(NOUNS)(
  'every field of $plural comes back after adding, changing, exporting and importing',
  async ({ plural, name, fields, special, changing = (values) => values }) => {
    const client = await world.premium();
    const values = valuesFor(fields, await special(client));
    const read = async (id: string) => {
      const { body } = await client.get(`/api/${plural}/${id}`);
      return body.data?.[name] as Record<string, unknown>;
    };
    const changed = new Map<string, FieldValues>();
    await fc.assert(
      fc.asyncProperty(values, values, async (first, second) => {
        const added = await client.post(`/api/${plural}`, first);
        expect(added.status, added.text).toBe(201);
        const { id } = added.body.data?.[name] as { id: string };
        expect(inWordsOf(first, await read(id))).toEqual(first);
        const answer = await client.put(`/api/${plural}/${id}`, changing(second));
        expect(answer.status, answer.text).toBe(200);
        expect(inWordsOf(second, await read(id))).toEqual(second);
        changed.set(id, second);
      }),
      { numRuns: 3, endOnFailure: true },
    );
    for (const format of ['json', 'csv']) {
      const file = await client.get('/api/export', { format, types: plural, metadata: 'false' });
      for (const id of changed.keys()) await client.delete(`/api/${plural}/${id}`);
      const type = file.headers.get('content-type') ?? '';
      const answer = await client.call('POST', '/api/import', {
        body: file.text,
        headers: { 'content-type': type },
      });
      expect(answer.status, answer.text).toBe(201);
      for (const [id, last] of changed) expect(inWordsOf(last, await read(id)), format).toEqual(last);
    }
  },
);

it('a lot that was stored before a field existed has it empty', async () => {
  const client = await world.premium();
  const lots = NOUNS[0] as Noun;
  const [values = {}] = fc.sample(valuesFor(lots.fields, await lots.special(client)), 1);
  const { body } = await client.post('/api/lots', values);
  const lot = body.data?.['lot'] as { id: string };
  const { number: _number, product: _product, ...details } = lots.fields;
  const nulls = Object.fromEntries(Object.keys(details).map((name) => [name, null]));
  const rows = testConnection(await besideServer(world.web.dataDir)).collection<{ _id: string }>('lots');
  await rows.updateOne({ _id: lot.id }, { $unset: nulls as Record<string, never> });

  expect((await client.get(`/api/lots/${lot.id}`)).body.data).toEqual({ lot: { ...lot, ...nulls } });
  const file = await client.get('/api/export', { format: 'json', types: 'lots', metadata: 'false' });
  expect((JSON.parse(file.text) as { lots: object[] }).lots).toEqual([expect.objectContaining(nulls)]);
});
