import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SITE_IDS } from '#app/domain/tracking/sites.ts';
import {
  deleteSiteEntry,
  getSiteEntry,
  listSiteEntries,
  logSite,
  recordDoseSite,
  removeDoseSite,
  updateSiteEntry,
  chooseSites,
  siteRotation,
  siteRotationOf,
} from '#app/features/tracking/sites/injection-sites.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { codeOf, fieldsOf } from '#tests/support/outcomes.ts';
import { newPerson } from '#tests/support/people.ts';
import { reposOf } from '#tests/support/repositories.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.dispose());

let people = 0;
const premium = (more = {}) =>
  newPerson(db, `sites-${(people += 1)}@example.org`, { plan: 'trial', ...more });
const ago = (days: number) => new Date(db.clock.now().getTime() - days * 86_400_000).toISOString();

describe('logging an injection', () => {
  it('saves every field as entered', async () => {
    const { ctx } = await premium();
    const entry = await logSite(ctx, {
      site: 'deltoid-left',
      takenAt: '2090-03-10T08:30',
      name: '  BPC-157 ',
      dose: '0,250',
      doseUnit: 'mcg',
      volume: 0.1,
      pain: '3',
      notes: 'a\r\nb',
    });
    expect(await getSiteEntry(ctx, entry.id)).toMatchObject({
      id: expect.stringMatching(/^site_/) as string,
      site: 'deltoid-left',
      takenAt: new Date('2090-03-10T08:30:00Z'),
      name: 'BPC-157',
      dose: '0.250',
      doseUnit: 'mcg',
      volume: '0.1',
      pain: 3,
      notes: 'a\nb',
      doseId: null,
    });
  });

  it('reads a time without an offset in the user’s time zone', async () => {
    const { ctx } = await premium({ timeZone: 'America/New_York' });
    const { takenAt } = await logSite(ctx, { site: 'deltoid-left', takenAt: '2090-03-10T03:30' });
    expect(takenAt.toISOString()).toBe('2090-03-10T08:30:00.000Z');
  });

  it('reports what is wrong with each field', async () => {
    const { ctx } = await premium();
    const wrong = {
      site: 'elbow',
      takenAt: '2090-02-30T08:30',
      dose: '-1',
      doseUnit: 'kg',
      volume: '1e3',
      pain: 11,
      notes: 'x'.repeat(2001),
      name: 'x'.repeat(101),
    };
    expect(Object.keys((await fieldsOf(logSite(ctx, wrong as never))) ?? {}).sort()).toEqual(
      Object.keys(wrong).sort(),
    );
    expect(await fieldsOf(logSite(ctx, { site: 'deltoid-left', takenAt: ago(-2) }))).toEqual({
      takenAt: ['The time cannot be in the future'],
    });
    expect((await listSiteEntries(ctx)).total).toBe(0);
  });

  it('makes one entry when the form is sent twice at once', async () => {
    const { ctx } = await premium();
    const other = await premium();
    const input = { site: 'deltoid-left' as const, takenAt: ago(0), saveKey: 'idempotencyKey' };
    const ids = (await Promise.all([1, 2, 3].map(() => logSite(ctx, input)))).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    expect((await logSite(other.ctx, input)).id).not.toBe(ids[0]);
    expect((await listSiteEntries(ctx)).total).toBe(1);
  });

  it('is for premium accounts', async () => {
    const { ctx } = await newPerson(db, 'free-sites@example.org');
    const input = { site: 'deltoid-left' as const, takenAt: ago(0) };
    for (const attempt of [
      () => logSite(ctx, input),
      () => listSiteEntries(ctx),
      () => siteRotation(ctx),
      () => chooseSites(ctx, { sites: ['deltoid-left'] }),
    ])
      expect(await codeOf(attempt())).toBe('PREMIUM_REQUIRED');
    expect(await codeOf(logSite(db.ctx(), input))).toBe('UNAUTHENTICATED');
  });
});

describe('an entry of the site log', () => {
  it('changes only the given fields, and null clears a value', async () => {
    const { ctx } = await premium();
    const { id } = await logSite(ctx, {
      site: 'deltoid-left',
      takenAt: ago(1),
      pain: 4,
      notes: 'sore',
      dose: '2',
    });
    expect(await updateSiteEntry(ctx, id, { notes: null })).toMatchObject({
      pain: 4,
      notes: null,
      dose: '2',
    });
    expect(await updateSiteEntry(ctx, id, { pain: 0, site: 'deltoid-right' })).toMatchObject({
      pain: 0,
      site: 'deltoid-right',
      dose: '2',
    });
    expect(await updateSiteEntry(ctx, id, {})).toMatchObject({ pain: 0 });
    expect(await codeOf(updateSiteEntry(ctx, id, { pain: 12 }))).toBe('INVALID_INPUT');
  });

  it('cannot be read, changed or deleted by another user', async () => {
    const [owner, other] = [await premium(), await premium()];
    const { id } = await logSite(owner.ctx, { site: 'deltoid-left', takenAt: ago(1) });
    expect(await codeOf(getSiteEntry(other.ctx, id))).toBe('NOT_FOUND');
    expect(await codeOf(updateSiteEntry(other.ctx, id, { pain: 1 }))).toBe('NOT_FOUND');
    expect(await codeOf(deleteSiteEntry(other.ctx, id))).toBe('NOT_FOUND');
    expect((await deleteSiteEntry(owner.ctx, id)).id).toBe(id);
    expect(await codeOf(deleteSiteEntry(owner.ctx, id))).toBe('NOT_FOUND');
  });

  it('is listed in pages, newest first', async () => {
    const { ctx } = await premium();
    for (let day = 0; day < 25; day += 1) await logSite(ctx, { site: 'deltoid-left', takenAt: ago(day) });
    const [first, second] = [await listSiteEntries(ctx), await listSiteEntries(ctx, { page: 2 })];
    expect([first.items.length, second.items.length, first.total, first.pages]).toEqual([20, 5, 25, 2]);
    const times = [...first.items, ...second.items].map(({ takenAt }) => takenAt.getTime());
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(await listSiteEntries(ctx, { page: 'x' as never, limit: -1 })).toMatchObject({
      page: 1,
      limit: 20,
    });
    expect((await listSiteEntries(ctx, { page: 99 })).page).toBe(2);
  });
});

describe('the site rotation', () => {
  it('suggests the least recently used site that is on, and says why', async () => {
    const { ctx, signedIn } = await premium();
    expect((await siteRotation(ctx)).next).toEqual({ site: SITE_IDS[0], why: 'unused', days: null });
    const on = ['abdomen-upper-left', 'deltoid-left', 'deltoid-right'] as const;
    await chooseSites(ctx, { sites: [...on] });
    await logSite(ctx, { site: 'abdomen-upper-left', takenAt: ago(3) });
    await logSite(ctx, { site: 'deltoid-left', takenAt: ago(20) });
    await logSite(ctx, { site: 'deltoid-left', takenAt: ago(9) });
    expect((await siteRotation(ctx)).next).toEqual({ site: 'deltoid-right', why: 'unused', days: null });
    await logSite(ctx, { site: 'deltoid-right', takenAt: ago(8) });
    const rotation = await siteRotation(ctx);
    expect(rotation.next).toEqual({ site: 'deltoid-left', why: 'rested', days: 9 });
    expect(await siteRotationOf(ctx, signedIn.user.id)).toEqual(rotation);
    expect(rotation.sites.filter(({ isOn }) => isOn).map(({ site, days }) => [site, days])).toEqual([
      ['abdomen-upper-left', 3],
      ['deltoid-left', 9],
      ['deltoid-right', 8],
    ]);
    await chooseSites(ctx, { sites: ['abdomen-upper-left'] });
    expect((await siteRotation(ctx)).next).toEqual({ site: 'abdomen-upper-left', why: 'longest', days: 3 });
  });

  it('still knows the last use of a site after many later injections elsewhere', async () => {
    const { ctx, signedIn } = await premium();
    await logSite(ctx, { site: 'deltoid-left', takenAt: ago(300) });
    await logSite(ctx, { site: 'deltoid-left', takenAt: ago(200) });
    for (let day = 0; day < 80; day += 1)
      await reposOf(ctx).injectionSites.create({
        ...{ _id: `site_${signedIn.user.id}_${day}`, userId: signedIn.user.id },
        ...{ site: day % 2 === 0 ? 'abdomen-upper-left' : 'abdomen-upper-right' },
        ...{ takenAt: new Date(ago(day)), createdAt: new Date(ago(day)) },
        ...{ name: null, compoundId: null, dose: null, doseUnit: 'mcg', volume: null },
        ...{ pain: null, notes: null, doseId: null },
      });
    const { sites } = await siteRotation(ctx);
    expect(sites.filter(({ days }) => days !== null).map(({ site, days }) => [site, days])).toEqual([
      ['abdomen-upper-left', 0],
      ['abdomen-upper-right', 1],
      ['deltoid-left', 200],
    ]);
  });

  it('counts days in the user’s time zone', async () => {
    const { ctx } = await premium({ timeZone: 'Pacific/Auckland' });
    // 12:00 UTC is past midnight there: an injection two hours ago was yesterday.
    await logSite(ctx, { site: 'abdomen-upper-left', takenAt: ago(2 / 24) });
    expect((await siteRotation(ctx)).sites[0]?.days).toBe(1);
  });

  it('keeps at least one site on, and refuses unknown ones', async () => {
    const { ctx } = await premium();
    expect(await codeOf(chooseSites(ctx, { sites: [] }))).toBe('INVALID_INPUT');
    expect(await codeOf(chooseSites(ctx, { sites: ['elbow' as never] }))).toBe('INVALID_INPUT');
  });
});

describe('the site logged with a dose', () => {
  const dose = {
    doseId: 'dose_1',
    site: 'thigh-front-left',
    name: 'BPC-157',
    dose: '250',
    doseUnit: 'mcg',
  } as const;

  it('stays one entry when logged again, and keeps the pain and notes added to it', async () => {
    const { ctx, signedIn } = await premium();
    const { id } = signedIn.user;
    const takenAt = db.clock.now();
    await Promise.all([1, 2, 3].map(() => recordDoseSite(ctx, id, { ...dose, takenAt })));
    const [entry] = (await listSiteEntries(ctx)).items;
    await updateSiteEntry(ctx, entry?.id ?? '', { pain: 2, notes: 'fine' });
    await recordDoseSite(ctx, id, { ...dose, takenAt, site: 'thigh-front-right', volume: '0.1' });
    expect((await listSiteEntries(ctx)).items).toMatchObject([
      { id: entry?.id, site: 'thigh-front-right', volume: '0.1', pain: 2, notes: 'fine', doseId: 'dose_1' },
    ]);
  });

  it('is removed when its dose is undone, and no other entry is', async () => {
    const { ctx, signedIn } = await premium();
    const { id } = signedIn.user;
    await recordDoseSite(ctx, id, { ...dose, takenAt: db.clock.now() });
    await recordDoseSite(ctx, id, { ...dose, doseId: 'dose_2', takenAt: db.clock.now() });
    await removeDoseSite(ctx, id, 'dose_1');
    await removeDoseSite(ctx, id, 'dose_1');
    expect((await listSiteEntries(ctx)).items.map(({ doseId }) => doseId)).toEqual(['dose_2']);
  });

  it('can be logged by the terminal for any user, but not by another user', async () => {
    const [owner, other] = [await premium(), await premium()];
    const { id } = owner.signedIn.user;
    await recordDoseSite(db.ctx(TERMINAL), id, { ...dose, takenAt: db.clock.now() });
    expect((await listSiteEntries(owner.ctx)).total).toBe(1);
    expect(await codeOf(recordDoseSite(other.ctx, id, { ...dose, takenAt: db.clock.now() }))).toBe(
      'FORBIDDEN',
    );
    expect(await codeOf(removeDoseSite(other.ctx, id, 'dose_1'))).toBe('FORBIDDEN');
  });
});
