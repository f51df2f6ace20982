import { beforeAll, describe, expect, it } from 'vitest';
import { expectSound } from './answers.ts';
import { visibleText } from '#tests/support/html.ts';
import { OWNED_ACCOUNTS, saveOne } from './owned/accounts.ts';
import { sessionBeside, type Owned, type Owner, type Thing } from './owned/owned.ts';
import { OWNED_BILLING } from './owned/billing.ts';
import { OWNED_IMPORTS } from './owned/imports.ts';
import { OWNED_REMINDERS } from './owned/reminders.ts';
import { OWNED_WEBHOOKS } from './owned/webhooks.ts';
import { OWNED_SCHEDULES } from './owned/schedules.ts';
import { OWNED_DOSES } from './owned/doses.ts';
import { OWNED_REPORTS } from './owned/report.ts';
import { OWNED_TRACKING } from './owned/tracking.ts';
import { OWNED_VENDORS } from './owned/vendors.ts';
import { OWNED_LOTS } from './owned/lots.ts';
import { OWNED_SUPPLIES } from './owned/supplies.ts';
import { OWNED_VIALS } from './owned/vials.ts';
import { readManifest } from './route-manifest.ts';
import { userIdOf } from './stored.ts';
import type { WebClient } from './web-client.ts';
import { calculationForm, signUp, useWeb } from './web.ts';

const web = useWeb();

/** Every route with an id, by noun. */
const OWNED: Record<string, Owned> = {
  ...OWNED_ACCOUNTS,
  ...OWNED_BILLING,
  ...OWNED_IMPORTS,
  ...OWNED_REMINDERS,
  ...OWNED_WEBHOOKS,
  ...OWNED_SCHEDULES,
  ...OWNED_DOSES,
  ...OWNED_REPORTS,
  ...OWNED_TRACKING,
  ...OWNED_VENDORS,
  ...OWNED_LOTS,
  ...OWNED_SUPPLIES,
  ...OWNED_VIALS,
};

/** Parameters that name a page, or are the secret that opens it, not something that belongs to somebody. */
const NO_IDS = [
  '/act/:token',
  '/calendar/:token.ics',
  '/confirm-email/:token',
  '/dashboard/:area',
  '/dashboard/profile/:part',
  '/reset-password/:token',
  '/share/:token',
  '/sign-in/:provider',
];

it('covers every route with an id in its path', async () => {
  // The calls of the API are in tests/integration/api.
  const pages = readManifest().filter(({ id }) => !id.startsWith('routes/api.'));
  // What administrators look at belongs to others on purpose: the access table says who gets in.
  const isAdmins = (at: string) => at.startsWith('/admin/');
  const patterns = pages.map(({ pattern }) => pattern);
  const withIds = patterns.filter((at) => at.includes(':') && !isAdmins(at));
  expect(withIds.toSorted()).toEqual([...Object.keys(OWNED), ...NO_IDS].toSorted());
});

/** Others, with nothing to do with what the tests make. */
let others: Record<'visitor' | 'free' | 'premium', WebClient>;
beforeAll(async () => {
  const [free, premium] = [await web.registered(), await web.registered({ trial: true })];
  others = { visitor: web.visitor(), free, premium };
});

/** Asks for it and sends its form, as a page and as its data, as somebody who must not know that it is there. */
async function expectHidden(from: WebClient, thing: Thing, status: number): Promise<void> {
  const { at, shows, isThere, form, opens = true, takesForms = true } = thing;
  for (const path of [at, `${at}.data`]) {
    if (opens) {
      const opened = await from.get(path);
      expect(opened.status).toBe(status);
      expect(opened.body).not.toContain(shows);
      expectSound(opened, path);
    }
    if (takesForms) expect((await from.post(path, form)).status).toBe(status);
  }
  expect(await isThere()).toBe(true);
}

describe.each(Object.entries(OWNED))('%s', (_, { make, perSession, premium = false }) => {
  // A free user has nothing at a route that only Premium users have.
  describe.each(premium ? (['premium'] as const) : (['free', 'premium'] as const))('of a %s user', (plan) => {
    let owner: Owner;
    let thing: Thing;
    beforeAll(async () => {
      owner = await web.registered({ trial: plan === 'premium' });
      thing = await make(owner, web);
    });

    it(`is 404 to another ${plan} user`, () => expectHidden(others[plan], thing, 404));

    if (premium) it('is closed to a free user', () => expectHidden(others.free, thing, 403));

    it('requires a session', async () => {
      const { at, isThere, form, takesForms } = thing;
      expect((await others.visitor.get(at)).status).toBe(302);
      if (takesForms !== false) expect((await others.visitor.post(at, form)).status).toBe(302);
      expect(await isThere()).toBe(true);
    });

    if (plan === 'premium')
      it('is available in another session of its owner', async () => {
        const { at, opens } = thing;
        if (opens !== false) expect((await (await sessionBeside(web, owner.email)).get(at)).status).toBe(200);
      });
    else if (perSession)
      it('is 404 to another session of its owner', async () =>
        expectHidden(await sessionBeside(web, owner.email), thing, 404));

    it('is open to its owner, whose form takes effect', async () => {
      const { at, shows, isThere, form, answers = 302, opens = true, takesForms = true } = thing;
      if (opens) expect(visibleText((await owner.get(at)).body)).toContain(shows);
      if (!takesForms) return;
      expect((await owner.post(at, form)).status).toBe(answers);
      expect(await isThere()).toBe(false);
    });
  });
});

describe('fields that a form may not set', () => {
  it('cannot make anyone Premium or an admin', async () => {
    const client = web.visitor();
    const more = { role: 'admin', subscription: 'premium', grantedAt: '2026-01-01', isPremium: 'true' };
    await signUp(client, 'plain@example.org', more);
    const page = await client.get('/dashboard');
    expect(visibleText(page.body)).toContain('Upgrade to Pro');
    expect((await client.get('/dashboard/tracking')).status).toBe(403);
  });

  it('cannot save for another user', async () => {
    const [victim, attacker] = [await web.registered({ trial: true }), await web.registered({ trial: true })];
    const userId = await userIdOf(web.dataDir, victim.email);
    const form = calculationForm({ peptideName: 'Planted', userId, shelf: userId, ownerId: userId });
    expect((await attacker.post('/dashboard/calculator', form)).status).toBe(302);
    expect((await victim.get('/dashboard/calculator?history=1')).body).not.toContain('Planted');
    expect((await attacker.get('/dashboard/calculator?history=1')).body).toContain('Planted');
  });

  it('cannot find other users’ data in a history or an export', async () => {
    const [owner, other] = [await web.registered({ trial: true }), await web.registered({ trial: true })];
    await saveOne(owner, 'Zebra');
    await saveOne(other, 'Heron');
    const history = await other.get('/dashboard/calculator?history=1&search=zebra&userId=x');
    expect(visibleText(history.body)).not.toContain('Zebra');
    const file = await other.get('/dashboard/export/file?format=json&types=calculations&userId=x');
    expect(file.status).toBe(200);
    const { calculations } = JSON.parse(file.body) as { calculations: { peptideName: string }[] };
    expect(calculations.map((row) => row.peptideName)).toEqual(['Heron']);
  });
});
