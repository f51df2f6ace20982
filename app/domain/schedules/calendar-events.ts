import { blendOfDose, givenWords, namedDose, type BlendedDose } from '#app/domain/vials/contents.ts';
import { MINUTE_MS } from '#app/domain/time/calendar.ts';

/** How much a calendar feed shows: everything, only names, or only "Busy". */
export const FEED_PRIVACY = ['full', 'name', 'busy'] as const;
export type FeedPrivacy = (typeof FEED_PRIVACY)[number];

/** The days that a feed covers; ahead, as far as doses are generated. */
export const FEED_DAYS = { back: 30, ahead: 35 } as const;

/** Length of a dose in a calendar, in minutes. An arbitrary choice. */
export const FEED_MINUTES = 15;

/** The fields of a dose that a calendar may show. */
export interface FeedDose extends BlendedDose {
  id: string;
  scheduleId?: string | null;
  dueDate: Date;
  status: string;
  actedAt?: Date | null;
}

/**
 * An event of a calendar feed. Start and end are instants, so that a calendar in any time zone shows them correctly.
 */
export interface FeedEvent {
  id: string;
  start: Date;
  end: Date;
  /** When it last changed; not the current time, so that an unchanged dose gives the same file. */
  stamp: Date;
  summary: string;
  description: string | null;
  /** The dose is skipped; a calendar crosses it out or hides it. */
  isCancelled: boolean;
  /** How long before the start a calendar sounds an alarm, in minutes; null for never. */
  alarmMinutes: number | null;
}

/** What a feed shows. */
interface FeedChoices {
  privacy: FeedPrivacy;
  /** How long before its doses each schedule reminds, in minutes, by its id; a feed without them has no alarms. */
  leads?: ReadonlyMap<string, number> | undefined;
}

/** A dose that is still open has an alarm; one without a schedule at its time. */
function alarmOf({ status, scheduleId }: FeedDose, leads: FeedChoices['leads']): number | null {
  if (leads === undefined || status !== 'pending') return null;
  return leads.get(scheduleId ?? '') ?? 0;
}

function wordsOf(dose: FeedDose, privacy: FeedPrivacy): Pick<FeedEvent, 'summary' | 'description'> {
  const { name, status } = dose;
  if (privacy === 'busy') return { summary: 'Busy', description: null };
  if (privacy === 'name') return { summary: name, description: null };
  const done = status === 'pending' ? '' : ` (${status})`;
  return {
    summary: `${namedDose(name, givenWords(dose), blendOfDose(dose))}${done}`,
    description: 'Vialbook research notebook.',
  };
}

/** The events of a feed. */
export function feedEvents(doses: readonly FeedDose[], { privacy, leads }: FeedChoices): FeedEvent[] {
  return doses.map((dose) => ({
    id: dose.id,
    start: dose.dueDate,
    end: new Date(dose.dueDate.getTime() + FEED_MINUTES * MINUTE_MS),
    stamp: dose.actedAt ?? dose.dueDate,
    ...wordsOf(dose, privacy),
    isCancelled: dose.status === 'skipped',
    alarmMinutes: alarmOf(dose, leads),
  }));
}
