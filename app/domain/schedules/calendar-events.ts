/** How much a calendar feed tells: everything, names alone, or only that there is something. */
export const FEED_PRIVACY = ['full', 'name', 'busy'] as const;
export type FeedPrivacy = (typeof FEED_PRIVACY)[number];

/** How far a feed reaches: back for what was, ahead as far as doses are made (decisions, section 9). In days. */
export const FEED_DAYS = { back: 30, ahead: 35 } as const;

/** Minutes that a dose takes in a calendar. Our choice. */
export const FEED_MINUTES = 15;

/** As much of a dose as a calendar may show. */
export interface FeedDose {
  id: string;
  name: string;
  doseAmount: string;
  doseUnit: string;
  dueDate: Date;
  status: string;
  actedAt?: Date | null;
}

/** An event of a calendar feed. Instants, so that a calendar shows them right in whatever zone it is. */
export interface FeedEvent {
  id: string;
  start: Date;
  end: Date;
  /** When it last changed: the same dose gives the same text, byte for byte. */
  stamp: Date;
  summary: string;
  description: string | null;
}

function wordsOf(dose: FeedDose, privacy: FeedPrivacy): Pick<FeedEvent, 'summary' | 'description'> {
  const { name, doseAmount, doseUnit, status } = dose;
  if (privacy === 'busy') return { summary: 'Busy', description: null };
  if (privacy === 'name') return { summary: name, description: null };
  const done = status === 'pending' ? '' : ` (${status})`;
  return { summary: `${name}, ${doseAmount} ${doseUnit}${done}`, description: 'Vialbook research notebook.' };
}

/** The events of a feed; a skipped dose takes no time. */
export function feedEvents(doses: readonly FeedDose[], privacy: FeedPrivacy): FeedEvent[] {
  return doses
    .filter(({ status }) => status !== 'skipped')
    .map((dose) => ({
      id: dose.id,
      start: dose.dueDate,
      end: new Date(dose.dueDate.getTime() + FEED_MINUTES * 60_000),
      stamp: dose.actedAt ?? dose.dueDate,
      ...wordsOf(dose, privacy),
    }));
}
