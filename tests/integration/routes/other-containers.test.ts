import { describe, expect, it } from 'vitest';
import { fieldError, fieldValue, formWith, visibleText } from '#tests/support/html.ts';
import { useWeb } from './web.ts';

/** Vials in IU, pens, solutions, sprays and capsules through the pages without scripts: from the calculator to the ledger. */
const web = useWeb();

const NEW = '/dashboard/vials/new';

/** What a form shows, with some of it filled in. */
const VALUES = ['name', 'form', 'amountUnit', 'totalAmount', 'waterMl', 'concentration', 'clickMl', 'pieces'];

const shown = (html: string): Record<string, string> =>
  Object.fromEntries(VALUES.map((name) => [name, fieldValue(html, name) ?? '']).filter(([, value]) => value));

describe('a calculation becomes a vial', () => {
  it.each([
    [
      'peptideName=HCG&amountUnit=IU&peptideAmount=5000&waterVolume=2&desiredDose=250&desiredDoseUnit=IU',
      { name: 'HCG', amountUnit: 'IU', totalAmount: '5000', waterMl: '2' },
      '5,000 IU, 2,500 IU/ml',
    ],
    [
      'peptideName=Somatropin&form=pen&amountUnit=IU&concentration=10&containerVolume=1.5&clickMl=0.01&desiredDose=1.2&desiredDoseUnit=IU',
      {
        name: 'Somatropin',
        form: 'pen',
        amountUnit: 'IU',
        totalAmount: '15',
        waterMl: '1.5',
        clickMl: '0.01',
      },
      '15 IU, 10 IU/ml',
    ],
    [
      'peptideName=BPC-157&form=capsule&peptideAmount=0.5&pieces=60&desiredDose=1&desiredDoseUnit=mg',
      { name: 'BPC-157', form: 'capsule', concentration: '0.5', pieces: '60' },
      '30 mg, 0.5 mg each',
    ],
  ] as const)('%s', async (query, values, contents) => {
    const client = await web.user({ trial: true });
    const page = await client.get(`${NEW}?${query}`);
    expect(shown(page.body)).toMatchObject(values);
    const form = formWith(page.body, ['totalAmount', 'waterMl']);
    const added = await client.post(NEW, form.fields);
    expect(added.status, visibleText(added.body)).toBe(302);
    expect(visibleText((await client.get(added.location ?? '')).body)).toContain(contents);
  });
});

it('a form that is no form is refused at its field, also one that every object has', async () => {
  for (const form of ['__proto__', 'constructor', 'tablet'])
    expect((await web.visitor().get(`/calculator?form=${form}`)).status, form).toBeLessThan(500);
});

describe('HCG in IU, from the vial to the dose', () => {
  it('is never read as mg', async () => {
    const client = await web.user({ trial: true });
    const vial = {
      name: 'HCG',
      totalAmount: '5000 IU',
      waterMl: '2',
      reconstitutionDate: new Date().toISOString().slice(0, 10),
    };
    const mixed = await client.post(NEW, { ...vial, concentration: '2.5 mg/ml' });
    expect(mixed.status).toBe(400);
    expect(fieldError(mixed.body, 'concentration')).toContain('one is not converted to the other');
    const path = (await client.post(NEW, vial)).location ?? '';
    const id = path.split('/').at(-1) ?? '';

    const plan = {
      'frequency.kind': 'daily',
      times: '08:00',
      startDate: '2190-03-11',
      timeZone: 'UTC',
      step: 'save',
    };
    const form = await client.get(`/dashboard/schedule/new?vial=${id}`);
    expect(fieldValue(form.body, 'doseUnit')).toBe('IU');
    const inMg = await client.post('/dashboard/schedule/new', {
      ...{
        ...plan,
        name: 'HCG',
        compoundId: id,
        doseAmount: '0.25',
        doseUnit: 'mg',
        reminderLeadMinutes: '15',
      },
    });
    expect(visibleText(inMg.body)).toContain('This vial is measured in IU');
    const made = await client.post('/dashboard/schedule/new', {
      ...{
        ...plan,
        name: 'HCG',
        compoundId: id,
        doseAmount: '250',
        doseUnit: 'IU',
        reminderLeadMinutes: '15',
      },
    });
    expect(made.status, visibleText(made.body)).toBe(302);

    const draw = visibleText((await client.get(`${path}?dose=250&unit=IU`)).body);
    expect(draw).toMatch(/10 ?units/);
    expect(visibleText((await client.get(`${path}?dose=250+mcg`)).body)).toContain('write the amount in IU');

    const log = await client.get('/dashboard/schedule/log?name=HCG');
    expect(fieldValue(log.body, 'doseUnit')).toBe('IU');
    const asked = await client.post('/dashboard/schedule/log', {
      ...{ name: 'HCG', actualDose: '250', doseUnit: 'mcg', idempotencyKey: 'one' },
    });
    expect(asked.status).toBe(409);
    expect(visibleText(asked.body)).toContain('IU are an activity');
    const logged = await client.post('/dashboard/schedule/log', {
      ...{ name: 'HCG', actualDose: '250 IU', doseUnit: 'mcg', idempotencyKey: 'two' },
    });
    expect(logged.status, visibleText(logged.body)).toBe(302);
    const after = visibleText((await client.get(path)).body);
    expect(after).toMatch(/4,750 ?IU/);
    expect(after).toContain('−250 IU');
    expect(after).not.toMatch(/4,750 ?mg/);

    const wrong = await client.post(`${path}/remaining`, {
      remainingAmount: '4 mg',
      idempotencyKey: 'three',
    });
    expect(wrong.status).toBe(400);
    const corrected = await client.post(`${path}/remaining`, {
      remainingAmount: '4500 IU',
      idempotencyKey: 'four',
    });
    expect(corrected.status, visibleText(corrected.body)).toBe(302);
    expect(visibleText((await client.get('/dashboard/vials')).body)).toMatch(/4,500 ?IU/);
  });
});
