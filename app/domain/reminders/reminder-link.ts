import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import { zoneName, shownInstant } from '#app/domain/time/zoned-time.ts';
import { plannedWords, type Blend } from '#app/domain/vials/contents.ts';

/** Shown for a link that no longer works. Not among the other messages, so that the page does not load their schemas. */
export const LINK_IS_OVER = 'This link has already been used, has expired, or is incomplete.';

/** A dose as the page behind a reminder link shows it. */
export interface ActDose {
  name: string;
  /** "250 mcg"; of a blend each component. */
  amount: string;
  /** "9 Mar 2026, 08:30" in the dose's zone. */
  due: string;
  timeZone: string;
  /** Its status once logged, such as "taken"; null while pending. */
  doneAs: string | null;
  warnings: readonly { code: string; message: string }[];
  /** What changed since the last dose of the compound; null when nothing did. */
  readBack: string | null;
  /** Tomorrow at the same time of day: "2026-03-10T08:30"; null if the dose cannot be moved. */
  tomorrow: string | null;
}

/** The part of a dose that the page needs. */
export interface LinkedDose {
  name: string;
  doseAmount: string;
  doseUnit: DoseUnit;
  /** The blend it is drawn from; absent for a single peptide. */
  blend?: Blend | null | undefined;
  dueDate: Date;
  timeZone: string;
  status: string;
  scheduleId: string | null;
}

/**
 * @param warnings the warnings that taking it now would raise
 * @param readBack what changed since the last dose of the compound
 */
export function actDose(
  dose: LinkedDose,
  { warnings, readBack, tomorrow }: Pick<ActDose, 'warnings' | 'readBack' | 'tomorrow'>,
): ActDose {
  const { name, dueDate, timeZone, status } = dose;
  return {
    name,
    amount: plannedWords(dose),
    due: shownInstant(dueDate, timeZone),
    timeZone: zoneName(timeZone),
    doneAs: status === 'taken' || status === 'skipped' ? status : null,
    warnings: warnings.map(({ code, message }) => ({ code, message })),
    readBack,
    tomorrow: status === 'pending' && dose.scheduleId !== null ? tomorrow : null,
  };
}
