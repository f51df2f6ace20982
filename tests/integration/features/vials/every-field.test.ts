import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteFields } from '#app/domain/vials/vial-fields.ts';
import type { ContainerForm } from '#app/domain/calculator/calculation.ts';
import { FORM_FIELDS, ROW_FIELDS, vialFields } from '#app/domain/vials/vial-schema.ts';
import type { FormFields, WebClient } from '#tests/integration/routes/web-client.ts';
import { useWeb } from '#tests/integration/routes/web.ts';
import { testConnection } from '#tests/support/database.ts';
import { inWordsOf, valuesFor, type FieldValues } from '#tests/support/field-values.ts';
import { control, elements, fieldValue, visibleText } from '#tests/support/html.ts';
import { besideServer } from '#tests/support/someone.ts';

/** The law that no field of a vial is lost: between any two doors, whatever was entered comes back. */
const web = useWeb();

type Name = keyof typeof vialFields.shape;
type Compound = Record<string, unknown> & { id: string };

const DETAILS = Object.keys(noteFields) as (keyof typeof noteFields)[];

const NAMES = Object.keys(vialFields.shape) as Name[];

/**
 * Each vial has all fields but these: an amount is given once, and a strength by the water or the concentration; only powder
 * is reconstituted, and only pens click.
 */
const LEFT_OUT: readonly (readonly [ContainerForm, ...Name[]])[] = [
  ['powder', 'amountMg', 'components', 'concentration'],
  ['powder', 'totalAmount', 'components', 'waterMl'],
  ['powder', 'totalAmount', 'amountMg', 'concentration'],
  ['pen', 'amountMg', 'components', 'concentration', 'reconstitutionDate', 'displacement'],
  ['spray', 'totalAmount', 'components', 'waterMl', 'reconstitutionDate', 'displacement'],
  ['capsule', 'amountMg', 'components', 'waterMl', 'concentration', 'reconstitutionDate', 'displacement'],
];

const days = (year: number) =>
  fc.integer({ min: 10, max: 28 }).map((day) => `${year}-0${(day % 9) + 1}-${day}`);

const components = fc
  .tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 }))
  .map(([one, other]) => [
    { name: 'BPC-157', amount: one },
    { name: 'TB-500', amount: other },
  ]);

/** A vial with every field but some. */
function vialWithout(
  [form, ...leftOut]: readonly [ContainerForm, ...Name[]],
  supplierId: string,
): fc.Arbitrary<FieldValues> {
  const fields = Object.entries(vialFields.shape).filter(([name]) => !leftOut.includes(name as Name));
  return valuesFor(Object.fromEntries(fields), {
    components,
    supplierId: fc.constant(supplierId),
    form: fc.constant(form),
    // A vial that was drawn from keeps its unit; each of these is new.
    amountUnit: fc.constantFrom('mg', 'IU'),
    // Neither in the future, of which a form asks, nor after the last day of use.
    reconstitutionDate: days(2020),
    expirationDate: days(2190),
  });
}

async function call(client: WebClient, method: string, path: string, body?: object) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { origin: web.url, ...(body && { 'content-type': 'application/json' }) };
  const answer = await client.request(path, { method, headers, ...sent });
  expect(answer.status, answer.body).toBeLessThan(300);
  return JSON.parse(answer.body) as { data: Record<string, unknown> };
}

/** A vial, without what every change notes. */
async function read(client: WebClient, path: string): Promise<Compound> {
  const { data } = await call(client, 'GET', `/api/compounds/${path}`);
  const { updatedAt: _, ...vial } = data['compound'] as Compound;
  return vial as Compound;
}

/** The fields that a page's form has, with its values. */
const formOf = (page: string): FormFields =>
  Object.fromEntries(
    [...FORM_FIELDS, ...ROW_FIELDS, 'original']
      .filter((name) => control(page, name) !== null)
      .map((name) => [name, rowValues(page, name) ?? fieldValue(page, name) ?? '']),
  );

const rowValues = (page: string, name: string): string[] | null =>
  ROW_FIELDS.every((row) => row !== name)
    ? null
    : elements(page, `input[name="${name}"]`).map((input) => input.getAttribute('value') ?? '');

/** What a person types into the form for a vial. */
function typed({ components: rows, amountMg, supplierId: _, ...values }: FieldValues): FormFields {
  const parts = (rows ?? []) as { name: string; amount: number }[];
  return {
    ...(values as FormFields),
    ...(amountMg === undefined ? {} : { totalAmount: String(amountMg) }),
    componentName: parts.map(({ name }) => name),
    componentAmount: parts.map(({ amount }) => String(amount)),
  };
}

/** Without what a form does not have. */
const inForm = ({ supplierId: _, ...values }: FieldValues): FieldValues => values;

async function person() {
  const client = await web.registered({ trial: true });
  const { data } = await call(client, 'POST', '/api/suppliers', { name: 'Acme' });
  return { client, supplierId: (data['supplier'] as { id: string }).id };
}

it('is about every field', () => {
  for (const name of NAMES)
    expect(LEFT_OUT.some((names: readonly string[]) => !names.includes(name))).toBe(true);
});

describe.each(LEFT_OUT.map((leftOut) => [leftOut]))('every field but %j', (leftOut) => {
  it('comes back from a call that adds or changes a vial, and out of a file', async () => {
    const { client, supplierId } = await person();
    const vials = vialWithout(leftOut, supplierId);
    const added: Compound[] = [];
    await fc.assert(
      fc.asyncProperty(vials, vials, async (first, second) => {
        const { data } = await call(client, 'POST', '/api/compounds', first);
        const { id } = data['compound'] as Compound;
        expect(inWordsOf(first, await read(client, id))).toEqual(first);
        await call(client, 'PUT', `/api/compounds/${id}`, second);
        added.push(await read(client, id));
        expect(inWordsOf(second, added.at(-1) as Compound)).toEqual(second);
      }),
      { numRuns: 3, endOnFailure: true },
    );
    for (const format of ['json', 'csv']) {
      const file = await client.get(`/api/export?format=${format}&types=compounds&metadata=false`);
      for (const { id } of added) await call(client, 'DELETE', `/api/compounds/${id}`);
      const answer = await client.send('/api/import', file.body, String(file.headers['content-type']));
      expect(answer.status, answer.body).toBe(201);
      for (const vial of added) expect(await read(client, vial.id), format).toEqual(vial);
    }
  });

  it('comes back from the forms that add and change a vial, and is on its page', async () => {
    const { client, supplierId } = await person();
    const vials = vialWithout(leftOut, supplierId);
    await fc.assert(
      fc.asyncProperty(vials, vials, async (first, second) => {
        const form = formOf((await client.get('/dashboard/vials/new')).body);
        const answer = await client.post('/dashboard/vials/new', overwrite(form, typed(first)));
        expect(answer.status, visibleText(answer.body)).toBe(302);
        const path = answer.location ?? '';
        const id = path.split('/').at(-1) ?? '';
        expect(inWordsOf(inForm(first), await read(client, id))).toEqual(inForm(first));

        const before = await read(client, id);
        const shown = formOf((await client.get(`${path}/edit`)).body);
        expect((await client.post(`${path}/edit`, shown)).status).toBe(302);
        expect(await read(client, id)).toEqual(before);

        expect((await client.post(`${path}/edit`, overwrite(shown, typed(second)))).status).toBe(302);
        expect(inWordsOf(inForm(second), await read(client, id))).toEqual(inForm(second));
        const page = visibleText((await client.get(path)).body);
        for (const name of DETAILS)
          if (name !== 'supplierId') expect(page, name).toContain(String(second[name]));
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });
});

/** A form with other values in its controls: what has no control cannot be typed. */
function overwrite(form: FormFields, values: FormFields): FormFields {
  const entries = Object.entries(values).filter(([name]) => name in form);
  return { ...form, ...Object.fromEntries(entries) };
}

it('that did not exist yet when a vial was stored is empty at every door', async () => {
  const { client, supplierId } = await person();
  const [values = {}] = fc.sample(vialWithout(LEFT_OUT[0] ?? ['powder'], supplierId), 1);
  const { data } = await call(client, 'POST', '/api/compounds', values);
  const { id, updatedAt: _, ...vial } = data['compound'] as Compound;
  const nulls = Object.fromEntries(DETAILS.map((name) => [name, null]));
  const vials = testConnection(await besideServer(web.dataDir)).collection<{ _id: string }>('compounds');
  const without = await vials.updateOne({ _id: id }, { $unset: nulls as Record<string, never> });
  expect(without.modifiedCount).toBe(1);

  expect(await read(client, id)).toEqual({ ...vial, ...nulls, id });
  const path = `/dashboard/vials/${id}`;
  expect((await client.get(path)).status).toBe(200);
  const form = formOf((await client.get(`${path}/edit`)).body);
  for (const name of DETAILS) if (name in form) expect(form[name], name).toBe('');
  const { body } = await client.get('/api/export?format=json&types=compounds&metadata=false');
  expect((JSON.parse(body) as { compounds: object[] }).compounds).toEqual([expect.objectContaining(nulls)]);

  // The first change writes them.
  await call(client, 'PUT', `/api/compounds/${id}`, { notes: 'now' });
  expect(await vials.findOne({ _id: id })).toMatchObject({ ...nulls, notes: 'now' });
});
