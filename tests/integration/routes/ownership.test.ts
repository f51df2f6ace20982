import { describe, expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/people.ts';
import { expectSound } from './answers.ts';
import { visibleText } from './html.ts';
import { readManifest } from './route-manifest.ts';
import { readStored } from './stored.ts';
import type { WebClient } from './web-client.ts';
import { calculationForm, signUp, useWeb } from './web.ts';

/** quality.md section 4, item 9. */
const web = useWeb();

async function signInAgain(email: string): Promise<WebClient> {
  const client = web.visitor();
  expect((await client.post('/login', { email, password: PASSWORD })).status).toBe(302);
  return client;
}

/** Saves a calculation and reads its id from the history. */
async function saveOne(client: WebClient, peptideName: string): Promise<string> {
  const saved = await client.post('/dashboard/calculator', calculationForm({ peptideName }));
  expect(saved.status, saved.body.slice(0, 300)).toBe(302);
  const { body } = await client.get('/dashboard/calculator?history=1');
  const item = body.split('<li class="entry').find((part) => part.includes(peptideName)) ?? '';
  return item.match(/\/dashboard\/calculations\/([^/]+)\/delete/)?.[1] ?? expect.unreachable('it has no id');
}

interface Owned {
  /** A free user's belongs to one sign-in and is hidden from the others. */
  perSession: boolean;
  /** Makes one for its owner: its address, what it shows, and whether it is still there. */
  make(
    owner: WebClient & { email: string },
  ): Promise<{ at: string; shows: string; isThere(): Promise<boolean> }>;
}

/** Every route with an id. */
const OWNED: Record<string, Owned> = {
  '/dashboard/calculations/:id/delete': {
    perSession: true,
    async make(owner) {
      const id = await saveOne(owner, 'Mine alone');
      const isThere = async () =>
        ((await readStored(web.dataDir))['calculations'] ?? []).some((row) => String(row._id) === id);
      return { at: `/dashboard/calculations/${id}/delete`, shows: 'Mine alone', isThere };
    },
  },
  '/dashboard/profile/sessions/:id/end': {
    perSession: false,
    async make(owner) {
      const elsewhere = await signInAgain(owner.email);
      const { body } = await owner.get('/dashboard/profile');
      const at = body.match(/\/dashboard\/profile\/sessions\/[^/]+\/end/)?.[0] ?? '';
      return {
        at,
        shows: 'End this session',
        isThere: async () => (await elsewhere.get('/dashboard')).status === 200,
      };
    },
  },
};

/** Parameters that name a page, or are the secret that opens it, not something that belongs to somebody. */
const NO_IDS = ['/confirm-email/:token', '/dashboard/:area', '/reset-password/:token'];

it('knows every route with an id in its path', async () => {
  const withIds = (await readManifest()).map(({ pattern }) => pattern).filter((at) => at.includes(':'));
  expect(withIds.toSorted()).toEqual([...Object.keys(OWNED), ...NO_IDS].toSorted());
});

describe.each(Object.entries(OWNED))('8.2.2: %s', (_, { make, perSession }) => {
  async function expectHidden(from: WebClient, owner: WebClient & { email: string }): Promise<void> {
    const { at, shows, isThere } = await make(owner);
    expect(visibleText((await owner.get(at)).body)).toContain(shows);
    for (const path of [at, `${at}.data`]) {
      const opened = await from.get(path);
      expect(opened.status).toBe(404);
      expect(opened.body).not.toContain(shows);
      expectSound(opened, path);
    }
    expect((await from.post(at)).status).toBe(404);
    expect((await from.post(`${at}.data`)).status).toBe(404);
    expect(await isThere()).toBe(true);
    expect((await owner.post(at)).status).toBe(302);
    expect(await isThere()).toBe(false);
  }

  it('is 404 to another free user', async () => expectHidden(await web.user(), await web.user()));

  it('is 404 to another premium user', async () =>
    expectHidden(await web.user({ trial: true }), await web.user({ trial: true })));

  if (perSession) {
    it('is 404 to another session of the same free user', async () => {
      const owner = await web.user();
      await expectHidden(await signInAgain(owner.email), owner);
    });
  }

  it('is there for another session of the same premium user', async () => {
    const owner = await web.user({ trial: true });
    const { at } = await make(owner);
    expect((await (await signInAgain(owner.email)).get(at)).status).toBe(200);
  });

  it('is for nobody without a session', async () => {
    const { at, isThere } = await make(await web.user());
    expect((await web.visitor().get(at)).status).toBe(302);
    expect((await web.visitor().post(at)).status).toBe(302);
    expect(await isThere()).toBe(true);
  });
});

describe('8.2.3: what a form may not set', () => {
  it('makes nobody premium or an admin', async () => {
    const client = web.visitor();
    const more = { role: 'admin', subscription: 'premium', grantedAt: '2026-01-01', isPremium: 'true' };
    await signUp(client, 'plain@example.org', more);
    const page = await client.get('/dashboard');
    expect(visibleText(page.body)).toContain('Upgrade to Pro');
    expect((await client.get('/dashboard/tracking')).status).toBe(403);
  });

  it('saves for nobody else', async () => {
    const [victim, attacker] = [await web.user({ trial: true }), await web.user({ trial: true })];
    const users = (await readStored(web.dataDir))['users'] ?? [];
    const userId = String(users.find((row) => row['email'] === victim.email)?._id);
    const form = calculationForm({ peptideName: 'Planted', userId, shelf: userId, ownerId: userId });
    expect((await attacker.post('/dashboard/calculator', form)).status).toBe(302);
    expect((await victim.get('/dashboard/calculator?history=1')).body).not.toContain('Planted');
    expect((await attacker.get('/dashboard/calculator?history=1')).body).toContain('Planted');
  });

  it('finds nothing of others in a history or an export', async () => {
    const [owner, other] = [await web.user({ trial: true }), await web.user({ trial: true })];
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
