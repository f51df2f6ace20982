import { storedIn } from '../stored.ts';
import { made, type Owned, type Thing } from './owned.ts';

const VIAL = { name: 'Mine alone', totalAmount: '5', idempotencyKey: '' };

/** A page of a vial; it is as it was made while nothing of it has changed. */
const vialPage = (path: string, more: Partial<Thing> = {}): Owned => ({
  async make(owner, web) {
    const id = await made(owner, '/dashboard/vials/new', VIAL);
    const isThere = async () =>
      (await storedIn(web.dataDir, 'compounds', { _id: id })).some((row) => row['version'] === 1);
    return { at: `/dashboard/vials/${id}${path}`, shows: 'Mine alone', isThere, ...more };
  },
});

/** Vials and what can be done with one. */
export const OWNED_VIALS: Record<string, Owned> = {
  '/dashboard/vials/:id': vialPage('', { takesForms: false }),
  '/dashboard/vials/:id/label': vialPage('/label', { takesForms: false }),
  '/dashboard/vials/:id/card': vialPage('/card', { takesForms: false }),
  '/dashboard/vials/:id/card/file': vialPage('/card/file', { shows: '%PDF-', takesForms: false }),
  '/dashboard/vials/:id/edit': vialPage('/edit', {
    shows: 'Edit vial',
    form: { ...VIAL, name: 'Other', idempotencyKey: '' },
  }),
  '/dashboard/vials/:id/remaining': vialPage('/remaining', { form: { remainingAmount: '1' } }),
  '/dashboard/vials/:id/reconstitute': vialPage('/reconstitute', {
    form: { reconstitutionDate: '2026-03-01', waterMl: '2' },
  }),
  '/dashboard/vials/:id/discard': vialPage('/discard', { form: { reason: 'broken' } }),
  '/dashboard/vials/:id/delete': vialPage('/delete'),
};
