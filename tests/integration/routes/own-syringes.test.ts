import { describe, expect, it } from 'vitest';
import { MAX_OWN_SYRINGES } from '#app/domain/calculator/own-syringe.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { elements, fieldError, fieldValue, screenOf, visibleText } from '#tests/support/html.ts';
import { laterToday } from '#tests/support/schedules.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { calculationForm, useWeb } from './web.ts';
import type { WebClient } from './web-client.ts';

/** A person's own syringes, as a browser without scripts gets them. */
const web = useWeb();

const UNITS = '/dashboard/profile/units';
const NEW = '/dashboard/profile/syringes/new';
const BLUE = { name: 'Blue', barrelMl: '0,7', unitsPerMl: '40', mark: '0.5' };
const SAVED = '0.7 ml, 40 units in 1 ml, a mark every 0.5 units';

const textOf = async (client: WebClient, at: string) => visibleText((await client.get(at)).body);

/** Adds a syringe. @returns the page that changes it, and its id */
async function add(client: WebClient, more: Partial<typeof BLUE> = {}) {
  const added = await client.post(NEW, { ...BLUE, ...more });
  expect([added.status, added.location], added.body.slice(0, 300)).toEqual([302, UNITS]);
  const screen = screenOf((await client.get(UNITS)).body);
  const link = screen.getByRole('link', { name: `Change ${more.name ?? BLUE.name}` });
  const page = link.getAttribute('href') ?? '';
  return { page, id: page.split('/').at(-1) ?? '' };
}

/** The line of the only saved calculation, which the page that deletes it shows in full. */
async function savedText(client: WebClient): Promise<string> {
  const { body } = await client.get('/dashboard/calculator?history=1');
  const link = screenOf(body).getByRole('link', { name: /^Delete Kept/ });
  return textOf(client, link.getAttribute('href') ?? '');
}

const chooseUsual = (client: WebClient, syringe: string) =>
  client.post(UNITS, { doseUnit: 'mg', units: 'metric', deadSpaceMl: '0', syringe });

describe('a person’s own syringes', () => {
  it('are added, changed and removed, each on a page of its own', async () => {
    const person = await web.registered();
    const { page } = await add(person);
    expect(await textOf(person, UNITS)).toContain(SAVED);
    const { body } = await person.get(page);
    expect(fieldValue(body, 'barrelMl')).toBe('0.7');
    expect(elements(body, 'svg[role="img"]')[0]?.getAttribute('aria-label')).toBe('Blue syringe, empty');
    expect((await person.post(page, { ...BLUE, barrelMl: '5', unitsPerMl: '', mark: '0.2' })).status).toBe(
      302,
    );
    expect(await textOf(person, UNITS)).toContain('5 ml, a mark every 0.2 ml');
    expect(await textOf(person, `${page}/remove`)).toContain('Remove this syringe?');
    expect((await person.post(`${page}/remove`)).location).toBe(UNITS);
    const after = await textOf(person, UNITS);
    expect(after).toContain('Syringe removed');
    expect(after).not.toContain('Blue');
    expect((await person.get(page)).status).toBe(404);
  });

  it('say at each field what is wrong, and keep what was typed', async () => {
    const person = await web.registered();
    const { status, body } = await person.post(NEW, { ...BLUE, mark: '3', name: '' });
    expect(status).toBe(400);
    expect(fieldError(body, 'name')).toBe('Enter a name of at most 40 characters');
    expect(fieldValue(body, 'mark')).toBe('3');
    const uneven = await person.post(NEW, { ...BLUE, mark: '3' });
    expect(fieldError(uneven.body, 'mark')).toBe('The barrel must end on a mark');
    await add(person);
    const again = await person.post(NEW, { ...BLUE, name: 'BLUE' });
    expect([again.status, fieldError(again.body, 'name')]).toEqual([
      400,
      'You have a syringe with this name',
    ]);
  });

  it('are at most twelve', async () => {
    const person = await web.registered();
    for (let at = 0; at < MAX_OWN_SYRINGES; at += 1) await add(person, { name: `No ${at}` });
    expect(
      screenOf((await person.get(UNITS)).body).queryByRole('link', { name: 'Add a syringe' }),
    ).toBeNull();
    const { body } = await person.post(NEW, BLUE);
    expect(fieldError(body, 'name')).toBe('You can have at most 12 syringes of your own');
  });

  it('are what a calculation is drawn with, and nobody else’s is', async () => {
    const person = await web.registered({ trial: true });
    const { id, page } = await add(person);
    const at = `peptideAmount=5&waterVolume=2&desiredDose=0.25&syringe=${id}`;
    for (const address of [`/dashboard/calculator?${at}`, `/calculator?${at}`]) {
      const { status, body } = await person.get(address);
      expect([status, fieldValue(body, 'syringe')]).toEqual([200, id]);
      expect(visibleText(body)).toContain('0.100 ml is 4 units on your Blue syringe, exactly on a mark.');
      expect(elements(body, 'svg[role="img"]').map((svg) => svg.getAttribute('aria-label'))).toContain(
        'Blue syringe filled to 4 units',
      );
    }
    expect(await textOf(person, `/calculator/card?${at}`)).toContain('Blue');
    const ladder = await textOf(
      person,
      `/dashboard/calculator/ladder?peptideAmount=5&dose=0.25&syringe=${id}`,
    );
    expect(ladder).toContain('Every dose is on a printed mark of the syringe.');
    const foreign = await (await web.registered()).get(`/dashboard/calculator?${at}`);
    expect([foreign.status, fieldError(foreign.body, 'syringe')]).toEqual([
      400,
      'This syringe is not in your profile. Choose another one',
    ]);
    expect((await web.visitor().get(`/calculator?${at}`)).status).toBe(400);

    const form = calculationForm({ syringe: id, peptideName: 'Kept' });
    expect((await person.post('/dashboard/calculator', form)).status).toBe(302);
    const kept = '5 mg + 2 ml = 2.50 mg/ml; 0.25 mg = 0.100 ml (4 units)';
    expect(await savedText(person)).toContain(kept);
    // What was saved stays as it was drawn.
    await person.post(page, { ...BLUE, unitsPerMl: '100', mark: '1' });
    expect(await savedText(person)).toContain(kept);
    await person.post(`${page}/remove`);
    expect(await savedText(person)).toContain(kept);
    expect((await person.post('/dashboard/calculator', form)).status).toBe(400);
  });

  it('are what doses are drawn with once one is the usual one, until it is removed', async () => {
    const person = await web.user({ trial: true });
    const { id, page } = await add(person);
    expect((await chooseUsual(person, id)).status).toBe(302);
    expect(fieldValue((await person.get(UNITS)).body, 'syringe')).toBe(id);
    const syringeAt = async (at: string) => fieldValue((await person.get(at)).body, 'syringe');
    expect(await syringeAt('/dashboard/calculator')).toBe(id);
    expect(await syringeAt('/dashboard/calculator?peptideAmount=5&waterVolume=2&desiredDose=1')).toBe(
      'u100-1ml',
    );
    const today = new Date().toISOString().slice(0, 10);
    const vial = await asSomeone(web.dataDir, person.email, async (ctx) => {
      await createSchedule(ctx, {
        ...{ name: 'BPC-157', doseAmount: '250', doseUnit: 'mcg', frequency: { kind: 'daily' } },
        ...{ timeZone: 'UTC', startDate: today, times: [laterToday()] },
      });
      return addVial(ctx, { name: 'BPC-157', amountMg: '5', waterMl: '2', reconstitutionDate: today });
    });
    const vialPage = `/dashboard/vials/${vial.id}`;
    expect(fieldValue((await person.get(vialPage)).body, 'syringe')).toBe(id);
    expect(await textOf(person, vialPage)).toMatch(/4 units\s*0\.1 ml/);
    expect(await textOf(person, '/dashboard/schedule')).toMatch(/4 U-40 units/);
    const card = await textOf(person, `${vialPage}/card`);
    expect(card).toContain('Blue');
    expect(card).toContain('4 U-40 units');

    await person.post(`${page}/remove`);
    expect(await textOf(person, UNITS)).toContain('Syringe removed. Your syringe is now U-100 1 ml');
    expect(await textOf(person, '/dashboard/schedule')).toMatch(/10 units/);
    const foreign = await chooseUsual(person, id);
    expect([foreign.status, fieldError(foreign.body, 'syringe')]).toEqual([
      400,
      'This syringe is not in your profile',
    ]);
  });
});
