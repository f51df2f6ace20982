export { byDayPart, DAY_PART_WORDS, DAY_PARTS, dayPartOf, type DayPart } from './day-parts.ts';
export { isTooSoon, usualSpacingMinutes, type SpacedPlan } from './spacing.ts';
export { DOSE_STATUSES, STATUS_WORDS, type DoseStatus } from './status.ts';
export {
  missedAt,
  OVERDUE_AFTER_MINUTES,
  reminderAfterUndo,
  urgencyOf,
  type ReminderState,
  type Urgency,
} from './timing.ts';
export {
  beforeChange,
  DOSE_CHANGES,
  mayBecome,
  mayUndo,
  type ChangingDose,
  type DoseBefore,
  type DoseChange,
} from './transitions.ts';
export {
  DOSE_WARNINGS,
  doseWarnings,
  TOO_SOON,
  unconfirmed,
  type DoseWarning,
  type DoseWarningCode,
} from './warnings.ts';
export { doseInMg, doseText, isDoseAmount } from './amount.ts';
export { doseLine, durationText, type DoseLine, type LineDose } from './dose-line.ts';
export { drawLines, type DrawLine, type Listed, type Today } from './draw-line.ts';
