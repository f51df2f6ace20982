import { certificate } from '#tests/support/papers.ts';
import { storedIn } from '../stored.ts';
import type { Web } from '../web.ts';
import { made, type Owned, type Owner, type Thing } from './owned.ts';
import { uploaded } from './upload.ts';

const LOT = { number: 'Mine alone', product: 'BPC-157', idempotencyKey: '' };

const lotOf = (owner: Owner) => made(owner, '/dashboard/lots/new', LOT);

const lotPage = (path: string, thing: (id: string, web: Web) => Partial<Thing> = () => ({})): Owned => ({
  async make(owner, web) {
    const id = await lotOf(owner);
    const isThere = async () =>
      (await storedIn(web.dataDir, 'lots', { _id: id })).some((row) => row['edits'] === undefined);
    return { at: `/dashboard/lots/${id}${path}`, shows: 'Mine alone', isThere, ...thing(id, web) };
  },
});

const paperPage = (path: string, thing: Omit<Thing, 'at' | 'isThere'>): Owned => ({
  premium: true,
  async make(owner, web) {
    const lot = await lotOf(owner);
    const at = `/dashboard/lots/${lot}/papers`;
    const bytes = certificate('Mine alone');
    await uploaded(owner, at, { field: 'paper', name: 'mine.pdf', type: 'application/pdf', bytes });
    const files = async () => await storedIn(web.dataDir, 'papers.files');
    const id = (await files()).find((row) => (row['metadata'] as { of?: string }).of === lot)?._id;
    const isThere = async () => (await files()).some((row) => String(row._id) === String(id));
    return { at: `${at}/${String(id)}${path}`, ...thing, isThere };
  },
});

/** Lots, their doses and their papers. */
export const OWNED_LOTS: Record<string, Owned> = {
  '/dashboard/lots/:id': lotPage('', () => ({ takesForms: false })),
  '/dashboard/lots/:id/edit': lotPage('/edit', () => ({
    shows: 'Edit lot',
    form: { ...LOT, number: 'Other', idempotencyKey: '' },
  })),
  '/dashboard/lots/:id/delete': lotPage('/delete'),
  '/dashboard/lots/:id/doses': lotPage('/doses', () => ({ takesForms: false })),
  '/dashboard/lots/:id/papers': lotPage('/papers', () => ({ takesForms: false })),
  '/dashboard/lots/:id/papers/:paperId': paperPage('', { shows: 'Mine alone', takesForms: false }),
  '/dashboard/lots/:id/papers/:paperId/delete': paperPage('/delete', { shows: 'Delete this document?' }),
};
