import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  announce,
  changeAnnouncement,
  dismissAnnouncement,
  endAnnouncement,
  listAnnouncements,
  MAX_OPEN_ANNOUNCEMENTS,
  shownAnnouncements,
} from '#app/features/system/announcements.server.ts';
import { STALE_ANNOUNCEMENT } from '#app/domain/system/announcement.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { openTestDatabase, TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, newPerson } from '#tests/support/people.ts';

let db: TestDatabase;
let terminal: Ctx;
beforeAll(async () => {
  db = await openTestDatabase({ env: { RATE_LIMIT_FACTOR: '100' } });
  terminal = db.ctx(TERMINAL, { address: 'terminal' });
});
afterAll(() => db.dispose());

const words = { title: 'Maintenance', text: 'On Sunday', audience: 'all', isDismissible: true } as const;
const titles = async (ctx: Ctx) => (await shownAnnouncements(ctx)).map(({ title }) => title);

describe('an announcement', () => {
  it('is shown to its audience from its start to its end', async () => {
    const free = await newPerson(db, 'free@example.org');
    const pro = await newPerson(db, 'pro@example.org', { plan: 'trial' });
    const at = (hours: number) => new Date(db.clock.now().getTime() + hours * 3_600_000).toISOString();
    await announce(terminal, { ...words, title: 'For all', startsAt: at(1), endsAt: at(3) });
    await announce(terminal, { ...words, title: 'For free', audience: 'free', endsAt: at(3) });
    await announce(terminal, { ...words, title: 'For Pro', audience: 'premium', endsAt: at(3) });
    expect(await titles(free.ctx)).toEqual(['For free']);
    expect(await titles(pro.ctx)).toEqual(['For Pro']);
    db.clock.advance(3_600_000);
    expect(await titles(free.ctx)).toEqual(['For all', 'For free']);
    db.clock.advance(2 * 3_600_000);
    expect(await titles(free.ctx)).toEqual([]);
    expect((await listAnnouncements(terminal)).over.map(({ title }) => title).sort()).toEqual([
      'For Pro',
      'For all',
      'For free',
    ]);
  });

  it('can be dismissed for good by one reader, and stays for the others', async () => {
    const one = await newPerson(db, 'one@example.org');
    const other = await newPerson(db, 'other@example.org');
    const { id } = await announce(terminal, words);
    const fixed = await announce(terminal, { ...words, title: 'Stays', isDismissible: false });
    await dismissAnnouncement(one.ctx, id);
    await dismissAnnouncement(one.ctx, id);
    expect(await titles(one.ctx)).toEqual(['Stays']);
    expect((await titles(other.ctx)).toSorted()).toEqual(['Maintenance', 'Stays']);
    await expect(dismissAnnouncement(one.ctx, fixed.id)).rejects.toMatchObject({ conflict: 'WRONG_STATE' });
    await expect(dismissAnnouncement(one.ctx, 'ann_none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await endAnnouncement(terminal, fixed.id);
    expect(await titles(one.ctx)).toEqual([]);
    await expect(endAnnouncement(terminal, fixed.id)).rejects.toMatchObject({ conflict: 'WRONG_STATE' });
    await endAnnouncement(terminal, id);
  });

  it('is audited, and published once when submitted twice', async () => {
    const { id } = await announce(terminal, words, 'press-1');
    expect(await announce(terminal, words, 'press-1')).toMatchObject({ id });
    const rows = await db.repos.audit.listAbout(id, 10);
    expect(rows).toMatchObject([
      { action: 'announcement.make', actor: 'cli:operator', after: { title: words.title, audience: 'all' } },
    ]);
    db.clock.advance(1000);
    await endAnnouncement(terminal, id);
    const [last] = await db.repos.audit.listAbout(id, 1);
    expect(last?.action).toBe('announcement.end');
  });

  it('changes for readers immediately, is audited with the changed fields, and keeps its exact start', async () => {
    const reader = await newPerson(db, 'change@example.org');
    db.clock.advance(12_345);
    const { id, startsAt } = await announce(terminal, { ...words, title: 'Old words' });
    const began = startsAt.toISOString().slice(0, 16);
    const next = { ...words, title: 'New words', startsAt: began, revision: '0' };
    expect(await changeAnnouncement(terminal, id, next)).toMatchObject({ startsAt, revision: 1 });
    expect(await titles(reader.ctx)).toContain('New words');
    expect(await titles(reader.ctx)).not.toContain('Old words');
    const rows = await db.repos.audit.listAbout(id, 10);
    expect(rows.find(({ action }) => action === 'announcement.change')).toMatchObject({
      actor: 'cli:operator',
      before: { title: 'Old words' },
      after: { title: 'New words' },
    });
    expect(rows).toHaveLength(2);
    // Nothing has changed, so there is no audit entry and no new revision.
    expect(await changeAnnouncement(terminal, id, { ...next, startsAt: '', revision: '1' })).toMatchObject({
      revision: 1,
      startsAt,
    });
    expect(await db.repos.audit.listAbout(id, 10)).toHaveLength(2);
    await endAnnouncement(terminal, id);
    await expect(changeAnnouncement(terminal, id, { ...next, revision: '1' })).rejects.toMatchObject({
      conflict: 'WRONG_STATE',
      message: 'This announcement has already ended.',
    });
  });

  it('can be changed by only one of two administrators at once, and not from an outdated form', async () => {
    const { id } = await announce(terminal, words);
    const both = await Promise.allSettled([
      changeAnnouncement(terminal, id, { ...words, title: 'One', revision: '0' }),
      changeAnnouncement(terminal, id, { ...words, title: 'Other', revision: '0' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const revision of ['0', '', '7', '{"$gt":0}']) {
      await expect(
        changeAnnouncement(terminal, id, { ...words, title: 'Late', revision }),
      ).rejects.toMatchObject({ conflict: 'CHANGED_MEANWHILE', message: STALE_ANNOUNCEMENT });
    }
    expect((await listAnnouncements(terminal)).open.map(({ title }) => title)).not.toContain('Late');
    await endAnnouncement(terminal, id);
  });

  it('can be changed only by admins with a recent sign-in, and only to valid values', async () => {
    const { ctx, signedIn } = await newPerson(db, 'changer@example.org');
    const { id } = await announce(terminal, words);
    const input = { ...words, title: 'Mine', revision: '0' };
    await expect(changeAnnouncement(ctx, id, input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(changeAnnouncement(db.ctx(), id, input)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(changeAnnouncement(terminal, 'ann_none', input)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(changeAnnouncement(terminal, id, { ...input, title: '' })).rejects.toMatchObject({
      fields: { title: [expect.any(String)] },
    });
    await expect(
      changeAnnouncement(terminal, id, { ...input, endsAt: '2020-01-01T00:00:00Z' }),
    ).rejects.toMatchObject({ fields: { endsAt: [expect.any(String)] } });
    await db.repos.users.setRole(signedIn.user.id, 'admin');
    await changeAnnouncement(await ctxOfToken(db, signedIn.token), id, input);
    db.clock.advance(20 * 60_000);
    await expect(
      changeAnnouncement(await ctxOfToken(db, signedIn.token), id, { ...input, revision: '1' }),
    ).rejects.toMatchObject({ code: 'RECENT_SIGN_IN_REQUIRED' });
    await endAnnouncement(terminal, id);
  });

  it.each([
    [{ title: ' ' }, 'title'],
    [{ text: 'x'.repeat(1001) }, 'text'],
    [{ audience: 'everybody' }, 'audience'],
    [{ startsAt: 'soon' }, 'startsAt'],
    [{ startsAt: '2091-01-02T00:00:00Z', endsAt: '2091-01-01T00:00:00Z' }, 'endsAt'],
    [{ startsAt: '2020-01-01T00:00:00Z', endsAt: '2020-01-02T00:00:00Z' }, 'endsAt'],
  ])('refuses %j with an error at its field', async (wrong, field) => {
    await expect(announce(terminal, { ...words, ...wrong } as never)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      fields: { [field]: [expect.any(String)] },
    });
  });

  it('can be published only by admins with a recent sign-in, up to a limit', async () => {
    const { ctx, signedIn } = await newPerson(db, 'nobody@example.org');
    await expect(announce(ctx, words)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(listAnnouncements(ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(shownAnnouncements(db.ctx())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await db.repos.users.setRole(signedIn.user.id, 'admin');
    await announce(await ctxOfToken(db, signedIn.token), words);
    db.clock.advance(20 * 60_000);
    await expect(announce(await ctxOfToken(db, signedIn.token), words)).rejects.toMatchObject({
      code: 'RECENT_SIGN_IN_REQUIRED',
    });
    for (let made = 1; made < MAX_OPEN_ANNOUNCEMENTS; made += 1) await announce(terminal, words);
    await expect(announce(terminal, words)).rejects.toMatchObject({ conflict: 'LIMIT_REACHED' });
  });
});
