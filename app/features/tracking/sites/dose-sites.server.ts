import type { SiteId } from '#app/domain/tracking/sites.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';

/** Where a dose went, as its taking tells it. */
export interface DoseSite {
  doseId: string;
  site: SiteId;
  takenAt: Date;
  /** What was injected. */
  name: string;
  /** Decimal text in `doseUnit`; null when it is not known. */
  dose: string | null;
  /** mg unless given */
  doseUnit?: 'mg' | 'mcg';
  /** Decimal text, ml. */
  volume?: string | null;
  /** The vial it came from, when it came from one. */
  compoundId?: string | null;
}

const entryOfDose = (ctx: Ctx, ownerId: string, doseId: string) =>
  idFromKey('site', ctx.now(), ownerId, `dose ${doseId}`);

/**
 * Logs the site of a dose that was taken: one entry for each dose, a second call replaces what the first one wrote (but
 * not the pain and notes that were added to it).
 * @throws AppError FORBIDDEN for somebody else's
 */
export async function recordDoseSite(ctx: Ctx, ownerId: string, dose: DoseSite): Promise<void> {
  authorise(ctx.actor, 'site.record-dose', { ownerId });
  await ctx.repos.injectionSites.put({
    _id: entryOfDose(ctx, ownerId, dose.doseId),
    userId: ownerId,
    site: dose.site,
    takenAt: dose.takenAt,
    name: dose.name,
    compoundId: dose.compoundId ?? null,
    dose: dose.dose,
    doseUnit: dose.doseUnit ?? 'mg',
    volume: dose.volume ?? null,
    pain: null,
    notes: null,
    doseId: dose.doseId,
    createdAt: ctx.now(),
  });
}

/** Takes the entry of a dose away again, when its taking is undone; nothing when there is none. */
export async function removeDoseSite(ctx: Ctx, ownerId: string, doseId: string): Promise<void> {
  authorise(ctx.actor, 'site.record-dose', { ownerId });
  await ctx.repos.injectionSites.remove(ownerId, entryOfDose(ctx, ownerId, doseId));
}
