import { expect } from 'vitest';
import { picture } from '#tests/support/pictures.ts';
import { storedIn } from '../stored.ts';
import type { Web } from '../web.ts';
import { made, type Owned, type Owner, type Thing } from './owned.ts';
import { uploaded } from './upload.ts';

/** Sends a form and finds the id of what it made on a page. */
async function tracked(owner: Owner, form: string, fields: Record<string, string>, on: string, id: RegExp) {
  const sent = await owner.post(form, fields);
  expect(sent.status, sent.body.slice(0, 300)).toBe(302);
  return (await owner.get(on)).body.match(id)?.[0] ?? expect.unreachable(`no id on ${on}`);
}

/** Whether a row still says what it said. */
const still = (web: Web, collection: string, id: string, field: string, value: unknown) => async () =>
  (await storedIn(web.dataDir, collection, { _id: id })).some((row) => row[field] === value);

const SITE = { site: 'deltoid-left', takenAt: '2026-01-05T08:00', doseUnit: 'mg', notes: 'Mine alone' };

const sitePage = (path: string, thing: Pick<Thing, 'shows' | 'form'>): Owned => ({
  premium: true,
  async make(owner, web) {
    const at = '/dashboard/tracking';
    const id = await tracked(owner, at, SITE, at, /site_[0-9a-f]+/);
    return {
      at: `${at}/sites/${id}${path}`,
      ...thing,
      isThere: still(web, 'injection_sites', id, 'notes', 'Mine alone'),
    };
  },
});

const EFFECTS = '/dashboard/tracking/side-effects';
const EFFECT = { name: 'My own rash', severity: '3', startedAt: '2026-01-05T08:00', notes: 'Mine alone' };

const effectOf = (owner: Owner) => made(owner, `${EFFECTS}/new`, EFFECT);

const effectPage = (
  path: string,
  thing: Omit<Thing, 'at' | 'isThere'>,
  field = 'notes',
  value: unknown = 'Mine alone',
): Owned => ({
  premium: true,
  async make(owner, web) {
    const id = await effectOf(owner);
    return { at: `${EFFECTS}/${id}${path}`, ...thing, isThere: still(web, 'side_effects', id, field, value) };
  },
});

/** Sends a picture as a browser does. @returns its id */
async function pictureOf(owner: Owner, web: Web, effect: string): Promise<string> {
  const bytes = await picture('png');
  const file = { field: 'image', name: 'a.png', type: 'image/png', bytes };
  await uploaded(owner, `${EFFECTS}/${effect}/images`, file);
  const rows = await storedIn(web.dataDir, 'pictures.files');
  return String(rows.find((row) => (row['metadata'] as { of?: string }).of === effect)?._id);
}

const picturePage = (path: string, thing: Omit<Thing, 'at' | 'isThere'>): Owned => ({
  premium: true,
  async make(owner, web) {
    const effect = await effectOf(owner);
    const id = await pictureOf(owner, web, effect);
    const isThere = async () =>
      (await storedIn(web.dataDir, 'pictures.files')).some((row) => String(row._id) === id);
    return { at: `${EFFECTS}/${effect}/images/${id}${path}`, ...thing, isThere };
  },
});

const HEALTH = '/dashboard/tracking/health';
const NUTRITION = '/dashboard/tracking/nutrition';

const measurementPage = (path: string, thing: Pick<Thing, 'shows' | 'form'>): Owned => ({
  premium: true,
  async make(owner, web) {
    const entry = { measuredAt: '2026-01-05T08:00', 'value.weight': '80.5' };
    const id = await tracked(owner, HEALTH, entry, HEALTH, /health_[0-9a-f]+/);
    return {
      at: `${HEALTH}/${id}${path}`,
      ...thing,
      isThere: still(web, 'measurements', id, 'text', '80.5'),
    };
  },
});

const nutritionDelete: Owned = {
  premium: true,
  async make(owner, web) {
    const day = { date: '2026-01-05', calories: '2100' };
    const id = await tracked(owner, NUTRITION, day, NUTRITION, /meal_[0-9a-f]+/);
    const isThere = still(web, 'nutrition', id, 'calories', '2100');
    return { at: `${NUTRITION}/${id}/delete`, shows: 'Delete 5 Jan 2026?', isThere };
  },
};

/** Injection sites, side effects and their pictures, days and measurements. */
export const OWNED_TRACKING: Record<string, Owned> = {
  '/dashboard/tracking/health/:id': measurementPage('', {
    shows: 'Edit measurement',
    form: { value: '81', measuredAt: '2026-01-05T08:00' },
  }),
  '/dashboard/tracking/health/:id/delete': measurementPage('/delete', { shows: 'Delete Weight, 80.5 kg?' }),
  '/dashboard/tracking/nutrition/:id/delete': nutritionDelete,
  '/dashboard/tracking/sites/:id': sitePage('', {
    shows: 'Edit injection',
    form: { ...SITE, notes: 'Other' },
  }),
  '/dashboard/tracking/sites/:id/delete': sitePage('/delete', { shows: 'Delete Deltoid, left' }),
  '/dashboard/tracking/side-effects/:id': effectPage('', { shows: 'My own rash', takesForms: false }),
  '/dashboard/tracking/side-effects/:id/edit': effectPage('/edit', {
    shows: 'Edit side effect',
    form: { ...EFFECT, notes: 'Other' },
  }),
  '/dashboard/tracking/side-effects/:id/resolve': effectPage(
    '/resolve',
    { shows: 'Mark as resolved' },
    'resolvedAt',
    null,
  ),
  '/dashboard/tracking/side-effects/:id/delete': effectPage('/delete', { shows: 'Delete My own rash?' }),
  '/dashboard/tracking/side-effects/:id/images': effectPage('/images', {
    shows: 'My own rash',
    takesForms: false,
  }),
  '/dashboard/tracking/side-effects/:id/images/:imageId': picturePage('', {
    shows: 'IHDR',
    takesForms: false,
  }),
  '/dashboard/tracking/side-effects/:id/images/:imageId/delete': picturePage('/delete', {
    shows: 'Delete this picture?',
  }),
};
