import { describe, expect, it } from 'vitest';
import type { OfflineSnapshot } from '#app/domain/offline/snapshot.ts';
import { laterToday } from '#tests/support/schedules.ts';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { PASSWORD } from '#tests/support/people.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { makeSchedule } from './owned/schedules.ts';
import type { Answer } from './web-client.ts';
import { useWeb } from './web.ts';

const web = useWeb();
const HOUR = 3_600_000;

type Person = Awaited<ReturnType<typeof web.user>>;

const read = (answer: Answer) => JSON.parse(answer.body) as Record<string, unknown>;
const seen = async (user: Person) =>
  JSON.parse((await user.get('/offline/snapshot')).body) as OfflineSnapshot;

let names = 0;
const newName = () => `entry-${(names += 1)}-${'x'.repeat(16)}`;

/** Sends an entry of this person's device, as it was written an hour ago. */
async function sendEntry(user: Person, kind: string, fields: object, more: object = {}): Promise<Answer> {
  const { account } = await seen(user);
  const at = new Date(Date.now() - HOUR).toISOString();
  const entry = { userId: account.userId, id: newName(), kind, at, fields, ...more };
  return user.send('/offline/outbox', JSON.stringify(entry), 'application/json');
}

const CALCULATION = { peptideAmount: '5', waterVolume: '2', desiredDose: '250', desiredDoseUnit: 'mcg' };

/** A person with a dose of yesterday that is still open, from a vial of their own. */
async function withDose(): Promise<{ user: Person; doseId: string }> {
  const user = await web.user({ trial: true });
  const yesterday = new Date(Date.now() - 24 * HOUR).toISOString().slice(0, 10);
  await asSomeone(web.dataDir, user.email, async (ctx) => {
    await addVial(ctx, {
      name: 'BPC-157',
      amountMg: '5',
      waterMl: '2',
      reconstitutionDate: yesterday,
    });
    await createSchedule(ctx, {
      name: 'BPC-157',
      doseAmount: '250',
      doseUnit: 'mcg',
      frequency: { kind: 'daily' },
      times: [laterToday()],
      timeZone: 'UTC',
      startDate: yesterday,
    });
  });
  const { today } = await seen(user);
  return { user, doseId: today?.open[0]?.id ?? '' };
}

describe('the secret of the store', () => {
  it('is 32 bytes, never cached, and the same for every tab of a session', async () => {
    const user = await web.user();
    const [one, two] = [await user.post('/offline/secret'), await user.post('/offline/secret')];
    const { secret, email } = read(one);
    expect(Buffer.from(String(secret), 'base64url')).toHaveLength(32);
    expect(read(two)['secret']).toBe(secret);
    expect(email).toBe(user.email);
    for (const answer of [one, two]) expect(answer.headers['cache-control']).toBe('no-store');
    // Going on in the same session under a new token changes nothing.
    await user.post('/login', { email: user.email, password: PASSWORD });
    expect(read(await user.post('/offline/secret'))['secret']).toBe(secret);
  });

  it('ends with its session, and the next session has another one', async () => {
    const user = await web.user();
    const copy = web.visitor();
    copy.cookies.set('vialbook_session', user.cookies.get('vialbook_session') ?? '');
    const before = read(await copy.post('/offline/secret'))['secret'];
    await user.post('/logout');
    expect((await copy.post('/offline/secret')).status).toBe(302);
    await user.post('/login', { email: user.email, password: PASSWORD });
    const elsewhere = web.visitor();
    await elsewhere.post('/login', { email: user.email, password: PASSWORD });
    const others = [user, elsewhere, await web.user()].map(async (client) =>
      read(await client.post('/offline/secret')),
    );
    const secrets = (await Promise.all(others)).map(({ secret }) => secret);
    expect(new Set([before, ...secrets]).size).toBe(4);
  });

  it('is given only to signed-in users, and not to other sites', async () => {
    expect((await web.visitor().post('/offline/secret')).status).toBe(302);
    const user = await web.user();
    expect((await user.post('/offline/secret', {}, { origin: 'https://evil.example' })).status).toBe(403);
  });
});

describe('the data stored on a device', () => {
  it('is only the owner’s, and not cached by proxies', async () => {
    const { user } = await withDose();
    await sendEntry(user, 'calculation', { ...CALCULATION, peptideName: 'Mine' });
    const answer = await user.get('/offline/snapshot');
    expect(answer.headers['cache-control']).toBe('no-store');
    const { account, vials, history, schedules, today } = await seen(user);
    expect(account).toMatchObject({ email: user.email, isPremium: true, timeZone: 'UTC' });
    expect(vials.map(({ name, remainingText }) => [name, remainingText])).toEqual([['BPC-157', '5']]);
    expect(history.map(({ peptideName }) => peptideName)).toEqual(['Mine']);
    expect(schedules.map(({ words }) => words)).toHaveLength(1);
    expect(today?.open[0]?.drawText).toBe('10 units (0.1 ml)');
    expect(today?.ahead[0]?.drawText).toBe('10 units (0.1 ml)');
    const stranger = await seen(await web.user({ trial: true }));
    expect([stranger.vials, stranger.history, stranger.today?.open]).toEqual([[], [], []]);
  });

  it('contains nothing of the Premium areas on the free plan', async () => {
    const { schedules, today, nextSite } = await seen(await web.user());
    expect([schedules, today, nextSite]).toEqual([[], null, null]);
  });
});

describe('an offline entry', () => {
  it('becomes a calculation at its original time, once however often it is sent', async () => {
    const user = await web.user();
    const id = newName();
    const at = new Date(Date.now() - 5 * HOUR).toISOString();
    for (let i = 0; i < 3; i += 1)
      expect(read(await sendEntry(user, 'calculation', CALCULATION, { id, at }))).toEqual({ done: true });
    const { history } = await seen(user);
    expect(history.map(({ createdAt, desiredDoseText }) => [createdAt, desiredDoseText])).toEqual([
      [at, '0.25'],
    ]);
  });

  it('from a clock that is ahead counts as made now', async () => {
    const user = await web.user();
    const before = Date.now();
    await sendEntry(user, 'calculation', CALCULATION, { at: new Date(before + 99 * HOUR).toISOString() });
    const made = Date.parse((await seen(user)).history[0]?.createdAt ?? '');
    expect(made).toBeGreaterThanOrEqual(before - 1000);
    expect(made).toBeLessThanOrEqual(Date.now());
  });

  it('logs a dose at its time once, and reports another one', async () => {
    const { user, doseId } = await withDose();
    const id = newName();
    const takenAt = new Date(Date.now() - HOUR / 2).toISOString();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        sendEntry(user, 'dose-taken', { doseId, takenAt }, { id, at: takenAt }),
      ),
    );
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
    expect(read(await sendEntry(user, 'dose-taken', { doseId, takenAt }, { id, at: takenAt }))).toEqual({
      done: true,
    });
    const { vials, today } = await seen(user);
    expect(vials[0]?.remainingText).toBe('4.75');
    expect(today?.done.map((dose) => dose.id)).toEqual([doseId]);
    const late = await sendEntry(user, 'dose-taken', { doseId, takenAt: new Date().toISOString() });
    expect([late.status, read(late)['error']]).toEqual([409, 'DOSE_ALREADY_LOGGED']);
    // The same taking under another name: the answer to it was lost more than a day ago.
    expect(read(await sendEntry(user, 'dose-taken', { doseId, takenAt }))).toEqual({ done: true });
    expect((await seen(user)).vials[0]?.remainingText).toBe('4.75');
  });

  it('must be confirmed for a dose that is too soon, and is saved once confirmed', async () => {
    const { user, doseId } = await withDose();
    const now = new Date().toISOString();
    const dose = { name: 'BPC-157', actualDose: '250', doseUnit: 'mcg', takenAt: now };
    expect(read(await sendEntry(user, 'dose-logged', dose))).toEqual({ done: true });
    const id = newName();
    const asked = read(await sendEntry(user, 'dose-taken', { doseId, takenAt: now }, { id, at: now }));
    expect(asked).toMatchObject({ done: false, warnings: [{ code: 'TOO_SOON' }] });
    const fields = { doseId, takenAt: now, confirmed: ['TOO_SOON'] };
    expect(read(await sendEntry(user, 'dose-taken', fields, { id, at: now }))).toEqual({ done: true });
    expect((await seen(user)).vials[0]?.remainingText).toBe('4.5');
  });

  it('logs one taken as needed once under its name, and asks about one that is too soon', async () => {
    const { user } = await withDose();
    const form = { name: 'As it comes', 'frequency.kind': 'as-needed', 'frequency.minGapHours': '4' };
    const scheduleId = await makeSchedule(user, form);
    expect((await seen(user)).today?.asNeeded).toMatchObject([{ id: scheduleId, name: 'As it comes' }]);
    const takenAt = new Date(Date.now() - 60_000).toISOString();
    const id = newName();
    const send = () => sendEntry(user, 'dose-as-needed', { scheduleId, takenAt }, { id, at: takenAt });
    expect(read(await send())).toEqual({ done: true });
    expect(read(await send())).toEqual({ done: true });
    const done = async () => (await seen(user)).today?.done.filter(({ name }) => name === 'As it comes');
    expect(await done()).toHaveLength(1);
    const again = { scheduleId, takenAt: new Date().toISOString() };
    expect(read(await sendEntry(user, 'dose-as-needed', again))).toMatchObject({
      done: false,
      warnings: [{ code: 'TOO_SOON' }],
    });
    expect(await done()).toHaveLength(1);
  });

  it('asks about a dose that was skipped elsewhere meanwhile, and logs it once confirmed', async () => {
    const { user, doseId } = await withDose();
    const takenAt = new Date(Date.now() - HOUR / 2).toISOString();
    await user.post(`/dashboard/schedule/doses/${doseId}`, { intent: 'skipped' });
    expect((await seen(user)).today?.done.map(({ status }) => status)).toEqual(['skipped']);
    const id = newName();
    const asked = read(await sendEntry(user, 'dose-taken', { doseId, takenAt }, { id, at: takenAt }));
    expect(asked).toMatchObject({ done: false, warnings: [{ code: 'SKIPPED' }] });
    expect((await seen(user)).vials[0]?.remainingText).toBe('5');
    const fields = { doseId, takenAt, confirmed: ['SKIPPED'] };
    expect(read(await sendEntry(user, 'dose-taken', fields, { id, at: takenAt }))).toEqual({ done: true });
    expect((await seen(user)).vials[0]?.remainingText).toBe('4.75');
  });

  it('can be a skipped dose, a site or a side effect, each saved once', async () => {
    const { user, doseId } = await withDose();
    const takenAt = new Date(Date.now() - HOUR).toISOString();
    const entries = [
      ['dose-skipped', { doseId }],
      ['site', { site: 'deltoid-left', takenAt, pain: '2' }],
      ['side-effect', { name: 'Nausea', severity: '2', startedAt: takenAt }],
    ] as const;
    for (const [kind, fields] of entries) {
      const name = { id: newName(), at: takenAt };
      for (let i = 0; i < 2; i += 1)
        expect([kind, read(await sendEntry(user, kind, fields, name))]).toEqual([kind, { done: true }]);
    }
    const listed = async (path: string) => (read(await user.get(path))['data'] as { total: number }).total;
    expect([await listed('/api/injection-sites'), await listed('/api/side-effects')]).toEqual([1, 1]);
    // Only the dose of later today is left.
    expect((await seen(user)).today?.open.map(({ id }) => id === doseId)).toEqual([false]);
  });

  it('of someone else, or for their dose, is not saved', async () => {
    const { user: ada, doseId } = await withDose();
    const bob = await web.user({ trial: true });
    const { account } = await seen(ada);
    const foreign = await sendEntry(bob, 'calculation', CALCULATION, { userId: account.userId });
    expect([foreign.status, read(foreign)['error']]).toEqual([403, 'FORBIDDEN']);
    expect((await sendEntry(bob, 'dose-taken', { doseId })).status).toBe(404);
    expect((await seen(bob)).history).toEqual([]);
    expect((await seen(ada)).today?.open[0]).toMatchObject({ id: doseId, status: 'pending' });
  });

  it('of a blend keeps its components', async () => {
    const user = await web.user({ trial: true });
    // The entry's own form shows the amount of the dosed component and keeps the rest.
    const fields = {
      ...CALCULATION,
      peptideAmount: '10',
      components: 'BPC-157:5;TB-500:10',
      doseOf: 'TB-500',
    };
    expect((await sendEntry(user, 'calculation', fields)).status).toBe(200);
    const { body } = await user.get('/dashboard/export/file?format=json&types=calculations');
    const { calculations } = JSON.parse(body) as { calculations: object[] };
    expect(calculations).toMatchObject([
      { components: 'BPC-157:5;TB-500:10', doseOf: 'TB-500', peptideAmount: 10 },
    ]);
  });

  it.each([
    ['calculation', { ...CALCULATION, peptideAmount: '500' }, 400, 'peptideAmount'],
    ['site', { site: 'elbow', takenAt: '2026-11-22T08:00:00Z' }, 400, 'site'],
    ['site', { site: 'deltoid-left', takenAt: '2099-01-01T00:00:00Z' }, 400, 'takenAt'],
    ['side-effect', { name: 'Nausea', severity: 9, startedAt: '2026-11-22T08:00:00Z' }, 400, 'severity'],
    ['everything', {}, 400, 'kind'],
  ])('a %s that is not valid is refused with the field', async (kind, fields, status, field) => {
    const answer = await sendEntry(await web.user({ trial: true }), kind, fields);
    expect(answer.status).toBe(status);
    expect(Object.keys(read(answer)['fields'] as object)).toContain(field);
  });

  it('for a Premium area is refused on the free plan, as is anything invalid', async () => {
    const free = await web.user();
    expect((await sendEntry(free, 'dose-taken', { doseId: 'dose_1' })).status).toBe(403);
    expect((await free.send('/offline/outbox', '{', 'application/json')).status).toBe(400);
    expect((await free.send('/offline/outbox', '[]', 'application/json')).status).toBe(400);
    expect((await sendEntry(free, 'calculation', CALCULATION, { id: 'short' })).status).toBe(400);
  });
});
