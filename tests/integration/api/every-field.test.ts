import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { CERTIFICATE_FIELDS, lotDetails, lotSchema } from '#app/domain/lots/lot-schema.ts';
import { scheduleDetails, scheduleFields } from '#app/domain/schedules/schedule-schema.ts';
import { WEEKDAYS, type FrequencyKind } from '#app/domain/schedules/schedule-rule.ts';
import { SUPPLY_KINDS } from '#app/domain/supplies/supply.ts';
import { supplySchema } from '#app/domain/supplies/supply-schema.ts';
import { siteDetails, updateSiteSchema } from '#app/domain/tracking/injection-site-schema.ts';
import { measurementDetails, measurementSchema } from '#app/domain/tracking/measurements.ts';
import { nutritionSchema, nutritionValues } from '#app/domain/tracking/nutrition-schema.ts';
import { effectDetails, updateSideEffectSchema } from '#app/domain/tracking/side-effect-schema.ts';
import { SITE_IDS } from '#app/domain/tracking/sites.ts';
import { inWordsOf, valuesFor, type FieldValues } from '#tests/support/field-values.ts';
import { formWith, visibleText } from '#tests/support/html.ts';
import { testConnection } from '#tests/support/database.ts';
import {
  orderDetails,
  orderLineSchema,
  orderSchema,
  receivedDetails,
  receivedLineSchema,
} from '#app/domain/vendors/order-schema.ts';
import {
  productSchema,
  PRODUCT_FORMS,
  supplierDetails,
  supplierSchema,
} from '#app/domain/vendors/vendor-schema.ts';
import { besideServer } from '#tests/support/someone.ts';
import type { FormFields, WebClient } from '../routes/web-client.ts';
import { useWeb } from '../routes/web.ts';

/** The law that no field of a noun is lost between its calls, forms, pages and files. Vials have one of their own. */
const web = useWeb();

type Special = Record<string, fc.Arbitrary<unknown>>;

interface Form {
  /** The page that adds one. */
  add: string;
  /** The page that changes one. */
  edit: (id: string, values: FieldValues) => string;
  /** The page that shows it. */
  page: (id: string) => string;
  /** What a person types; by default each field's value into the control of its name. */
  typed?: (values: FieldValues) => FieldValues;
  /** Fields that the form for a new one does not have. */
  notAdded?: readonly string[];
  /** Fields that the form for changes does not have. */
  notEdited?: readonly string[];
}

interface Noun {
  /** Its name in lists, and in files. */
  plural: string;
  /** False if exports leave it out. */
  isExported?: false;
  /** Its name in responses. */
  name: string;
  path: string;
  /** Where one is added by a call and by its form, if not at `path` and `form.add`. */
  places?(owner: WebClient): Promise<{ call: string; form: string }>;
  fields: Readonly<Record<string, z.core.$ZodType>>;
  /** Its fields that can be empty, which documents stored earlier may lack. */
  details?: object;
  /** The collection that stores it, by default as in lists. */
  collection?: string;
  /** Values of fields that not any text or number fits. */
  special(owner: WebClient): Promise<Special>;
  /** Fields that cannot change. */
  fixed?: readonly string[];
  /** The body that changes all fields, where it is not that of a new one. */
  changing?(values: FieldValues): FieldValues;
  form: Form;
}

const without = (values: FieldValues, names: readonly string[] = []): FieldValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

/** Minutes of a month. */
const moments = (month: string) =>
  fc.integer({ min: 10, max: 28 }).map((day) => `2026-${month}-${day}T08:${day}:00.000Z`);

const wholes = (least: number, most: number) => fc.integer({ min: least, max: most }).map(String);
const links = fc.nat(99).map((number) => `https://lab.example/${number}?a=b&c="`);

async function idOf(owner: WebClient, path: string, name: string, body: object) {
  const data = await call(owner, 'POST', path, body);
  return fc.constant((data[name] as { id: string }).id);
}

const vialOf = (owner: WebClient) =>
  idOf(owner, '/api/compounds', 'compound', { name: 'BPC-157', totalAmount: 5, waterMl: 2 });

const NOUNS: readonly Noun[] = [
  {
    plural: 'lots',
    name: 'lot',
    path: '/api/lots',
    fields: lotSchema.shape,
    details: lotDetails,
    special: async (owner) => ({
      supplierId: await idOf(owner, '/api/suppliers', 'supplier', { name: 'Acme' }),
      reportUrl: links,
    }),
    form: {
      add: '/dashboard/lots/new',
      edit: (id) => `/dashboard/lots/${id}/edit`,
      page: (id) => `/dashboard/lots/${id}`,
    },
  },
  {
    plural: 'supplies',
    name: 'supply',
    path: '/api/supplies',
    fields: supplySchema.shape,
    special: () => Promise.resolve({ kind: fc.constantFrom(...SUPPLY_KINDS) }),
    changing: ({ count, ...rest }) => ({ ...rest, counted: count }),
    form: {
      add: '/dashboard/supplies/new',
      edit: (id) => `/dashboard/supplies/${id}`,
      page: () => '/dashboard/supplies',
      typed: (values) => ({ ...values, counted: values['count'] }),
    },
  },
  {
    plural: 'sideEffects',
    name: 'sideEffect',
    path: '/api/side-effects',
    collection: 'side_effects',
    fields: updateSideEffectSchema.shape,
    details: effectDetails,
    special: async (owner) => ({
      severity: wholes(1, 5),
      startedAt: moments('05'),
      resolvedDate: moments('06'),
      compoundId: await vialOf(owner),
      doseId: await idOf(owner, '/api/schedules/doses', 'dose', { name: 'TB-500', actualDose: '0.25' }),
    }),
    form: {
      add: '/dashboard/tracking/side-effects/new',
      edit: (id) => `/dashboard/tracking/side-effects/${id}/edit`,
      page: (id) => `/dashboard/tracking/side-effects/${id}`,
    },
  },
  {
    plural: 'injectionSites',
    name: 'injectionSite',
    path: '/api/injection-sites',
    collection: 'injection_sites',
    fields: updateSiteSchema.shape,
    details: siteDetails,
    special: async (owner) => ({
      site: fc.constantFrom(...SITE_IDS),
      takenAt: moments('05'),
      compoundId: await vialOf(owner),
      doseUnit: fc.constantFrom('mg', 'mcg'),
    }),
    form: {
      add: '/dashboard/tracking',
      edit: (id) => `/dashboard/tracking/sites/${id}`,
      page: () => '/dashboard/tracking',
      typed: (values) => ({ ...values, record: 'site' }),
    },
  },
  {
    plural: 'nutrition',
    name: 'nutrition',
    path: '/api/nutrition',
    fields: nutritionSchema.shape,
    details: nutritionValues,
    special: () => Promise.resolve({ date: fc.constant(null).map(nextDay) }),
    fixed: ['date'],
    form: {
      add: '/dashboard/tracking/nutrition',
      edit: (_id, { date }) => `/dashboard/tracking/nutrition?date=${String(date)}`,
      page: () => '/dashboard/tracking/nutrition',
    },
  },
  {
    plural: 'measurements',
    name: 'measurement',
    path: '/api/health',
    fields: measurementSchema.omit({ saveKey: true }).shape,
    details: measurementDetails,
    special: () =>
      Promise.resolve({
        metric: fc.constant('weight'),
        value: wholes(10, 99),
        unit: fc.constantFrom('kg', 'lb'),
        measuredAt: moments('05'),
      }),
    fixed: ['metric'],
    form: {
      add: '/dashboard/tracking/health',
      edit: (id) => `/dashboard/tracking/health/${id}`,
      // Notes are only in its form.
      page: (id) => `/dashboard/tracking/health/${id}`,
      typed: ({ metric, value, ...values }) => ({ ...values, value, [`value.${String(metric)}`]: value }),
      notAdded: ['unit', ...Object.keys(measurementDetails)],
      notEdited: ['unit'],
    },
  },
  {
    plural: 'suppliers',
    isExported: false,
    name: 'supplier',
    path: '/api/suppliers',
    fields: supplierSchema.shape,
    details: supplierDetails,
    special: () => Promise.resolve({ site: links, rating: wholes(1, 5) }),
    form: {
      add: '/dashboard/vendors/suppliers/new',
      edit: (id) => `/dashboard/vendors/suppliers/${id}/edit`,
      page: (id) => `/dashboard/vendors/suppliers/${id}`,
    },
  },
  {
    plural: 'products',
    isExported: false,
    name: 'product',
    path: '/api/products',
    async places(owner) {
      const { supplier } = await call(owner, 'POST', '/api/suppliers', { name: 'Acme' });
      const { id } = supplier as Answered;
      return { call: `/api/suppliers/${id}/products`, form: `/dashboard/vendors/suppliers/${id}/products` };
    },
    fields: productSchema.shape,
    special: () => Promise.resolve({ form: fc.constantFrom(...PRODUCT_FORMS) }),
    form: {
      add: '',
      edit: (id) => `/dashboard/vendors/products/${id}`,
      page: () => '/dashboard/vendors/prices',
    },
  },
];

/** Days that come only once, because a day has one entry. */
let daysMade = 0;
const nextDay = () => new Date(Date.UTC(2026, 0, (daysMade += 1))).toISOString().slice(0, 10);

async function request(client: WebClient, method: string, path: string, body?: object) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { origin: web.url, ...(body && { 'content-type': 'application/json' }) };
  const answer = await client.request(path, { method, headers, ...sent });
  expect(answer.status, answer.body).toBeLessThan(300);
  return answer;
}

async function call(client: WebClient, method: string, path: string, body?: object) {
  const { body: text } = await request(client, method, path, body);
  return (JSON.parse(text) as { data: Record<string, unknown> }).data;
}

type Answered = Record<string, unknown> & { id: string };

/** A noun of somebody. */
async function withOwner(noun: Noun) {
  const client = await web.registered({ trial: true });
  const values = valuesFor(noun.fields, await noun.special(client));
  const places = (await noun.places?.(client)) ?? { call: noun.path, form: noun.form.add };
  return {
    client,
    places,
    values,
    async read(id: string): Promise<Answered> {
      // What a change counts or notes itself.
      const { [noun.name]: answer } = await call(client, 'GET', `${noun.path}/${id}`);
      return without(answer as Answered, ['updatedAt', 'pricedAt', 'version']) as Answered;
    },
    list: async () => (await call(client, 'GET', `${noun.path}?limit=100`))[noun.plural] as Answered[],
  };
}

const only = (values: FieldValues, names: readonly string[] = []): FieldValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

/** A schedule's kinds of frequency, and the fields that a schedule of this kind cannot have. */
const KINDS: readonly (readonly [frequency: fc.Arbitrary<FieldValues>, without: readonly string[]])[] = [
  [kindOf('daily'), ['doseAmount', 'firstDueAt']],
  [kindOf('daily'), ['ramp', 'firstDueAt']],
  [kindOf('weekdays', { weekdays: fc.subarray([...WEEKDAYS], { minLength: 1 }) }), ['ramp', 'firstDueAt']],
  [kindOf('interval', { every: wholes(2, 9) }), ['ramp', 'firstDueAt']],
  [kindOf('cycle', { on: wholes(2, 9), off: wholes(2, 9) }), ['ramp', 'firstDueAt']],
  [kindOf('monthly', { day: fc.oneof(wholes(1, 28), fc.constant('last')) }), ['ramp', 'firstDueAt']],
  [kindOf('after-last', { everyHours: wholes(12, 90) }), ['ramp', 'course', 'times', 'startDate']],
  [
    kindOf('as-needed', { minGapHours: wholes(2, 9), maxPerDay: wholes(2, 9) }),
    ['ramp', 'course', 'times', 'firstDueAt'],
  ],
  [kindOf('once'), ['ramp', 'course', 'firstDueAt']],
];

function kindOf(kind: FrequencyKind, more: Special = {}): fc.Arbitrary<FieldValues> {
  return fc.record({ kind: fc.constant(kind), ...more });
}

const hundreds = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((hundred) => String(hundred * 100));

const SCHEDULES: readonly Noun[] = KINDS.map(([frequency, left]) => ({
  plural: 'schedules',
  name: 'schedule',
  path: '/api/schedules',
  // The components are those of the vial.
  fields: without(scheduleFields.shape, [...left, 'components', 'saveKey']) as Noun['fields'],
  details: scheduleDetails,
  special: async (owner) => ({
    frequency,
    compoundId: await idOf(owner, '/api/compounds', 'compound', {
      name: 'Blend',
      components: [
        { name: 'BPC-157', amount: 500 },
        { name: 'TB-500', amount: 500 },
      ],
      waterMl: 20,
    }),
    endsWithVial: fc.boolean(),
    doseOf: fc.constantFrom('BPC-157', 'TB-500'),
    // Near each other, so that none is unusual.
    doseAmount: hundreds(4, 6),
    doseUnit: fc.constant('mcg'),
    times: fc.subarray(['07:15', '08:00', '19:30'], { minLength: 1 }),
    firstDueAt: moments('12').map((moment) => moment.replace('2026', '2126')),
    timeZone: fc.constantFrom('Europe/Berlin', 'America/New_York'),
    startDate: fc.integer({ min: 10, max: 28 }).map((day) => `2126-03-${day}`),
    endDate: fc.integer({ min: 10, max: 28 }).map((day) => `2127-03-${day}`),
    ramp: fc.record({
      start: hundreds(2, 3),
      step: fc.constantFrom('50', '100'),
      everyWeeks: wholes(1, 9),
      target: hundreds(4, 5),
    }),
    course: fc.record({ weeksOn: wholes(2, 9), weeksOff: wholes(2, 9) }),
  }),
  form: {
    add: '/dashboard/schedule/new',
    edit: (id) => `/dashboard/schedule/${id}/edit`,
    page: (id) => `/dashboard/schedule/${id}`,
    typed: ({ frequency: often, ramp, course, endsWithVial, ...values }) => ({
      ...values,
      ...inGroup('frequency', often),
      ...inGroup('ramp', ramp),
      ...inGroup('course', course),
      endsWithVial: endsWithVial === undefined ? undefined : endsWithVial === true ? ['true'] : [],
      step: 'save',
    }),
  },
}));

/** Controls of fields in a group. */
const inGroup = (group: string, values: unknown): FieldValues =>
  Object.fromEntries(
    Object.entries((values ?? {}) as FieldValues).map(([field, value]) => [`${group}.${field}`, value]),
  );

describe.each([...NOUNS, ...SCHEDULES])('every field of $plural', (noun) => {
  const { plural, name, path, fixed = [], changing = (values: FieldValues) => values, form } = noun;

  it('comes back after adding, changing, exporting and importing by calls', async () => {
    const { client, values, places, read } = await withOwner(noun);
    const changed = new Map<string, FieldValues>();
    await fc.assert(
      fc.asyncProperty(values, values, async (first, second) => {
        const added = await call(client, 'POST', places.call, first);
        const { id } = added[name] as Answered;
        const before = await read(id);
        expect(inWordsOf(first, before)).toEqual(first);
        await call(client, 'PUT', `${path}/${id}`, {});
        expect(await read(id)).toEqual(before);
        await call(client, 'PUT', `${path}/${id}`, changing(without(second, fixed)));
        const last = { ...second, ...only(first, fixed) };
        expect(inWordsOf(last, await read(id))).toEqual(last);
        changed.set(id, last);
      }),
      { numRuns: 3, endOnFailure: true },
    );
    for (const format of noun.isExported === false ? [] : ['json', 'csv']) {
      const file = await client.get(`/api/export?format=${format}&types=${plural}&metadata=false`);
      for (const id of changed.keys()) await call(client, 'DELETE', `${path}/${id}`);
      const answer = await client.send('/api/import', file.body, String(file.headers['content-type']));
      expect(answer.status, answer.body).toBe(201);
      for (const [id, last] of changed) expect(inWordsOf(last, await read(id)), format).toEqual(last);
    }
  });

  it('comes back from its forms and is on its page', async () => {
    const { edit, page, typed = (values) => values, notAdded, notEdited = [] } = form;
    const { client, values, places, read, list } = await withOwner(noun);
    await fc.assert(
      fc.asyncProperty(values, values, async (first, second) => {
        const known = new Set((await list()).map(({ id }) => id));
        const controls = Object.keys(typed(first));
        await post(client, places.form, controls, typed(first));
        const { id = '' } = (await list()).find((one) => !known.has(one.id)) ?? {};
        const told = without(first, notAdded);
        const before = await read(id);
        expect(inWordsOf(told, before)).toEqual(told);

        await post(client, edit(id, first), controls, typed({}));
        expect(await read(id)).toEqual(before);

        const next = { ...without(second, fixed), ...only(first, fixed) };
        await post(client, edit(id, first), controls, typed(next));
        const last = without(next, notEdited);
        expect(inWordsOf(last, await read(id))).toEqual(last);
        const shown = visibleText((await client.get(page(id))).body);
        for (const value of Object.values(last))
          if (typeof value === 'string' && value.startsWith('=')) expect(shown).toContain(value);
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });

  it.runIf(noun.details)('is empty where it did not exist yet when one was stored', async () => {
    const { client, values } = await withOwner(noun);
    const [first = {}] = fc.sample(values, 1);
    const one = (await call(client, 'POST', path, first))[name] as Answered;
    const nulls = Object.fromEntries(Object.keys(noun.details ?? {}).map((detail) => [detail, null]));
    const { collection = plural } = noun;
    const rows = testConnection(await besideServer(web.dataDir)).collection<{ _id: string }>(collection);
    await rows.updateOne({ _id: one.id }, { $unset: nulls as Record<string, never> });

    expect(await call(client, 'GET', `${path}/${one.id}`)).toMatchObject({ [name]: nulls });
    if (noun.isExported === false) return;
    const file = await client.get(`/api/export?format=json&types=${plural}&metadata=false`);
    expect((JSON.parse(file.body) as Record<string, object[]>)[plural]).toEqual([
      expect.objectContaining(nulls),
    ]);
  });
});

/** Two components that add up to a vial's amount. */
const blendOf = (mgPerVial: unknown) => [
  { name: 'BPC-157', amount: '0.05' },
  { name: 'TB-500', amount: new Decimal(String(mgPerVial)).minus('0.05').toFixed() },
];

const blendText = (components: unknown): string =>
  (components as ReturnType<typeof blendOf>).map(({ name, amount }) => `${name}:${amount}`).join(';');

/** The lines of an order, each of a blend. */
const orderLines = valuesFor(orderLineSchema.shape, {
  quantity: wholes(1, 5),
  // All lines have the same.
  currency: fc.constant('EUR'),
  components: fc.constant(null),
}).map((line) => ({ ...line, components: blendOf(line['mgPerVial']) }));

/** What was delivered of a line. */
const deliveries = valuesFor(receivedLineSchema.shape, { components: fc.constant(null), reportUrl: links });

describe('every field of orders', () => {
  async function withSupplier() {
    const client = await web.registered({ trial: true });
    const { supplier } = await call(client, 'POST', '/api/suppliers', { name: 'Acme' });
    const supplierId = (supplier as Answered).id;
    const orders = valuesFor(orderSchema.shape, {
      supplierId: fc.constant(supplierId),
      lines: fc.array(orderLines, { minLength: 1, maxLength: 3 }),
    });
    return {
      client,
      supplierId,
      orders,
      add: async (values: FieldValues) =>
        ((await call(client, 'POST', '/api/orders', values))['order'] as Answered).id,
      /** An order with its currency in each line, as it was sent. */
      async read(id: string): Promise<Answered> {
        const order = (await call(client, 'GET', `/api/orders/${id}`))['order'] as Answered;
        const lines = (order['lines'] as object[]).map((line) => ({ ...line, currency: order['currency'] }));
        return { ...(without(order, ['updatedAt']) as Answered), lines };
      },
    };
  }

  it('comes back after adding by a call', async () => {
    const { orders, add, read } = await withSupplier();
    await fc.assert(
      fc.asyncProperty(orders, async (values) => {
        expect(inWordsOf(values, await read(await add(values)))).toEqual(values);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });

  it('comes back from its forms and is on its page', async () => {
    const { client, supplierId, orders, read } = await withSupplier();
    await fc.assert(
      fc.asyncProperty(orders, orders, async (first, second) => {
        const [line = {}] = first['lines'] as FieldValues[];
        const offer = only(line, Object.keys(productSchema.shape));
        const { product } = await call(client, 'POST', `/api/suppliers/${supplierId}/products`, offer);
        const { id: productId } = product as Answered;
        const typed = ({ lines, supplierId: _, ...details }: FieldValues): FieldValues => ({
          ...details,
          [`quantity.${productId}`]: (lines as FieldValues[])[0]?.['quantity'],
          [`components.${productId}`]: blendText(line['components']),
        });
        const controls = Object.keys(typed(first));
        await post(client, `/dashboard/vendors/orders/new?supplier=${supplierId}`, controls, typed(first));
        const { orders: list } = await call(client, 'GET', '/api/orders?limit=1');
        const [{ id }] = list as [Answered];
        const before = await read(id);
        const sent = { ...first, lines: [line] };
        expect(inWordsOf(sent, before)).toEqual(sent);

        const path = `/dashboard/vendors/orders/${id}`;
        await post(client, `${path}/edit`, controls, {});
        expect(await read(id)).toEqual(before);

        await post(client, `${path}/edit`, controls, typed(second));
        const { quantity } = (second['lines'] as FieldValues[])[0] ?? {};
        const last = { ...second, lines: [{ ...line, quantity }] };
        expect(inWordsOf(last, await read(id))).toEqual(last);
        const shown = visibleText((await client.get(path)).body);
        for (const detail of Object.keys(orderDetails)) expect(shown).toContain(second[detail]);
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });

  it.each(['a call', 'its form'])('comes back from receiving by %s, with its lot', async (door) => {
    const { client, orders, add, read } = await withSupplier();
    await fc.assert(
      fc.asyncProperty(orders, deliveries, async (values, delivery) => {
        const [line = {}] = values['lines'] as FieldValues[];
        const id = await add({ ...values, lines: [line] });
        await call(client, 'PATCH', `/api/orders/${id}/state`, { state: 'sent' });
        const received: FieldValues = { ...delivery, components: blendOf(line['mgPerVial']).toReversed() };
        if (door === 'a call') {
          await call(client, 'POST', `/api/orders/${id}/receipt`, { lines: [received] });
        } else {
          const typed = { ...received, components: blendText(received['components']) };
          const controls = Object.entries(typed).map(([name, value]) => [`${name}.0`, value] as const);
          const path = `/dashboard/vendors/orders/${id}/receive`;
          await post(client, path, ['lot.0'], Object.fromEntries(controls));
        }
        const [answer = {}] = (await read(id))['lines'] as FieldValues[];
        const printed = without(received, CERTIFICATE_FIELDS);
        expect(inWordsOf(printed, answer)).toEqual(printed);
        const { lots } = await call(client, 'GET', '/api/lots?limit=100');
        const certificate = only(received, CERTIFICATE_FIELDS);
        const lot = (lots as Answered[]).find(({ number }) => number === received['lot']) ?? {};
        expect(inWordsOf(certificate, lot)).toEqual(certificate);
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });

  it('is empty where it did not exist yet when one was stored', async () => {
    const { orders, add, read } = await withSupplier();
    const [values = {}] = fc.sample(orders, 1);
    const id = await add(values);
    const nulls = (fields: object) =>
      Object.fromEntries(Object.keys(fields).map((name) => [name, null])) as Record<string, never>;
    const inLines = (values['lines'] as object[]).flatMap((_, place) =>
      Object.keys(receivedDetails).map((name) => [`lines.${place}.${name}`, null]),
    );
    const rows = testConnection(await besideServer(web.dataDir)).collection<{ _id: string }>('orders');
    await rows.updateOne({ _id: id }, { $unset: { ...nulls(orderDetails), ...Object.fromEntries(inLines) } });

    const order = await read(id);
    expect(order).toMatchObject(nulls(orderDetails));
    for (const line of order['lines'] as object[]) expect(line).toMatchObject(nulls(receivedDetails));
  });
});

/**
 * Sends a page's form with other values in its controls: what has no control cannot be typed.
 * @param controls names of controls by which the form is found
 */
async function post(client: WebClient, path: string, controls: readonly string[], values: FieldValues) {
  const { body } = await client.get(path);
  const { action, fields } = formWith(body, controls);
  const entries = Object.entries(values).filter(
    ([control, value]) => control in fields && value !== undefined,
  );
  const answer = await client.post(action ?? path, {
    ...fields,
    ...Object.fromEntries(entries),
  } as FormFields);
  expect(answer.status, visibleText(answer.body)).toBe(302);
}
