import { randomBytes } from 'node:crypto';
import { addStored, storedIn, userIdOf } from '../stored.ts';
import type { Web } from '../web.ts';
import type { Owned, Owner } from './owned.ts';

const LIST = '/dashboard/profile/webhooks';

/** A webhook to an address that nobody has. */
async function stored(owner: Owner, web: Web) {
  const _id = `hook_${randomBytes(8).toString('hex')}`;
  const url = `https://[2d00::1]/${_id}`;
  const userId = await userIdOf(web.dataDir, owner.email);
  // Any place will do: nothing else is added to this account's.
  const place = randomBytes(4).readUInt32BE() + 5;
  const row = { _id, userId, place, url, events: ['dose.due'], secret: 'sealed1.' };
  await addStored(web.dataDir, 'webhooks', [{ ...row, createdAt: new Date(), failingSince: null }]);
  const isAsMade = async () =>
    (await storedIn(web.dataDir, 'webhooks', { _id })).some(
      (one) => one['secret'] === 'sealed1.' && one['url'] === url,
    );
  return { _id, url, isAsMade };
}

export const OWNED_WEBHOOKS: Record<string, Owned> = {
  '/dashboard/profile/webhooks/:id': {
    premium: true,
    async make(owner, web) {
      const url = `https://[2d00::1]/${randomBytes(8).toString('hex')}`;
      const made = await owner.post(`${LIST}/new`, { url, events: 'dose.due' });
      const id = /webhooks\/(hook_[0-9a-f]+)/.exec(made.body)?.[1] ?? '';
      // A test is a delivery, whether it arrives or not.
      const isThere = async () =>
        (await storedIn(web.dataDir, 'webhook_deliveries', { webhookId: id })).length === 0;
      return { at: `${LIST}/${id}`, shows: url, form: { intent: 'test' }, isThere };
    },
  },
  '/dashboard/profile/webhooks/:id/edit': {
    premium: true,
    async make(owner, web) {
      const { _id, url, isAsMade } = await stored(owner, web);
      const form = { url: `${url}/moved`, events: 'dose.taken' };
      return { at: `${LIST}/${_id}/edit`, shows: url, form, isThere: isAsMade };
    },
  },
  '/dashboard/profile/webhooks/:id/secret': {
    premium: true,
    async make(owner, web) {
      const { _id, url, isAsMade } = await stored(owner, web);
      return { at: `${LIST}/${_id}/secret`, shows: url, answers: 200, isThere: isAsMade };
    },
  },
  '/dashboard/profile/webhooks/:id/delete': {
    async make(owner, web) {
      const { _id, url, isAsMade } = await stored(owner, web);
      return { at: `${LIST}/${_id}/delete`, shows: url, isThere: isAsMade };
    },
  },
};
