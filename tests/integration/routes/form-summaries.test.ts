import { expect, it } from 'vitest';
import { expectSound } from './answers.ts';
import { alerts, elements, fieldError, fieldValue } from '#tests/support/html.ts';
import { useOwnWeb } from './web.ts';
import type { WebClient } from './web-client.ts';

/**
 * Every form announces above itself what is wrong with the input, and links to the fields.
 * The forms are found by following the pages' links, so that new ones are checked automatically.
 */
/** One of its own: what is pressed turns switches of the whole installation. */
const web = useOwnWeb();

/** A form as a page shows it. */
interface ShownForm {
  page: string;
  action: string;
  /** What a browser sends with it that nobody types. */
  hidden: readonly [string, string][];
  /** The names of what a person fills in. */
  fields: readonly string[];
  /** The buttons that send it, by what they send; one without a name sends nothing. */
  buttons: readonly (readonly [string, string] | null)[];
}

const named = (control: Element): [string, string][] => {
  const name = control.getAttribute('name');
  return name === null ? [] : [[name, control.getAttribute('value') ?? '']];
};

function formsOf(page: string, html: string): ShownForm[] {
  return elements(html, 'form[method="post"]').map((form) => {
    const inputs = [...form.querySelectorAll('input, select, textarea')];
    const isHidden = (control: Element) => control.getAttribute('type') === 'hidden';
    const names = inputs.filter((control) => !isHidden(control)).flatMap(named);
    const submits = [...form.querySelectorAll('button')].filter(
      (button) => button.getAttribute('type') !== 'button',
    );
    const buttons = submits.map((button) => named(button)[0] ?? null);
    return {
      page,
      action: form.getAttribute('action') ?? page,
      hidden: inputs.filter(isHidden).flatMap(named),
      fields: [...new Set(names.map(([name]) => name))],
      buttons: buttons.length > 0 ? buttons : [null],
    };
  });
}

/** Addresses that are one page with other contents. */
const kind = (address: string): string =>
  address
    .replace(/[a-z]+_[a-z\d]{8,}|[\da-f]{24,}|[\da-f-]{36}/gi, ':id')
    .replace(/=[^&]*/g, '=')
    .replace(/\?.*/, (query) => query.slice(0, 60));

/** What ends the visit, or answers with a file. */
const NOT_FOLLOWED =
  /[?&]help=|^\/(?:logout|api|share|assets)\b|\/(?:file|data|report\/print)\b|\.(?:csv|ics|json|webmanifest)/;

/** The forms of all pages that can be reached from here by links. */
async function walk(client: WebClient, starts: readonly string[], within: RegExp): Promise<ShownForm[]> {
  const [waiting, seen] = [[...starts], new Set(starts.map(kind))];
  const forms = new Map<string, ShownForm>();
  for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
    const { body, status, headers } = await client.get(page);
    if (status !== 200 || !String(headers['content-type']).startsWith('text/html')) continue;
    for (const form of formsOf(page, body)) forms.set(`${kind(form.action)} ${form.fields.join()}`, form);
    for (const link of elements(body, 'a[href^="/"]')) {
      const [address = ''] = (link.getAttribute('href') ?? '').split('#');
      if (!within.test(address) || NOT_FOLLOWED.test(address) || seen.has(kind(address))) continue;
      seen.add(kind(address));
      waiting.push(address);
    }
  }
  return [...forms.values()].filter(({ fields }) => fields.length > 0);
}

/** What is sent in place of what a person would. */
const FILLINGS: Readonly<Record<string, (form: ShownForm) => [string, string][]>> = {
  nothing: () => [],
  'empty fields': ({ hidden, fields }) => [...hidden, ...fields.map((name): [string, string] => [name, ''])],
  nonsense: ({ hidden, fields }) => [...hidden, ...fields.map((name): [string, string] => [name, 'x y z'])],
};

/** What is amiss with the answers to one form. */
async function amiss(client: WebClient, form: ShownForm): Promise<string[]> {
  const found: string[] = [];
  for (const [what, filled] of Object.entries(FILLINGS))
    for (const button of what === 'nothing' ? [null] : form.buttons) {
      const rows = [...filled(form), ...(button ? [button] : [])];
      const names = [...new Set(rows.map(([name]) => name))];
      const fields = Object.fromEntries(
        names.map((name) => [name, rows.filter(([other]) => other === name).map(([, value]) => value)]),
      );
      const answer = await client.post(form.action, fields);
      const where = `${form.action} from ${form.page}, ${what}${button ? `, ${button.join('=')}` : ''}`;
      expectSound(answer, where);
      if (answer.status >= 400 && alerts(answer.body).every((text) => text === ''))
        found.push(`${where}: ${answer.status} without a message that is announced`);
    }
  return found;
}

async function problemsOf(client: WebClient, forms: readonly ShownForm[]): Promise<string[]> {
  const found: string[] = [];
  for (const form of forms) found.push(...(await amiss(client, form)));
  return found;
}

/** Something of everything, so that each page with a form can be reached. */
async function filledIn(): Promise<WebClient> {
  const client = await web.registered({ trial: true });
  const call = async (path: string, body: object) => {
    const answer = await client.send(path, JSON.stringify(body), 'application/json');
    expect(answer.status, `${path}: ${answer.body}`).toBe(201);
    return (JSON.parse(answer.body) as { data: Record<string, { id: string }> }).data;
  };
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  await call('/api/compounds', { name: 'BPC-157', amountMg: 5, waterMl: 2, reconstitutionDate: day(-2) });
  const plan = {
    name: 'BPC-157',
    doseAmount: 250,
    doseUnit: 'mcg',
    times: ['00:00', '23:59'],
    timeZone: 'UTC',
  };
  await call('/api/schedules', { ...plan, frequency: { kind: 'daily' }, startDate: day(-3) });
  await call('/api/side-effects', { name: 'Nausea', severity: 2, startedAt: new Date().toISOString() });
  await call('/api/injection-sites', { site: 'deltoid-left', takenAt: new Date().toISOString() });
  await client.post('/dashboard/tracking/health', { metric: 'weight', value: '80' });
  await offered(client, 'BPC-157', 'TB-500');
  return client;
}

/** A supplier with these products. @returns the address of the form that orders from it */
async function offered(client: WebClient, ...names: string[]): Promise<string> {
  const supplier = await client.post('/dashboard/vendors/suppliers/new', { name: 'Acme' });
  expect(supplier.status, supplier.body).toBe(302);
  for (const name of names) {
    const fields = { name, form: 'lyophilised', mgPerVial: '5', price: '30', currency: 'USD' };
    const product = await client.post(`${supplier.location ?? ''}/products`, fields);
    expect(product.status, product.body).toBe(302);
  }
  return `/dashboard/vendors/orders/new?supplier=${supplier.location?.split('/').at(-1) ?? ''}`;
}

it('visitors’ forms announce what is wrong, with links to the fields', async () => {
  const client = web.visitor();
  const forms = await walk(client, ['/', '/?demo=1', '/login', '/register', '/forgot-password'], /^\//);
  expect(forms.length).toBeGreaterThanOrEqual(4);
  expect(await problemsOf(client, forms)).toEqual([]);
});

it('users’ forms announce what is wrong', async () => {
  const client = await filledIn();
  const forms = await walk(
    client,
    ['/dashboard/calculator', '/dashboard/schedule', '/upgrade'],
    /^\/(?:dashboard|upgrade)/,
  );
  expect(forms.length).toBeGreaterThanOrEqual(40);
  expect(await problemsOf(client, forms)).toEqual([]);
});

it('the order form marks each quantity that is not a number, and links to it', async () => {
  const client = await web.registered({ trial: true });
  const order = await offered(client, 'BPC-157', 'TB-500');
  const form = (await client.get(order)).body;
  const [first = '', second = ''] = [...form.matchAll(/name="(quantity\.[^"]+)"/g)].map(
    ([, name = '']) => name,
  );
  expect(second).toMatch(/^quantity\./);
  const message = 'Quantity must be a whole number from 1 to 100';

  const one = await client.post(order, { [first]: 'x', [second]: '2', notes: 'kept' });
  expect([one.status, alerts(one.body)]).toEqual([400, ['Please fix the highlighted field']]);
  expect(one.body).toContain(`<a href="#${first}"`);
  expect([fieldError(one.body, first), fieldError(one.body, second)]).toEqual([message, null]);
  expect([first, second, 'notes'].map((name) => fieldValue(one.body, name))).toEqual(['x', '2', 'kept']);

  const both = await client.post(order, { [first]: 'x', [second]: '1.5' });
  const inOrder = ['BPC-157', 'TB-500'].sort((a, b) => form.indexOf(a) - form.indexOf(b));
  expect([both.status, alerts(both.body)]).toEqual([400, [`${message}: ${inOrder.join(', ')}`]]);
  for (const name of [first, second]) {
    expect(both.body).toContain(`<a href="#${name}"`);
    expect(fieldError(both.body, name)).toBe(message);
  }
  for (const answer of [one, both]) expect(answer.body).not.toContain('An order can have at most');

  const none = await client.post(order, { notes: 'nothing of it' });
  expect([none.status, alerts(none.body)]).toEqual([400, ['Add at least one product']]);
  expect((await client.post(order, { [first]: '2' })).location).toMatch(/\/orders\/ord_/);
});

it('administrators’ forms announce what is wrong', async () => {
  const client = await web.admin('super_admin');
  await web.registered();
  const forms = await walk(client, ['/admin/dashboard', '/admin/dashboard/users'], /^\/admin\/dashboard/);
  expect(forms.length).toBeGreaterThanOrEqual(5);
  expect(await problemsOf(client, forms)).toEqual([]);
});
