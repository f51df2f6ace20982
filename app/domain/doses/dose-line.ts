import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import { zoneName, shownInstant } from '#app/domain/time/zoned-time.ts';
import { DateTime } from 'luxon';
import { mayUndoMove, type DoseKey, type MovedDose } from '#app/domain/schedules/plan-changes.ts';
import { dayLabel, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { type Blend, givenWords, plannedWords } from '#app/domain/vials/contents.ts';
import { type DoseStatus, urgencyOf, type Urgency } from './dose.ts';

/** The fields of a dose that its line shows. */
export interface LineDose {
  id: string;
  /** Null or absent for a dose without a schedule. */
  scheduleId?: string | null;
  name: string;
  dueDate: Date;
  takenAt: Date | null;
  status: DoseStatus;
  doseAmount: string;
  actualDose: string | null;
  doseUnit: DoseUnit;
  /** The blend its schedule expects, and the one it was drawn from; absent for a single peptide. */
  blend?: Blend | null | undefined;
  drawn?: Blend | null | undefined;
  wallTime: string;
  timeZone: string;
  notes: string | null;
  before?: object | null;
  movedFrom?: DoseKey | null;
  moveHistory?: readonly MovedDose[] | null;
}

/** A dose in a list, as text. Days and times are in the owner's time zone. */
export interface DoseLine {
  id: string;
  name: string;
  /** When it is due: YYYY-MM-DD and HH:mm. */
  day: string;
  time: string;
  /** The instant, ISO 8601. */
  dueDate: string;
  status: DoseStatus;
  /** Of a pending dose. */
  urgency: Urgency;
  /** "Overdue by 2 h 30 min" */
  lateText: string | null;
  /** The amount taken, or planned if not taken: "250 mcg"; for a blend "BPC-157 250 mcg + TB-500 500 mcg". */
  amountText: string;
  /** "planned 300 mcg" when something else was taken. */
  plannedText: string | null;
  /** "Taken at 08:12"; with the day when it differs, "Taken on 10 Mar at 07:00". */
  takenText: string | null;
  /** "08:00 in Asia/Tokyo", if the time in the schedule's zone differs. */
  ownTimeText: string | null;
  /** "moved from Mon 9 Mar, 08:00", in the schedule's time zone. */
  movedText: string | null;
  notes: string | null;
  canUndo: boolean;
  canMove: boolean;
}

/** A duration in its two largest units: "40 min", "2 h 30 min", "1 d 3 h". */
export function durationText(minutes: number): string {
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const parts =
    days > 0 ? [`${days} d`, hours && `${hours} h`] : [hours && `${hours} h`, rest && `${rest} min`];
  return parts.filter(Boolean).join(' ') || '0 min';
}

function lateText(dueDate: Date, now: Date): string {
  return `Overdue by ${durationText(Math.floor((now.getTime() - dueDate.getTime()) / MINUTE_MS))}`;
}

function takenText(takenAt: Date, day: string, timeZone: string): string {
  const at = DateTime.fromJSDate(takenAt, { zone: timeZone }).setLocale('en-GB');
  const time = at.toFormat('HH:mm');
  return at.toFormat('yyyy-MM-dd') === day
    ? `Taken at ${time}`
    : `Taken on ${at.toFormat('d LLL')} at ${time}`;
}

const movedText = ({ localDay, wallTime }: DoseKey) => `moved from ${dayLabel(localDay)}, ${wallTime}`;

/** The moves of a dose in words, oldest first. @param timeZone the owner's */
export function moveHistoryTexts(history: readonly MovedDose[], timeZone: string): string[] {
  const shown = (instant: Date) => shownInstant(instant, timeZone);
  return history.map(
    ({ from, to, at, isUndo }) =>
      `${isUndo ? 'Moved back' : 'Moved'} on ${shown(at)}: from ${shown(from)} to ${shown(to)}`,
  );
}

/** A dose as a line of a list. @param timeZone the owner's */
export function doseLine(dose: LineDose, timeZone: string, now: Date): DoseLine {
  const { id, name, dueDate, takenAt, status, notes } = dose;
  const due = DateTime.fromJSDate(dueDate, { zone: timeZone });
  const [day, time] = [due.toFormat('yyyy-MM-dd'), due.toFormat('HH:mm')];
  const urgency = urgencyOf(dueDate, now);
  const amountText = givenWords(dose);
  const planned = plannedWords(dose);
  return {
    id,
    name,
    day,
    time,
    dueDate: dueDate.toISOString(),
    status,
    urgency,
    lateText: status === 'pending' && urgency === 'overdue' ? lateText(dueDate, now) : null,
    amountText,
    plannedText: planned === amountText ? null : `planned ${planned}`,
    takenText: takenAt === null ? null : takenText(takenAt, day, timeZone),
    ownTimeText: dose.wallTime === time ? null : `${dose.wallTime} in ${zoneName(dose.timeZone)}`,
    movedText: dose.movedFrom ? movedText(dose.movedFrom) : null,
    notes,
    canUndo: (dose.before ?? null) !== null || mayUndoMove(dose),
    canMove: status === 'pending' && (dose.scheduleId ?? null) !== null,
  };
}
