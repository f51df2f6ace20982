import { storedIn } from '../stored.ts';
import type { Owned, Thing } from './owned.ts';

const SUPPLY = { kind: 'syringe', name: 'Mine alone', count: '100', perInjection: '1' };

const supplyPage = (path: string, thing: Partial<Thing> = {}): Owned => ({
  async make(owner, web) {
    const answer = await owner.post('/dashboard/supplies/new', { ...SUPPLY, idempotencyKey: '' });
    if (answer.status !== 302) throw new Error(answer.body.slice(0, 300));
    const list = (await owner.get('/dashboard/supplies')).body;
    const id = /\/dashboard\/supplies\/(supply_\w+)/.exec(list)?.[1] ?? '';
    const isThere = async () =>
      (await storedIn(web.dataDir, 'supplies', { _id: id })).some((row) => row['version'] === 0);
    return { at: `/dashboard/supplies/${id}${path}`, shows: 'Mine alone', isThere, ...thing };
  },
});

/** Syringes, needles and swabs. */
export const OWNED_SUPPLIES: Record<string, Owned> = {
  '/dashboard/supplies/:id': supplyPage('', { form: { name: 'Other', received: '5', version: '0' } }),
  '/dashboard/supplies/:id/delete': supplyPage('/delete'),
};
