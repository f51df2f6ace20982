import { namedDose, plannedWords, type Blend } from '#app/domain/vials/contents.ts';
import { DateTime } from 'luxon';
import type { ReminderStage, ReminderType } from './reminder-constants.ts';

/** What a reminder of a dose contains. */
export interface RemindedDose {
  name: string;
  /** Decimal text, in `doseUnit`. */
  doseAmount: string;
  doseUnit: 'mg' | 'mcg';
  /** What it is drawn from; absent for a single peptide. */
  blend?: Blend | null | undefined;
  dueDate: Date;
  /** IANA name of the zone the dose is timed in. */
  timeZone: string;
}

/** The message with names and amounts, and without. */
export interface ReminderWords {
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

/** The title of a reminder; in discreet mode only the product's name. */
export function reminderTitle(type: ReminderType, discreet = false): string {
  return discreet ? 'Vialbook' : TITLES[type];
}

const WHEN: Record<ReminderStage, (time: string) => string> = {
  upcoming: (time) => `is due at ${time}`,
  due: (time) => `is due now (${time})`,
  overdue: (time) => `was due at ${time}`,
};

/** The messages about a dose at a stage: "BPC-157, 250 mcg, is due at 08:00."; of a blend with each component. */
export function reminderTexts(dose: RemindedDose, stage: ReminderStage): ReminderWords {
  const time = DateTime.fromJSDate(dose.dueDate, { zone: dose.timeZone }).toFormat('HH:mm');
  const when = WHEN[stage](time);
  return {
    message: `${namedDose(dose.name, plannedWords(dose), dose.blend)}, ${when}.`,
    discreet: `An entry in your notebook ${when}.`,
  };
}

/** The discreet message of every reminder that is not about a dose. */
export const DISCREET_OTHER = 'Something in your notebook needs your attention.';
