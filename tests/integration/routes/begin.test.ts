import { describe, expect, it } from 'vitest';
import { fieldError, fieldValue, visibleText } from '#tests/support/html.ts';
import { registerForm, useWeb } from './web.ts';

const web = useWeb();

const BEGIN = '/dashboard/begin';
const CALCULATION = 'peptideName=BPC-157&peptideAmount=5&waterVolume=2&desiredDose=250&desiredDoseUnit=mcg';
const SUMMARY = 'BPC-157: 5 mg + 2 ml = 2.50 mg/ml; 0.25 mg = 0.100 ml (10 units)';
const PLAN = {
  ...{ name: 'BPC-157', doseAmount: '250', doseUnit: 'mcg', 'frequency.kind': 'daily', times: '08:00' },
  ...{ startDate: '2190-03-11', timeZone: 'UTC', reminderLeadMinutes: '15', step: 'save' },
};

const addressOf = (location: string | null | undefined) => new URL(location ?? '', web.url);

describe('the first steps', () => {
  it('lead from the vial to the schedule, the reminders, and then Today', async () => {
    const client = await web.user({ trial: true });
    const first = await client.get(BEGIN);
    expect(fieldValue(first.body, 'idempotencyKey')).not.toBeNull();
    const wrong = await client.post(`${BEGIN}?step=vial`, { name: 'BPC-157', totalAmount: '0' });
    expect(wrong.status).toBe(400);
    expect(fieldError(wrong.body, 'totalAmount')).toContain('Amount must be above 0');
    expect(visibleText(wrong.body)).toContain('2. Your schedule');
    const vial = await client.post(`${BEGIN}?step=vial`, { name: 'BPC-157', totalAmount: '5', waterMl: '2' });
    expect(vial.status, visibleText(vial.body)).toBe(302);
    const plan = await client.get(vial.location ?? '');
    expect(visibleText(plan.body)).toContain('Vial added');
    // The plan is about the vial that was just added.
    expect(fieldValue(plan.body, 'name')).toBe('BPC-157');
    expect(fieldValue(plan.body, 'totalAmount')).toBeNull();
    const refused = await client.post(`${BEGIN}?step=plan`, { ...PLAN, doseAmount: 'much' });
    expect(refused.status).toBe(400);
    expect(fieldValue(refused.body, 'doseAmount')).toBe('much');
    const made = await client.post(`${BEGIN}?step=plan`, PLAN);
    expect(made.status, visibleText(made.body)).toBe(302);
    expect(made.location).toBe(BEGIN);
    const reminders = await client.get(BEGIN);
    expect(fieldValue(reminders.body, 'leadDefault')).toBe('15');
    // There is nothing else on the page: the topic is set where the notifications are.
    expect(visibleText(reminders.body)).toContain('ntfy, once a topic is set in your profile');
    const profile = await client.get('/dashboard/profile/notifications');
    expect(visibleText(profile.body)).toContain('ntfy, once a topic is set below');
    const chosen = await client.post(`${BEGIN}?step=reminders`, {
      ...{ inPage: 'on', email: 'on', leadDefault: '30', missedAfterHours: '12' },
    });
    expect(chosen.status, visibleText(chosen.body)).toBe(302);
    expect((await client.get(BEGIN)).location).toBe('/dashboard/schedule');
    const today = await client.get('/dashboard/schedule');
    expect(today.status).toBe(200);
    expect(visibleText((await client.get('/dashboard')).body)).not.toContain('First steps');
  });

  it('can be skipped one by one or all at once, and stay skipped', async () => {
    const client = await web.user({ trial: true });
    expect(visibleText((await client.get('/dashboard')).body)).toContain('Set up your first vial');
    expect((await client.post(`${BEGIN}?step=vial&do=skip`, {})).location).toBe(BEGIN);
    const page = await client.get(BEGIN);
    expect(visibleText(page.body)).toMatch(/What is in your vial Skipped/);
    expect(page.body).toContain('name="doseAmount"');
    // Whoever changes their mind opens it again.
    expect((await client.get(`${BEGIN}?step=vial`)).body).toContain('name="totalAmount"');
    expect((await client.post(`${BEGIN}?do=skip`, {})).location).toBe('/dashboard/schedule');
    expect((await client.get(BEGIN)).location).toBe('/dashboard/schedule');
    expect(visibleText((await client.get('/dashboard')).body)).not.toContain('First steps');
  });

  it('of a free account are only those it can use', async () => {
    const client = await web.user();
    const page = visibleText((await client.get(BEGIN)).body);
    expect(page).toContain('1. What is in your vial');
    expect(page).not.toContain('2.');
    expect(page).toContain('Schedules and reminders are part of Premium.');
    expect((await client.post(`${BEGIN}?step=plan`, PLAN)).status).toBe(403);
    await client.post(`${BEGIN}?step=vial`, { name: 'BPC-157', totalAmount: '5', waterMl: '2' });
    expect((await client.get(BEGIN)).location).toBe('/dashboard');
  });
});

describe('a calculation made before registration', () => {
  it('is carried over through registration, can be saved once, and fills in the vial', async () => {
    const client = web.visitor();
    const offer = await client.get(`/calculator?${CALCULATION}`);
    expect(visibleText(offer.body)).toContain('Create an account to keep it');
    const form = await client.get(`/register?${CALCULATION}&plan=trial&mode=save&peptideAmount2=x`);
    expect(visibleText(form.body)).toContain(SUMMARY);
    const redirectTo = fieldValue(form.body, 'redirectTo') ?? '';
    expect(redirectTo).toBe(`${BEGIN}?${CALCULATION}`);
    const email = `carried-${process.pid}@example.org`;
    const entered = await client.post('/register', registerForm(email, { redirectTo, plan: 'trial' }));
    expect(entered.location).toBe(redirectTo);
    const page = await client.get(redirectTo);
    expect(visibleText(page.body)).toContain(SUMMARY);
    expect(['name', 'totalAmount', 'waterMl'].map((name) => fieldValue(page.body, name))).toEqual([
      'BPC-157',
      '5',
      '2',
    ]);
    const saveKey = fieldValue(page.body, 'saveKey') ?? '';
    const keep = () => client.post(`${redirectTo}&do=keep`, { saveKey });
    const [kept, again] = [await keep(), await keep()];
    expect([kept.status, again.status]).toEqual([302, 302]);
    const after = await client.get(kept.location ?? '');
    expect(visibleText(after.body)).toContain('Saved.');
    expect(fieldValue(after.body, 'totalAmount')).toBe('5');
    const calculator = visibleText((await client.get('/dashboard/calculator')).body);
    expect(calculator).toContain('Show History (1)');
    const added = await client.post(`${BEGIN}?${CALCULATION}&step=vial`, {
      ...{ name: 'BPC-157', totalAmount: '5', waterMl: '2', reconstitutionDate: '2026-03-01' },
    });
    const next = addressOf(added.location);
    expect([next.searchParams.get('peptideAmount'), next.searchParams.has('step')]).toEqual(['5', false]);
  });

  it('is not lost between sign-in and registration, in either direction', async () => {
    const target = encodeURIComponent(`/dashboard/calculator?${CALCULATION}`);
    const login = await web.visitor().get(`/login?redirectTo=${target}`);
    const links = (body: string) =>
      [...body.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => addressOf(href.replaceAll('&amp;', '&')));
    const toRegister = links(login.body).find(
      ({ pathname, searchParams }) => pathname === '/register' && searchParams.has('redirectTo'),
    );
    expect(toRegister?.searchParams.get('redirectTo')).toBe(`/dashboard/calculator?${CALCULATION}`);
    const register = await web.visitor().get(`/register?${CALCULATION}`);
    const back = links(register.body).find(
      ({ pathname, searchParams }) => pathname === '/login' && searchParams.has('redirectTo'),
    );
    expect(back?.searchParams.get('redirectTo')).toBe(`${BEGIN}?${CALCULATION}`);
  });

  it.each(['peptideAmount=x', 'peptideAmount=5', 'redirectTo=//evil.example', ''])(
    'is ignored when invalid: %s',
    async (query) => {
      const { status, body } = await web.visitor().get(`/register?${query}`);
      expect(status).toBe(200);
      expect(visibleText(body)).not.toContain('Your calculation will be carried over');
      const client = await web.registered();
      expect((await client.post(`${BEGIN}?${query}&do=keep`, {})).status).toBe(400);
    },
  );
});
