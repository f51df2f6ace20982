import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import { namedDose, plannedWords, type Blend } from '#app/domain/vials/contents.ts';
import { DateTime } from 'luxon';
import type { ReminderStage, ReminderType } from './reminder-stages.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';

/** What a reminder of a dose contains. */
interface RemindedDose {
  name: string;
  /** Decimal text, in `doseUnit`. */
  doseAmount: string;
  doseUnit: DoseUnit;
  /** The blend it is drawn from; absent for a single peptide. */
  blend?: Blend | null | undefined;
  dueDate: Date;
  /** IANA name of the zone the dose is timed in. */
  timeZone: string;
}

/** The message with names and amounts, and without. */
interface ReminderWords {
  message: string;
  /** For discreet mode: neither names nor amounts. */
  discreet: string;
}

const TITLES: Record<ReminderType, string> = {
  upcoming: 'Dose coming up',
  due: 'Dose due',
  overdue: 'Dose overdue',
  other: 'Your stock',
};

/** The title of a reminder; in discreet mode only the product's name. @param doses how many doses it is about */
export function reminderTitle(type: ReminderType, discreet = false, doses = 1): string {
  if (discreet) return 'Vialbook';
  return doses > 1 ? TITLES[type].replace('Dose', 'Doses') : TITLES[type];
}

const WHEN: Record<ReminderStage, (time: string, isOne: boolean) => string> = {
  upcoming: (time, isOne) => `${isOne ? 'is' : 'are'} due at ${time}`,
  due: (time, isOne) => `${isOne ? 'is' : 'are'} due now (${time})`,
  overdue: (time, isOne) => `${isOne ? 'was' : 'were'} due at ${time}`,
};

/** Doses that a message names; it counts the others. */
const NAMED_DOSES = 8;

/** The messages about a dose at a stage: "BPC-157, 250 mcg, is due at 08:00."; of a blend with each component. */
export function reminderTexts(dose: RemindedDose, stage: ReminderStage): ReminderWords {
  const time = DateTime.fromJSDate(dose.dueDate, { zone: dose.timeZone }).toFormat('HH:mm');
  const when = WHEN[stage](time, true);
  return {
    message: `${namedDose(dose.name, plannedWords(dose), dose.blend)}, ${when}.`,
    discreet: `An entry in your notebook ${when}.`,
  };
}

/** The same about all doses of a time slot: "2 doses are due now (08:00): BPC-157, 250 mcg; TB-500, 2 mg." */
export function slotTexts(doses: readonly RemindedDose[], stage: ReminderStage): ReminderWords {
  const [first] = doses;
  if (first === undefined) throw new Error('a time slot has at least one dose');
  if (doses.length === 1) return reminderTexts(first, stage);
  const time = DateTime.fromJSDate(first.dueDate, { zone: first.timeZone }).toFormat('HH:mm');
  const when = WHEN[stage](time, false);
  const named = doses
    .slice(0, NAMED_DOSES)
    .map((dose) => namedDose(dose.name, plannedWords(dose), dose.blend));
  const more = doses.length > NAMED_DOSES ? [`${doses.length - NAMED_DOSES} more`] : [];
  return {
    message: `${doses.length} doses ${when}: ${[...named, ...more].join('; ')}.`,
    discreet: `${doses.length} entries in your notebook ${when}.`,
  };
}

/** Follows the message of a reminder whose push was lost. */
export const NOT_SHOWN = 'No device has confirmed the push notification.';

/** The discreet message of every reminder that is not about a dose. */
export const DISCREET_OTHER = 'Something in your notebook needs your attention.';

/**
 * How long ago something was, as the bell shows it: 'Just now', '5m ago', '3h ago', or the date after a day ("9 Mar
 * 2026").
 * @param timeZone for the date
 */
export function relativeTime(at: Date, now: Date, timeZone: string): string {
  const ms = now.getTime() - at.getTime();
  if (ms < MINUTE_MS) return 'Just now';
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}m ago`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)}h ago`;
  return DateTime.fromJSDate(at, { zone: timeZone }).setLocale('en').toFormat('d LLL yyyy');
}

/** The number on the bell: at most '9+'; null when everything is read. */
export function badgeText(unread: number): string | null {
  if (unread <= 0) return null;
  return unread > 9 ? '9+' : String(unread);
}

/** A reminder as it is listed. */
export interface ReminderView {
  id: string;
  type: ReminderType;
  title: string;
  message: string;
  /** 'Just now', '5m ago', '3h ago', or the date. */
  ago: string;
  /** The instant, ISO 8601. */
  at: string;
  isRead: boolean;
  doseId: string | null;
  /** All doses that it is about. */
  doseIds: readonly string[];
}

/** The part of a reminder that a list shows. */
interface ListedReminder {
  id: string;
  type: ReminderType;
  message: string;
  reminderTime: Date;
  isRead: boolean;
  doseId: string | null;
  doseIds: readonly string[];
}

/** @param timeZone for the dates of older reminders */
export function reminderView(reminder: ListedReminder, now: Date, timeZone: string): ReminderView {
  const { id, type, message, reminderTime, isRead, doseId, doseIds } = reminder;
  const ago = relativeTime(reminderTime, now, timeZone);
  return {
    id,
    type,
    title: reminderTitle(type, false, doseIds.length),
    message,
    ago,
    at: reminderTime.toISOString(),
    isRead,
    doseId,
    doseIds,
  };
}
