import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { Authenticator } from '#tests/support/authenticator.ts';
import { besideServer } from '#tests/support/someone.ts';
import { storedIn } from '../stored.ts';
import { calculationForm } from '../web.ts';
import type { WebClient } from '../web-client.ts';
import { signInAgain, type Owned, type Thing } from './owned.ts';

/** Saves a calculation and reads its id from the history. */
export async function saveOne(client: WebClient, peptideName: string): Promise<string> {
  const saved = await client.post('/dashboard/calculator', calculationForm({ peptideName }));
  expect(saved.status, saved.body.slice(0, 300)).toBe(302);
  const { body } = await client.get('/dashboard/calculator?history=1');
  const item = body.split('<li class="entry').find((part) => part.includes(peptideName)) ?? '';
  return item.match(/\/dashboard\/calculations\/([^/]+)\/delete/)?.[1] ?? expect.unreachable('it has no id');
}

async function makeSyringe(owner: WebClient): Promise<Thing> {
  const form = { name: 'Mine alone', barrelMl: '0.7', unitsPerMl: '40', mark: '0.5' };
  expect((await owner.post('/dashboard/profile/syringes/new', form)).status).toBe(302);
  const { body } = await owner.get('/dashboard/profile/units');
  const at = body.match(/\/dashboard\/profile\/syringes\/own:[0-9a-f]+/)?.[0] ?? '';
  const isThere = async () => (await owner.get('/dashboard/profile/units')).body.includes('Mine alone');
  return { at, shows: 'Mine alone', isThere, form: { ...form, name: 'Mine, too' } };
}

/** Calculations, sessions, passkeys, personal tokens and syringes. */
export const OWNED_ACCOUNTS: Record<string, Owned> = {
  '/dashboard/calculations/:id/delete': {
    perSession: true,
    async make(owner, web) {
      const id = await saveOne(owner, 'Mine alone');
      const isThere = async () => (await storedIn(web.dataDir, 'calculations', { _id: id })).length === 1;
      return { at: `/dashboard/calculations/${id}/delete`, shows: 'Mine alone', isThere };
    },
  },
  '/dashboard/profile/sessions/:id/end': {
    async make(owner, web) {
      const elsewhere = await signInAgain(web, owner.email);
      const { body } = await owner.get('/dashboard/profile/security');
      const at = body.match(/\/dashboard\/profile\/sessions\/[^/]+\/end/)?.[0] ?? '';
      return {
        at,
        shows: 'End this session',
        isThere: async () => (await elsewhere.get('/dashboard')).status === 200,
      };
    },
  },
  '/dashboard/profile/tokens/:id/revoke': {
    async make(owner, web) {
      const token = { name: 'Mine alone', scope: 'read', life: '30' };
      const made = await owner.post('/dashboard/profile/tokens/new', token);
      expect(made.body).toMatch(/vialbook_[A-Za-z0-9_-]{43}/);
      const { body } = await owner.get('/dashboard/profile/tokens');
      const at = body.match(/\/dashboard\/profile\/tokens\/[^/]+\/revoke/)?.[0] ?? '';
      const isThere = async () =>
        (await storedIn(web.dataDir, 'api_tokens')).some((row) => at.includes(String(row['tokenId'])));
      return { at, shows: 'Mine alone', isThere };
    },
  },
  '/dashboard/profile/syringes/:id': { make: makeSyringe },
  '/dashboard/profile/syringes/:id/remove': {
    async make(owner) {
      const { form: _form, at, ...thing } = await makeSyringe(owner);
      return { ...thing, at: `${at}/remove` };
    },
  },
  '/dashboard/profile/identities/:id/remove': {
    async make(owner, web) {
      const [user] = await storedIn(web.dataDir, 'users', { email: owner.email });
      const { repos } = await besideServer(web.dataDir);
      const hash = createHash('sha256').update(owner.email).digest('base64url');
      const at = `/dashboard/profile/identities/${hash}/remove`;
      const row = { issuer: 'https://id.example', subject: 'mine', email: 'mine@alone.example' };
      const dates = { createdAt: new Date(), lastUsedAt: null };
      await repos.identities.create({ hash, userId: String(user?._id), ...row, ...dates }, 1);
      const isThere = async () => (await storedIn(web.dataDir, 'identities', { _id: hash })).length === 1;
      return { at, shows: 'mine@alone.example', isThere };
    },
  },
  '/dashboard/profile/passkeys/:id/remove': {
    async make(owner, web) {
      const { body: options } = await owner.post('/passkey/options', { use: 'add' });
      const passkey = new Authenticator(web.url).make(
        JSON.parse(options) as Parameters<Authenticator['make']>[0],
      );
      const form = { name: 'Mine alone', passkey };
      expect((await owner.post('/dashboard/profile/passkeys/new', form)).status).toBe(302);
      const { body } = await owner.get('/dashboard/profile/security');
      const at = body.match(/\/dashboard\/profile\/passkeys\/[^/]+\/remove/)?.[0] ?? '';
      const isThere = async () =>
        (await storedIn(web.dataDir, 'passkeys')).some((row) => at.includes(String(row._id)));
      return { at, shows: 'Mine alone', isThere };
    },
  },
};
