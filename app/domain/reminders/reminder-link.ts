import { shownInstant } from '#app/domain/time/format-instant.ts';

/** A dose as the page of a link shows it. */
export interface ActDose {
  name: string;
  /** "250 mcg" */
  amount: string;
  /** "9 Mar 2026, 08:30" in the dose's zone. */
  due: string;
  timeZone: string;
  /** "taken", when something was done about it; null while it is open. */
  doneAs: string | null;
  warnings: readonly string[];
}

/** As much of a dose as that page needs. */
export interface LinkedDose {
  name: string;
  doseAmount: string;
  doseUnit: string;
  dueDate: Date;
  timeZone: string;
  status: string;
}

/** @param warnings what there is to say about taking it now */
export function actDose(dose: LinkedDose, warnings: readonly { message: string }[]): ActDose {
  const { name, doseAmount, doseUnit, dueDate, timeZone, status } = dose;
  return {
    name,
    amount: `${doseAmount} ${doseUnit}`,
    due: shownInstant(dueDate, timeZone),
    timeZone,
    doneAs: status === 'taken' || status === 'skipped' ? status : null,
    warnings: warnings.map(({ message }) => message),
  };
}
