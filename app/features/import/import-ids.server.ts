import { createHash } from 'node:crypto';
import type { ImportedRecord, ImportType } from '#app/domain/import/import-types.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';

/** What one import writes, and for whom. */
export interface ImportJob {
  id: string;
  ownerId: string;
  isPremium: boolean;
  timeZone: string;
  /** The sign-in that calculations of a free account go with. */
  signInId: string | null;
}

/** So much of an id is kept: all of one that was made here, so that rows of one instant stay in their order. */
const KEPT_LENGTH = 30;

/** The id a record has when its own is somebody else's, or when it has none: always the same for the same owner. */
export function otherId(prefix: string, ownerId: string, id: string): string {
  const digest = createHash('sha256').update(`import\n${ownerId}\n${id}`).digest('hex');
  return id.startsWith(`${prefix}_`)
    ? `${id.slice(0, KEPT_LENGTH)}${digest.slice(0, 16)}`
    : `${prefix}_${digest.slice(0, 24)}`;
}

/** How ids of each type begin. */
export const PREFIXES: Readonly<Record<ImportType, string>> = {
  calculations: 'calc',
  compounds: 'vial',
  schedules: 'sched',
  doses: 'dose',
  nutrition: 'meal',
  sideEffects: 'fx',
  injectionSites: 'site',
};

/** The id of a day's entry of nutrition, as it is when the day is filled in by hand. */
export const idOfDay = (ownerId: string, date: string): string =>
  idFromKey('meal', new Date(0), ownerId, `day ${date}`);

/** The ids under which the owner may have a record already. */
export function idsOf(ownerId: string, { type, id }: Pick<ImportedRecord, 'type' | 'id'>): string[] {
  if (type === 'nutrition') return [idOfDay(ownerId, id)];
  const other = otherId(PREFIXES[type], ownerId, id);
  return type === 'doses' ? [other] : [id, other];
}

/**
 * Finds the owner's own vials by the ids that a file names them by: a vial whose id is somebody else's has another one
 * here. What the owner does not have stays as the file names it, as a vial does that was deleted.
 */
export async function vialLinks(
  ctx: Ctx,
  ownerId: string,
  named: readonly (string | null)[],
): Promise<(id: string | null) => string | null> {
  const ids = [...new Set(named.filter((id) => id !== null))];
  const pairs = ids.map((id) => [id, otherId(PREFIXES.compounds, ownerId, id)] as const);
  const there = ids.length === 0 ? new Set() : await ctx.repos.importedCompounds.owned(ownerId, pairs.flat());
  const moved = new Map(pairs.filter(([id, other]) => !there.has(id) && there.has(other)));
  return (id) => (id === null ? null : (moved.get(id) ?? id));
}
