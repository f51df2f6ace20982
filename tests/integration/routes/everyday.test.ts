import { describe, expect, it } from 'vitest';
import { alerts, fieldError, fieldValue, visibleText } from './html.ts';
import { storedIn, userIdOf } from './stored.ts';
import { useWeb } from './web.ts';
import type { WebClient } from './web-client.ts';

/** What a person does every day, by plain forms. */
const web = useWeb();
const TRACKING = '/dashboard/tracking';
const VIAL = {
  name: 'BPC-157',
  amountMg: 5,
  waterMl: 2,
  expirationDate: '2199-01-01',
  reconstitutionDate: '2026-01-04',
};

/** What the API answers to this browser; with a body it is a POST. */
async function call(client: WebClient, path: string, body?: object) {
  const answer = body
    ? await client.send(path, JSON.stringify(body), 'application/json')
    : await client.get(path);
  return (JSON.parse(answer.body) as { data: Record<string, unknown> }).data;
}

const ownRows = async (client: { email: string }, collection: string) => {
  const userId = await userIdOf(web.dataDir, client.email);
  return (await storedIn(web.dataDir, collection)).filter((row) => row['userId'] === userId);
};

describe('"Log injection" under Tracking', () => {
  const injection = { record: 'dose', site: 'deltoid-left', takenAt: '2026-01-05T08:00', name: 'BPC-157' };
  const measured = { ...injection, dose: '250', doseUnit: 'mcg', volume: '0.1', pain: '2', saveKey: 'press' };

  it('draws from the vial, counts a dose and notes its site, once however often it is pressed', async () => {
    const client = await web.registered({ trial: true });
    await call(client, '/api/compounds', VIAL);
    const asked = await client.post(TRACKING, measured);
    const confirmed = [...asked.body.matchAll(/name="confirmed" value="([A-Z_]+)"/g)].map(
      ([, code = '']) => code,
    );
    for (const press of [1, 2])
      expect((await client.post(TRACKING, { ...measured, confirmed })).status, String(press)).toBe(302);
    const [dose, ...more] = await ownRows(client, 'doses');
    expect(more).toEqual([]);
    expect(dose).toMatchObject({ status: 'taken', actualDose: '250', site: 'deltoid-left' });
    const sites = await ownRows(client, 'injection_sites');
    expect(sites).toHaveLength(1);
    expect(sites[0]).toMatchObject({
      doseId: String(dose?._id),
      site: 'deltoid-left',
      volume: '0.1',
      pain: 2,
    });
    const { compounds } = await call(client, '/api/compounds');
    expect(compounds).toMatchObject([{ remainingAmount: 4.75 }]);
    expect(visibleText((await client.get(TRACKING)).body)).toContain('Logged with a dose');
  });

  it('saves nothing where nothing was filled in, and says what is missing', async () => {
    const client = await web.registered({ trial: true });
    const { body: page } = await client.get(TRACKING);
    expect(fieldValue(page, 'record')).toBe('dose');
    const pressed = await client.post(TRACKING, {
      record: 'dose',
      site: 'deltoid-left',
      takenAt: '2026-01-05T08:00',
      dose: '',
      name: '',
      pain: '',
      volume: 'lots',
    });
    expect(pressed.status).toBe(400);
    expect(fieldError(pressed.body, 'dose')).toBe(
      'Enter the dose. To note only the site, choose “Only the site”.',
    );
    expect(fieldError(pressed.body, 'name')).toBe('Name is required');
    expect(fieldError(pressed.body, 'volume')).toBe('lots is not an amount; write a number such as 2 ml');
    const much = await client.post(TRACKING, { ...measured, dose: '250', doseUnit: 'mg' });
    expect(fieldError(much.body, 'dose')).toBe('Dose must be above 0 and at most 100 mg');
    expect(await ownRows(client, 'injection_sites')).toEqual([]);
    expect(await ownRows(client, 'doses')).toEqual([]);
  });

  it('notes only the site where that is chosen: nothing is drawn, no dose is counted, and the log says so', async () => {
    const client = await web.registered({ trial: true });
    await call(client, '/api/compounds', VIAL);
    expect((await client.post(TRACKING, { ...measured, record: 'site' })).status).toBe(302);
    const { body } = await client.get(TRACKING);
    expect(visibleText(body)).toContain('Site only, not counted as a dose');
    expect(alerts(body)).toEqual([]);
    expect(await ownRows(client, 'doses')).toEqual([]);
    const { compounds } = await call(client, '/api/compounds');
    expect(compounds).toMatchObject([{ remainingAmount: 5 }]);
  });
});

describe('the frame of the account', () => {
  it('is around the plans, which name each price once', async () => {
    const client = await web.registered();
    const { body } = await client.get('/upgrade');
    expect(body).toContain('aria-label="Dashboard"');
    const text = visibleText(body);
    expect(text).toContain(`Welcome, ${client.email}`);
    expect(text.match(/\$5 per month/g)).toHaveLength(1);
    expect(text.match(/\$30 per year/g)).toHaveLength(1);
    expect(text).toContain('Protocol templates');
  });

  it('says on every page that a deletion is planned, with the way back', async () => {
    const client = await web.registered();
    const bar = /This account will be deleted on \d/;
    const pages = [
      '/dashboard',
      '/dashboard/vials',
      '/dashboard/profile',
      '/dashboard/profile/delete',
      '/upgrade',
    ];
    const texts = () => Promise.all(pages.map(async (page) => visibleText((await client.get(page)).body)));
    for (const text of await texts()) expect(text).not.toMatch(bar);
    await client.post('/dashboard/profile/delete', { email: client.email });
    for (const text of await texts()) {
      expect(text).toMatch(bar);
      expect(text).toContain('Keep the account');
    }
    await client.post('/dashboard/profile/keep');
    for (const text of await texts()) expect(text).not.toMatch(bar);
  });
});

describe('the form of a schedule', () => {
  it('creates with its first and main button; the preview stands beside it', async () => {
    const client = await web.registered({ trial: true });
    const { body } = await client.get('/dashboard/schedule/new');
    const buttons = [...body.matchAll(/<button[^>]*name="step"[^>]*>/g)].map(([tag]) => tag);
    expect(buttons[0]).toMatch(/btn-primary/);
    expect(buttons[0]).toContain('value="save"');
    expect(buttons[1]).toContain('value="preview"');
    expect(buttons[1]).not.toMatch(/btn-primary/);
  });
});
