import { describe, expect, it } from 'vitest';
import { alerts, control, elements, fieldError, fieldValue, tags, visibleText } from '#tests/support/html.ts';
import { storedIn, userIdOf } from './stored.ts';
import { useWeb } from './web.ts';
import type { WebClient } from './web-client.ts';

/** Everyday use, without scripts. */
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

/** Rows of this person without `missAt`, which the worker writes down for doses that are due. */
const ownRows = async (client: { email: string }, collection: string) => {
  const userId = await userIdOf(web.dataDir, client.email);
  const own = (await storedIn(web.dataDir, collection)).filter((row) => row['userId'] === userId);
  return own.map(({ missAt: _missAt, ...row }) => row);
};

/** The longest time until a dose counts as missed: otherwise the worker would mark doses of the last days during a test. */
const missNothing = async (client: WebClient) => {
  const notifications = { missedAfterHours: '168', leadDefault: '15', inPage: 'on' };
  expect((await client.post('/dashboard/profile/notifications', notifications)).status).toBe(302);
};

const dayFromToday = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('today after days without activity', () => {
  const schedule = async (client: WebClient, days: number) => {
    await missNothing(client);
    await call(client, '/api/schedules', {
      name: 'BPC-157',
      doseAmount: 250,
      doseUnit: 'mcg',
      frequency: { kind: 'daily' },
      // Also just after midnight the doses of the day before are overdue, not due now. Of today those are planned that are
      // still to come: at any hour the last one.
      times: ['00:00', '23:59'],
      timeZone: 'UTC',
      startDate: dayFromToday(-days),
    });
  };
  const today = async (client: WebClient) => (await client.get('/dashboard/schedule')).body;
  const pressable = (body: string) => [...body.matchAll(/aria-label="Taken: [^"]*"/g)].length;
  const folded = (body: string) =>
    /<details class="earlier-rows">[\s\S]*?<\/ul><\/details>/.exec(body)?.[0] ?? '';

  it('folds earlier days into one line, with a link that logs them together', async () => {
    const client = await web.registered({ trial: true });
    await schedule(client, 6);
    const body = await today(client);
    // In the first hour of a day, the last dose of the day before is due now.
    const earlier = Number(/(\d+) doses from earlier days/.exec(visibleText(body))?.[1]);
    expect([11, 12]).toContain(earlier);
    expect(visibleText(body.replace(folded(body), ''))).not.toContain('Overdue by 2 d');
    // Each of them is still in reach, with its button.
    expect(pressable(folded(body))).toBe(earlier);
    expect(pressable(body)).toBeGreaterThan(earlier);
    const link = /href="(\/dashboard\/schedule\/backfill\?[^"]*)"[^>]*>Log past doses together</.exec(
      body,
    )?.[1];
    const together = await client.get((link ?? '').replaceAll('&amp;', '&'));
    expect([...together.body.matchAll(/name="ids"/g)].length).toBeGreaterThanOrEqual(earlier);
  });

  it('does not count doses that were not due, in adherence or analytics', async () => {
    const client = await web.registered({ trial: true });
    await schedule(client, 1);
    for (const page of ['/dashboard/schedule/adherence', '/dashboard/analytics']) {
      const text = visibleText((await client.get(page)).body);
      expect(text, page).toMatch(/\d doses? not logged yet/);
      expect(text, page).not.toMatch(/no doses? (?:was|were) due|nothing(?: is)? due/i);
    }
  });

  it('lists a few missed doses one by one', async () => {
    const client = await web.registered({ trial: true });
    await schedule(client, 1);
    const body = await today(client);
    expect(folded(body)).toBe('');
    expect(visibleText(body)).not.toContain('Log past doses together');
    expect(pressable(body)).toBeGreaterThanOrEqual(3);
  });
});

describe('an amount that is probably a mistake', () => {
  const LOG = '/dashboard/schedule/log';
  const answersIn = (body: string) => {
    const sent = (name: string) =>
      [...body.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, 'g'))].map(([, value = '']) => value);
    return { confirmed: sent('confirmed'), confirmedAmount: sent('confirmedAmount')[0] ?? '' };
  };

  it('must be confirmed next to the form, and the confirmation counts only for that amount', async () => {
    const client = await web.registered({ trial: true });
    await call(client, '/api/compounds', VIAL);
    const log = (actualDose: string, more: object = {}) =>
      client.post(LOG, { name: 'BPC-157', actualDose, doseUnit: 'mcg', ...more });
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    await call(client, '/api/schedules/doses', {
      name: 'BPC-157',
      actualDose: 250,
      doseUnit: 'mcg',
      takenAt: hoursAgo(48),
    });
    const asked = await log('2500');
    expect(asked.status).toBe(409);
    expect(visibleText(asked.body)).toContain(
      '2,500 mcg is 10 × your usual 250 mcg: 100 units instead of 10.',
    );
    const answer = answersIn(asked.body);
    expect(answer.confirmed).toContain('ABOVE_PLAN');
    const another = await log('3000', answer);
    expect(another.status).toBe(409);
    expect(visibleText(another.body)).toContain('3,000 mcg is 12 × your usual 250 mcg');
    expect((await log('2500', answer)).status).toBe(302);
    const doses = await ownRows(client, 'doses');
    expect(doses.map((row) => row['actualDose']).sort()).toEqual(['250', '2500']);
  });

  it('is easier to notice because the page shows what changed since the last dose', async () => {
    const client = await web.registered({ trial: true });
    const { compound } = await call(client, '/api/compounds', VIAL);
    const plan = {
      name: 'BPC-157',
      doseAmount: 250,
      doseUnit: 'mcg',
      frequency: { kind: 'interval', every: 7 },
      times: ['08:00'],
      timeZone: 'UTC',
      startDate: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    };
    await call(client, '/api/schedules', plan);
    const taken = { name: 'BPC-157', actualDose: 250, doseUnit: 'mcg' };
    await call(client, '/api/schedules/doses', taken);
    const old = `/dashboard/vials/${(compound as { id: string }).id}`;
    await client.post(`${old}/discard`, { reason: 'broken' });
    await call(client, '/api/compounds', { ...VIAL, waterMl: 1 });
    const { doses } = await call(client, '/api/schedules/doses');
    const [dose] = (doses as { id: string; status: string }[]).filter(({ status }) => status === 'pending');
    const page = await client.get(`/dashboard/schedule/doses/${dose?.id ?? ''}`);
    expect(visibleText(page.body)).toContain(
      'Check this dose This vial is 5 mg/ml, the last one was 2.5: 5 units, not 10.',
    );
    // The forms of a dose without a plan say so before anything is filled in, too.
    const changed = 'Check this dose BPC-157: This vial is 5 mg/ml, the last one was 2.5: 5 units, not 10.';
    for (const path of [LOG, TRACKING]) expect(visibleText((await client.get(path)).body)).toContain(changed);
    const before = await ownRows(client, 'doses');
    const entry = { name: 'bpc-157', doseUnit: 'mcg', takenAt: '2026-01-05T08:00', notes: 'kept' };
    const shown =
      'Check this dose 6 units (0.06 ml) This vial is 5 mg/ml, the last one was 2.5; this dose is 300 mcg, the last one was 250: 6 units, not 10.';
    const asked = await client.post(LOG, { ...entry, actualDose: '300', intent: 'preview' });
    const site = { ...entry, record: 'dose', site: 'deltoid-left', intent: 'preview', saveKey: 'look' };
    for (const answer of [asked, await client.post(TRACKING, { ...site, dose: '300' })]) {
      expect(answer.status).toBe(200);
      expect(visibleText(answer.body)).toContain(shown);
      expect(fieldValue(answer.body, 'name')).toBe('bpc-157');
    }
    const none = await client.post(TRACKING, { ...site, record: 'site', dose: '', name: '' });
    expect([none.status, alerts(none.body)]).toEqual([400, [expect.stringContaining('Nothing is drawn')]]);
    const tooMuch = await client.post(LOG, { ...entry, actualDose: '2500' });
    expect(tooMuch.status).toBe(409);
    expect(visibleText(tooMuch.body)).toContain('50 units (0.5 ml)');
    expect(await ownRows(client, 'doses')).toEqual(before);
    expect((await client.post(LOG, { ...entry, actualDose: '300' })).status).toBe(302);
  });

  it('in mg that would be usual in mcg is asked about by every form, and one press changes it', async () => {
    const client = await web.registered({ trial: true });
    await missNothing(client);
    const plan = { doseUnit: 'mg', times: ['08:00'], timeZone: 'UTC' };
    const make = async (more: object) => {
      const body = { name: 'BPC-157', doseAmount: 0.5, ...plan, ...more };
      const made = await call(client, '/api/schedules', body);
      return (made['schedule'] as { id: string }).id;
    };
    const daily = await make({ frequency: { kind: 'daily' }, startDate: dayFromToday(-2) });
    const rule = { frequency: { kind: 'as-needed' }, times: undefined };
    const asNeeded = await make({ name: 'Ad lib', ...rule });
    const inMcg = await make({ name: 'In mcg', doseAmount: 250, doseUnit: 'mcg', ...rule });
    const { doses } = await call(client, '/api/schedules/doses');
    const [dose] = (doses as { id: string; scheduleId: string }[]).filter(
      ({ scheduleId }) => scheduleId === daily,
    );
    const send = (path: string, form: Record<string, string>) => (press: Record<string, string>) =>
      client.post(path, { ...form, ...press });
    const address = (path: string, form: Record<string, string>) => (press: Record<string, string>) =>
      client.get(`${path}?${new URLSearchParams({ ...form, ...press })}`);
    const swap = { fromDay: '2199-01-01', name: '', compoundId: 'same', doseAmount: '250' };
    const site = { record: 'dose', site: 'deltoid-left', takenAt: '2026-01-05T08:00', saveKey: 'mcg' };
    const schedule = { name: 'BPC-157', 'frequency.kind': 'daily', startDate: '2199-01-01', step: 'save' };
    const calculator = { peptideAmount: '5', waterVolume: '2', desiredDoseUnit: 'mg' };
    const ramp = { 'ramp.start': '250', 'ramp.step': '50', 'ramp.everyWeeks': '1', 'ramp.target': '500' };
    const forms = {
      log: send(LOG, { name: 'BPC-157', actualDose: '250', doseUnit: 'mg', notes: 'kept' }),
      dose: send(`/dashboard/schedule/doses/${dose?.id}`, { actualDose: '250 mg', notes: 'kept' }),
      asNeeded: send(`/dashboard/schedule/${asNeeded}/take`, { actualDose: '250', notes: 'kept' }),
      site: send(TRACKING, { ...site, name: 'BPC-157', dose: '250 mg', doseUnit: 'mg', notes: 'kept' }),
      schedule: send('/dashboard/schedule/new', { ...schedule, ...plan, times: '08:00', doseAmount: '250' }),
      ramp: send('/dashboard/schedule/new', { ...schedule, ...plan, times: '08:00', ...ramp }),
      swap: address(`/dashboard/schedule/${daily}/swap`, swap),
      calculator: address('/calculator', { ...calculator, desiredDose: '250 mg' }),
    };
    const before = [await ownRows(client, 'doses'), await ownRows(client, 'schedules')];
    const pages: Record<string, string> = {};
    for (const [name, sent] of Object.entries(forms)) {
      const asked = await sent({});
      expect(asked.status, name).toBe(400);
      expect(visibleText(asked.body), name).toMatch(/Did you mean 250 mcg\? Use mcg/);
      expect(elements(asked.body, 'button[name="meantUnit"][value="mcg"]'), name).not.toEqual([]);
      const changed = await sent({ meantUnit: 'mcg' });
      expect(changed.status, `${name}: ${alerts(changed.body).join()}`).toBe(200);
      expect(visibleText(changed.body), name).not.toContain('Did you mean');
      pages[name] = changed.body;
    }
    const shown = (name: string, field: string) => fieldValue(pages[name] ?? '', field);
    for (const [name, field] of Object.entries({ log: 'actualDose', site: 'dose', schedule: 'doseAmount' })) {
      expect(shown(name, field), name).toBe('250');
      expect(shown(name, 'doseUnit'), name).toBe('mcg');
    }
    expect([shown('ramp', 'ramp.start'), shown('ramp', 'ramp.target')]).toEqual(['250', '500']);
    expect(shown('ramp', 'doseUnit')).toBe('mcg');
    expect(shown('calculator', 'desiredDose')).toBe('250');
    for (const name of ['dose', 'asNeeded']) expect(shown(name, 'actualDose'), name).toBe('0.25');
    for (const name of ['log', 'dose', 'asNeeded', 'site']) expect(shown(name, 'notes')?.trim()).toBe('kept');
    expect(shown('swap', 'doseAmount')).toBe('0.25');
    const changed = await client.post(`/dashboard/schedule/${inMcg}/take`, {
      actualDose: '250',
      meantUnit: 'mcg',
    });
    expect(fieldValue(changed.body, 'actualDose'), 'its unit was changed in another tab').toBe('250');
    expect([await ownRows(client, 'doses'), await ownRows(client, 'schedules')]).toEqual(before);
  });

  it('exceeds the ceiling set on the page of a vial or a schedule', async () => {
    const client = await web.registered({ trial: true });
    const { compound } = await call(client, '/api/compounds', VIAL);
    const vial = `/dashboard/vials/${(compound as { id: string }).id}`;
    expect(visibleText((await client.get(vial)).body)).toContain('Your limits No limits set.');
    const limits = { name: 'BPC-157', unit: 'mcg', perDose: '500', perDay: '', per7Days: '' };
    const wrong = await client.post('/dashboard/ceilings', { ...limits, perDose: '0', from: vial });
    expect([wrong.status, fieldError(wrong.body, 'perDose')]).toEqual([
      400,
      expect.stringContaining('above zero'),
    ]);
    const saved = await client.post('/dashboard/ceilings', { ...limits, from: vial });
    expect([saved.status, saved.location]).toEqual([302, vial]);
    expect(visibleText((await client.get(vial)).body)).toContain('BPC-157: at most 500 mcg a dose.');
    const plan = {
      name: 'bpc-157',
      doseAmount: 250,
      doseUnit: 'mcg',
      frequency: { kind: 'daily' },
      times: ['08:00'],
      timeZone: 'UTC',
      startDate: '2199-01-01',
    };
    const { schedule } = await call(client, '/api/schedules', plan);
    const page = await client.get(`/dashboard/schedule/${(schedule as { id: string }).id}`);
    expect(visibleText(page.body)).toContain('bpc-157: at most 500 mcg a dose.');
    const over = await client.post(LOG, { name: 'BPC-157', actualDose: '501', doseUnit: 'mcg' });
    expect(over.status).toBe(409);
    expect(visibleText(over.body)).toContain('501 mcg is more than your limit of 500 mcg a dose.');
    const away = await client.post('/dashboard/ceilings', { ...limits, from: '//elsewhere.example' });
    expect(away.location).toBe('/dashboard/ceilings');
  });
});

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

  it('saves nothing if the form is empty, and says what is missing', async () => {
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
    expect(fieldError(pressed.body, 'name')).toBe('Enter a name');
    expect(fieldError(pressed.body, 'volume')).toBe('Enter a number, such as 2');
    const much = await client.post(TRACKING, { ...measured, dose: '250', doseUnit: 'mg' });
    expect(fieldError(much.body, 'dose')).toBe('Dose must be above 0 and at most 100 mg');
    expect(await ownRows(client, 'injection_sites')).toEqual([]);
    expect(await ownRows(client, 'doses')).toEqual([]);
  });

  it('logs only the site if that is chosen: nothing is drawn, no dose is counted, and the log says so', async () => {
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

describe('the history of injections', () => {
  it('starts with the newest five and folds the others, each with its actions', async () => {
    const client = await web.registered({ trial: true });
    const log = (hours: number) =>
      call(client, '/api/injection-sites', {
        site: 'deltoid-left',
        takenAt: new Date(Date.now() - hours * 3_600_000).toISOString(),
        notes: `number ${hours}`,
      });
    const parts = async () => {
      const { body } = await client.get(TRACKING);
      const fold = /<details class="earlier-rows">[\s\S]*?<\/details>/.exec(body)?.[0] ?? '';
      const numbers = (html: string) =>
        [...html.matchAll(/>number (\d+)</g)].map(([, hours]) => Number(hours));
      return { fold, shown: numbers(body.replace(fold, '')), folded: numbers(fold) };
    };
    for (const hours of [1, 2, 3, 4, 5, 6, 7]) await log(hours);
    expect(await parts()).toEqual({ fold: '', shown: [1, 2, 3, 4, 5, 6, 7], folded: [] });
    for (const hours of [8, 9]) await log(hours);
    const { fold, shown, folded } = await parts();
    expect({ shown, folded }).toEqual({ shown: [1, 2, 3, 4, 5], folded: [6, 7, 8, 9] });
    expect(visibleText(fold)).toMatch(/^4 earlier injections/);
    expect(fold.match(/aria-label="(?:Edit|Delete) /g)).toHaveLength(8);
  });
});

describe('the frame of the account', () => {
  it('surrounds the plans page, which shows each price once', async () => {
    const client = await web.registered();
    const { body } = await client.get('/upgrade');
    expect(body).toContain('aria-label="Dashboard"');
    const text = visibleText(body);
    expect(text).toContain(`Welcome, ${client.email}`);
    expect(text.match(/\$5 per month/g)).toHaveLength(1);
    expect(text.match(/\$30 per year/g)).toHaveLength(1);
    expect(text).toContain('Protocol templates');
  });

  it('shows on every page that a deletion is planned, with a way to cancel it', async () => {
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

describe('the texts of the printed report', () => {
  it('use readable weekdays, statuses, times and zones', async () => {
    const client = await web.registered({ trial: true });
    await call(client, '/api/compounds', VIAL);
    const plan = { name: 'BPC-157', doseAmount: 250, doseUnit: 'mcg', times: ['08:00'] };
    const dose = { name: 'BPC-157', actualDose: 250, doseUnit: 'mcg', site: 'deltoid-left' };
    expect(await call(client, '/api/schedules/doses', dose)).toHaveProperty('dose.status', 'taken');
    const weekdays = { kind: 'weekdays', weekdays: ['mon', 'wed', 'sun'] };
    const startDate = '2199-01-01';
    for (const timeZone of ['America/New_York', 'Asia/Calcutta'])
      await call(client, '/api/schedules', { ...plan, timeZone, frequency: weekdays, startDate });
    await call(client, '/api/side-effects', {
      name: 'Nausea',
      severity: 1,
      startedAt: new Date().toISOString(),
    });
    const types = [
      'calculations',
      'compounds',
      'schedules',
      'doses',
      'nutrition',
      'sideEffects',
      'injectionSites',
    ];
    const asked = types.map((type) => `types=${type}`).join('&');
    const { body } = await client.get(`/dashboard/export/print?${asked}&includeMetadata=1`);
    const text = visibleText(body);
    for (const words of [
      'Monday, Wednesday and Sunday',
      'In use',
      'America/New York',
      'Asia/Kolkata',
      'Deltoid',
    ])
      expect(text).toContain(words);
    expect(text).not.toMatch(/weekdays|[a-z]_[a-z]|\dT\d\d:|Calcutta|deltoid-left/i);
  });
});

describe('a vial with less than the dose', () => {
  it('is called over-drawn by the upcoming dose, not as if it had happened', async () => {
    const client = await web.registered({ trial: true });
    await call(client, '/api/compounds', { ...VIAL, amountMg: 0.1 });
    const { schedule } = await call(client, '/api/schedules', {
      name: 'BPC-157',
      doseAmount: 250,
      doseUnit: 'mcg',
      frequency: { kind: 'daily' },
      times: ['23:59'],
      timeZone: 'UTC',
      startDate: new Date().toISOString().slice(0, 10),
    });
    expect(schedule).toBeDefined();
    const { doses } = await call(client, '/api/schedules/doses');
    const [dose] = (doses as { id: string; status: string }[]).filter(({ status }) => status === 'pending');
    const text = visibleText((await client.get(`/dashboard/schedule/doses/${dose?.id ?? ''}`)).body);
    expect(text).toContain('This dose is more than the vial holds on record');
    expect(text).not.toMatch(/This vial is over-drawn|was taken from stock/);
  });
});

describe('a time zone', () => {
  it('is chosen from present names with city and offset; an earlier name is understood and not shown', async () => {
    const client = await web.user();
    const profile = async () => (await client.get('/dashboard/profile')).body;
    const form = { name: 'Ada' };
    for (const typed of ['Asia/Calcutta', 'calcutta', 'Kolkata']) {
      expect((await client.post('/dashboard/profile', { ...form, timeZone: typed })).status, typed).toBe(302);
      const body = await profile();
      expect(fieldValue(body, 'timeZone'), typed).toBe('Asia/Kolkata');
    }
    const body = await profile();
    expect(control(body, 'timeZone')).toMatchObject({ type: 'search', list: 'details-timeZone-zones' });
    const options = [
      ...(/<datalist[\s\S]*?<\/datalist>/.exec(body)?.[0] ?? '').matchAll(/<option [^>]*>/g),
    ].map(([tag]) => tag);
    expect(options.some((tag) => /value="Asia\/Kolkata"/.test(tag) && /Kolkata, UTC\+05:30/.test(tag))).toBe(
      true,
    );
    expect(options.some((tag) => /value="[^"]*(?:_|Calcutta|Kiev)/.test(tag))).toBe(false);
    const wrong = await client.post('/dashboard/profile', { ...form, timeZone: 'Atlantis' });
    expect([wrong.status, fieldValue(wrong.body, 'timeZone')]).toEqual([400, 'Atlantis']);
  });
});

describe('the form of a schedule', () => {
  it('creates with its first and main button, next to the preview', async () => {
    const client = await web.registered({ trial: true });
    const { body } = await client.get('/dashboard/schedule/new');
    const [save, preview] = tags(body, 'button').filter(({ name }) => name === 'step');
    expect([save?.['value'], preview?.['value']]).toEqual(['save', 'preview']);
    expect(save?.['class']).toMatch(/btn-primary/);
    expect(preview?.['class']).not.toMatch(/btn-primary/);
  });
});

describe('a blood pressure with swapped numbers', () => {
  it('must be confirmed, and is saved when the form is sent again', async () => {
    const user = await web.user({ trial: true });
    const at = '/dashboard/tracking/health';
    const fields = { measuredAt: '2026-01-01T08:00', 'value.systolic': '80', 'value.diastolic': '120' };
    const asked = await user.post(at, fields);
    expect(asked.status).toBe(400);
    expect(visibleText(asked.body)).toContain('but you entered 80/120');
    const confirmedPressure = fieldValue(asked.body, 'confirmedPressure') ?? '';
    expect((await user.post(at, { ...fields, 'value.systolic': '70', confirmedPressure })).status).toBe(400);
    expect((await user.post(at, { ...fields, confirmedPressure })).location).toBe(at);
  });

  it('must be confirmed when a measurement is edited, but not for a change of notes only', async () => {
    const user = await web.user({ trial: true });
    const list = '/dashboard/tracking/health';
    const fields = { measuredAt: '2026-01-01T08:00', 'value.systolic': '120', 'value.diastolic': '80' };
    expect((await user.post(list, fields)).location).toBe(list);
    const { measurements } = await call(user, '/api/health?metric=systolic');
    const [{ id = '' } = {}] = measurements as { id: string }[];
    const at = `${list}/${id}`;
    const edited = { measuredAt: '2026-01-01T08:00', value: '80', notes: '' };
    const asked = await user.post(at, edited);
    expect([asked.status, fieldError(asked.body, 'value')]).toEqual([
      400,
      expect.stringContaining('but you entered 80/80'),
    ]);
    expect(fieldValue(asked.body, 'value')).toBe('80');
    const confirmedPressure = fieldValue(asked.body, 'confirmedPressure') ?? '';
    expect((await user.post(at, { ...edited, value: '70', confirmedPressure })).status).toBe(400);
    expect((await user.post(at, { ...edited, confirmedPressure })).location).toBe(`${list}#measurements`);
    expect((await user.post(at, { ...edited, notes: 'lying down' })).location).toBe(`${list}#measurements`);
    expect(await ownRows(user, 'measurements')).toContainEqual(
      expect.objectContaining({ metric: 'systolic', value: 80, notes: 'lying down' }),
    );
    const apart = { ...edited, measuredAt: '2026-01-01T09:00', value: '70' };
    expect((await user.post(at, apart)).location).toBe(`${list}#measurements`);
  });

  it('must be confirmed in a pasted table, only for the table shown', async () => {
    const user = await web.user({ trial: true });
    const at = '/dashboard/tracking/health/import';
    const table = (systolic: string) =>
      `date,systolic,diastolic\n2026-01-01 08:00,120,80\n2026-01-02 08:00,${systolic},120\n`;
    const press = (step: string, text: string, confirmedPressures = '') =>
      user.post(at, { text, step, confirmedPressures });
    expect((await press('check', table('130'))).body).not.toContain('name="confirmedPressures"');
    const asked = await press('check', table('80'));
    expect(visibleText(asked.body)).toContain('80/120 on 2 Jan 2026, 08:00');
    const answer = fieldValue(asked.body, 'confirmedPressures') ?? '';
    for (const [text, given] of [
      [table('80'), ''],
      [table('90'), answer],
    ] as const)
      expect(visibleText((await press('import', text, given)).body)).toContain(
        'Are these blood pressures right?',
      );
    expect(await ownRows(user, 'measurements')).toEqual([]);
    expect((await press('import', table('80'), answer)).location).toBe('/dashboard/tracking/health');
    expect(await ownRows(user, 'measurements')).toHaveLength(4);
  });
});
