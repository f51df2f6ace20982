import { describe, expect, it } from 'vitest';
import { control, fieldError, fieldValue, visibleText, screenOf } from '#tests/support/html.ts';
import { storedIn } from './stored.ts';
import type { FormFields, WebClient } from './web-client.ts';
import { calculationForm, useWeb } from './web.ts';

const web = useWeb();

const VIAL = { name: 'BPC-157', totalAmount: '5', waterMl: '2', reconstitutionDate: '2026-03-01' };

async function added(client: WebClient, more: FormFields = {}): Promise<string> {
  const answer = await client.post('/dashboard/vials/new', { ...VIAL, ...more });
  expect(answer.status, visibleText(answer.body)).toBe(302);
  return answer.location ?? '';
}

const vialsOf = async (name: string) =>
  (await storedIn(web.dataDir, 'compounds')).filter((row) => row['name'] === name);
const valueOf = (body: string, name: string) =>
  new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(body)?.[1]?.replaceAll('&quot;', '"');

describe('adding', () => {
  it('leads to the vial, created once for a form that was sent twice', async () => {
    const client = await web.user();
    const idempotencyKey = valueOf((await client.get('/dashboard/vials/new')).body, 'idempotencyKey') ?? '';
    expect(idempotencyKey).not.toBe('');
    const [first, second] = await Promise.all([
      added(client, { name: 'Twice', idempotencyKey }),
      added(client, { name: 'Twice', idempotencyKey }),
    ]);
    expect(first).toBe(second);
    expect(await vialsOf('Twice')).toHaveLength(1);
    const text = visibleText((await client.get(first)).body);
    expect(text).toContain('2.5 mg/ml');
    expect(text).toContain('Vial added');
  });

  it('takes no more characters than a field can have', async () => {
    const { body } = await (await web.user()).get('/dashboard/vials/new');
    const limits = ['name', 'currency', 'notes', 'cost'].map((name) => control(body, name)?.['maxlength']);
    expect(limits).toEqual(['100', '3', '2000', undefined]);
  });

  it('keeps what was typed and says what is wrong at its field', async () => {
    const client = await web.user();
    const { status, body } = await client.post('/dashboard/vials/new', {
      ...VIAL,
      totalAmount: '0',
      notes: 'kept <b>',
    });
    expect(status).toBe(400);
    expect(body).toContain('id="vial-totalAmount-error"');
    expect(visibleText(body)).toContain('Amount must be above 0 and at most 100000 mg');
    expect(body).toContain('kept &lt;b&gt;');
    expect(valueOf(body, 'waterMl')).toBe('2');
  });

  it('says that the free plan is full, before and after the form is sent', async () => {
    const client = await web.user();
    for (let count = 0; count < 3; count += 1) {
      for (const address of ['/dashboard/vials', '/dashboard/vials/new'])
        expect(visibleText((await client.get(address)).body)).toContain(`${count} of 3 vials`);
      await added(client, { name: 'Full' });
    }
    const list = (await client.get('/dashboard/vials')).body;
    expect(visibleText(list)).toContain('3 of 3 vials. Use up or discard one, or upgrade to Pro');
    expect(screenOf(list).getByRole('link', { name: 'upgrade to Pro' }).getAttribute('href')).toBe(
      '/upgrade',
    );
    const page = await client.get('/dashboard/vials/new');
    expect(visibleText(page.body)).toContain('The free plan has room for 3 active vials');
    const { status, body } = await client.post('/dashboard/vials/new', { ...VIAL, name: 'Full' });
    expect(status).toBe(403);
    expect(visibleText(body)).toContain('The free plan has room for 3 active vials');
    expect(valueOf(body, 'name')).toBe('Full');
    expect(await vialsOf('Full')).toHaveLength(3);
  });

  it.each([
    ['?template=tb-500', 'TB-500', '5', undefined],
    ['?peptideAmount=10&waterVolume=3&desiredDose=1&peptideName=Mine', 'Mine', '10', '3'],
    // A blend has its amounts in rows of its own.
    [
      '?componentName=BPC-157&componentAmount=5&componentName=TB-500&componentAmount=10&doseOf=TB-500&waterVolume=2&desiredDose=1&displacement=100',
      'BPC-157 + TB-500',
      undefined,
      '2',
    ],
    ['?peptideAmount=x&waterVolume=3', undefined, undefined, undefined],
    ['?from=calc_none', undefined, undefined, undefined],
  ])('begins with %s', async (query, name, total, water) => {
    const { status, body } = await (await web.user()).get(`/dashboard/vials/new${query}`);
    expect(status).toBe(200);
    expect([valueOf(body, 'name'), valueOf(body, 'totalAmount'), valueOf(body, 'waterMl')]).toEqual([
      name,
      total,
      water,
    ]);
  });

  it('adds a blend from its rows, counts each component, and says what is wrong at its own row', async () => {
    const client = await web.user({ trial: true });
    const send = (componentName: string[], componentAmount: string[]) =>
      client.post('/dashboard/vials/new', {
        ...{ componentName, componentAmount },
        ...{ name: '', totalAmount: '', waterMl: '2', reconstitutionDate: '2026-03-01' },
      });
    const refused = await send(['BPC-157', 'TB-500', ''], ['5', 'five', '']);
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('id="vial-componentAmount[1]"');
    expect(visibleText(refused.body)).toContain('TB-500: Enter a number, such as 5');
    expect(refused.body).toContain('value="five"');
    const sent = await send(['BPC-157', '', 'TB-500'], ['5', '', '10']);
    expect(sent.status, visibleText(sent.body)).toBe(302);
    const path = sent.location ?? '';
    const page = visibleText((await client.get(path)).body);
    expect(page).toContain('BPC-157 5 mg of 5 mg, 2.5 mg/ml');
    expect(page).toContain('TB-500 10 mg of 10 mg, 5 mg/ml');
    const draw = visibleText((await client.get(`${path}?dose=500&unit=mcg&doseOf=TB-500`)).body);
    expect(draw).toContain('This also gives BPC-157 250 mcg.');
    const label = visibleText((await client.get(`${path}/label`)).body);
    expect(label).toContain('BPC-157 5 mg, 2.5 mg/ml; TB-500 10 mg, 5 mg/ml');
    const edit = (await client.get(`${path}/edit`)).body;
    expect(edit).toContain('value="TB-500"');
  });

  it('begins with a saved calculation of the same account only', async () => {
    const [client, other] = [await web.user({ trial: true }), await web.user({ trial: true })];
    await client.post(
      '/dashboard/calculator',
      calculationForm({ peptideName: 'From history', displacement: '100' }),
    );
    const { body } = await client.get('/dashboard/calculator?history=1');
    const id = /calculations\/(calc_[^/]+)\/delete/.exec(body)?.[1] ?? expect.unreachable('no calculation');
    const page = (await client.get(`/dashboard/vials/new?from=${id}`)).body;
    expect([valueOf(page, 'name'), valueOf(page, 'displacement')]).toEqual(['From history', '100']);
    expect((await other.get(`/dashboard/vials/new?from=${id}`)).body).not.toContain('From history');
  });
});

describe('editing', () => {
  it('changes only what was changed in the form', async () => {
    const client = await web.user();
    const at = await added(client, { name: 'Edited', notes: 'first', lot: 'L1' });
    const original = valueOf((await client.get(`${at}/edit`)).body, 'original') ?? '';
    const form = { ...VIAL, name: 'Edited', notes: 'first', lot: 'L1', original };
    expect((await client.post(`${at}/edit`, { ...form, notes: 'second' })).status).toBe(302);
    // A second tab that still shows the first notes changes the lot alone.
    expect((await client.post(`${at}/edit`, { ...form, lot: '' })).status).toBe(302);
    expect(await vialsOf('Edited')).toMatchObject([{ notes: 'second', lot: null }]);
  });

  it('cannot set another owner or the amount', async () => {
    const client = await web.user();
    const at = await added(client, { name: 'Own', userId: 'x', remaining: '99', status: 'empty', slot: '7' });
    const more = { userId: 'x', remaining: '99', status: 'discarded', ledger: '[]', original: '{}' };
    expect((await client.post(`${at}/edit`, { ...VIAL, name: 'Own', ...more })).status).toBe(302);
    expect(await vialsOf('Own')).toMatchObject([{ remaining: '5', status: 'reconstituted' }]);
  });
});

describe('a reconstitution date in the future', () => {
  it('is asked about, and taken when the form is sent again with it', async () => {
    const client = await web.user();
    const fields = { name: 'Tomorrow', totalAmount: '5', waterMl: '2', reconstitutionDate: '2190-03-08' };
    const asked = await client.post('/dashboard/vials/new', fields);
    expect(asked.status).toBe(400);
    expect(fieldError(asked.body, 'reconstitutionDate')).toContain('is in the future');
    const confirmedDay = fieldValue(asked.body, 'confirmedDay') ?? '';
    const other = { ...fields, reconstitutionDate: '2190-03-09', confirmedDay };
    expect((await client.post('/dashboard/vials/new', other)).status).toBe(400);
    const taken = await client.post('/dashboard/vials/new', { ...fields, confirmedDay });
    expect(taken.location).toMatch(/^\/dashboard\/vials\/vial_/);
  });
});

describe('what is left', () => {
  it.each([
    [{ remainingAmount: '-1' }, '-1 is not an amount; write it without a sign'],
    [{ remainingAmount: '5.01' }, 'Remaining amount must be between 0 and 5 mg'],
    [{ remainingAmount: '' }, 'Remaining amount must be between 0 and the total amount'],
  ])('refuses %j', async (form, message) => {
    const client = await web.user();
    const at = await added(client);
    const { status, body } = await client.post(`${at}/remaining`, form);
    expect(status).toBe(400);
    expect(visibleText(body)).toContain(message);
  });

  it('says at its field that a loss has no amount, and nothing at the other form', async () => {
    const client = await web.user();
    const at = await added(client);
    const { status, body } = await client.post(`${at}/remaining?spill=1`, { lostAmount: '' });
    expect(status).toBe(400);
    expect(fieldError(body, 'lostAmount')).toBe('Lost amount must be above 0 and at most what is left');
    expect(fieldError(body, 'remainingAmount')).toBeNull();
  });

  it('is written into the ledger, with a loss counted once per form shown', async () => {
    const client = await web.user();
    const at = await added(client, { name: 'Spilled' });
    await client.post(`${at}/remaining`, { remainingAmount: '4', reason: 'counted' });
    for (let count = 0; count < 2; count += 1)
      await client.post(`${at}/remaining?spill=1`, { lostAmount: '0.5', idempotencyKey: 'same' });
    expect(await vialsOf('Spilled')).toMatchObject([{ remaining: '3.5' }]);
    const text = visibleText((await client.get(at)).body);
    expect(text).toContain('−0.5 mg');
    expect(text).toContain('counted');
  });
});

describe('a vial', () => {
  it('shows what to draw for a dose and what a dose costs', async () => {
    const client = await web.user();
    const at = await added(client, { cost: '40', currency: 'usd' });
    const text = visibleText((await client.get(`${at}?dose=0,25&unit=mg&syringe=u100-1ml`)).body).replace(
      /\s+/g,
      ' ',
    );
    expect(text).toContain('10 units');
    expect(text).toContain('0.1 ml');
    expect(text).toContain('2.00 USD');
    expect((await client.get(`${at}?dose=-1`)).status).toBe(400);
    expect((await client.get(`${at}?dose=${'9'.repeat(5000)}&unit=x&syringe=y&ledger=all`)).status).toBe(400);
  });

  it('has a label with a code that leads to its page', async () => {
    const client = await web.user();
    const { status, body } = await client.get(`${await added(client, { name: 'Labelled' })}/label`);
    expect(status).toBe(200);
    expect(visibleText(body)).toContain('5 mg, 2.5 mg/ml');
    expect(body).toContain('shape-rendering="crispEdges"');
  });

  it('is reconstituted once, and then no longer sealed', async () => {
    const client = await web.user();
    const at = await added(client, { name: 'Powder', waterMl: '', reconstitutionDate: '' });
    expect(visibleText((await client.get(at)).body)).toContain('Sealed');
    const form = { reconstitutionDate: '2026-03-01', waterMl: '2' };
    expect((await client.post(`${at}/reconstitute`, { ...form, waterMl: '' })).status).toBe(400);
    expect((await client.post(`${at}/reconstitute`, form)).status).toBe(302);
    // Too late: it leads back to the vial and changes nothing.
    await client.post(`${at}/reconstitute`, { ...form, reconstitutionDate: '2026-03-02' });
    expect(await vialsOf('Powder')).toMatchObject([
      { status: 'reconstituted', waterMl: '2', lastDay: '2026-03-29' },
    ]);
    expect((await client.get(`${at}/reconstitute`)).status).toBe(302);
  });

  it('is offered by the calculator when signed in', async () => {
    const query = '?peptideAmount=5&waterVolume=2&desiredDose=0.25';
    expect((await web.visitor().get(`/calculator${query}`)).body).not.toContain('Save as vial');
    const client = await web.user();
    for (const path of ['/calculator', '/dashboard/calculator']) {
      const { body } = await client.get(path + query);
      expect(body.indexOf('Save Calculation')).toBeLessThan(body.indexOf('Save as vial'));
      expect(/formaction="\/dashboard\/vials\/new"/i.test(body)).toBe(true);
    }
  });
});
