import type { OwnSyringe } from '#app/domain/calculator/calculation.ts';
import type { DoseLine } from '#app/domain/doses/dose-line.ts';
import type { AsNeededLine, DrawLine } from '#app/domain/doses/draw-line.ts';
import type { HistoryRow } from '#app/domain/calculator/history.ts';
import type { VialRow } from '#app/domain/vials/vial-texts.ts';
import type { SiteId } from '#app/domain/tracking/sites.ts';

/** A schedule as one line of a list. */
export interface OfflineSchedule {
  id: string;
  name: string;
  isActive: boolean;
  /** "Daily at 08:00" */
  words: string;
  /** "250 mcg" */
  dose: string;
  /** When the next dose is, in words. */
  next: string | null;
}

/** The data that a device keeps for offline use. Serialisable. */
export interface OfflineSnapshot {
  account: {
    userId: string;
    email: string;
    isPremium: boolean;
    timeZone: string;
    /** The person's own; absent in snapshots from before there were any. */
    syringes?: readonly OwnSyringe[];
  };
  vials: VialRow[];
  /** Newest first. */
  history: HistoryRow[];
  /** Empty on the free plan. */
  schedules: OfflineSchedule[];
  /** Doses still to log, doses logged today, and doses of the next 7 days; null on the free plan. */
  today: {
    open: DrawLine[];
    done: DoseLine[];
    ahead: DrawLine[];
    /** What can be taken as needed; absent in snapshots from before that feature. */
    asNeeded?: AsNeededLine[];
  } | null;
  nextSite: SiteId | null;
}
