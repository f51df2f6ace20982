export { addressClass } from './address-class.ts';
export { effectLength, type EffectSpan } from './effect-length.ts';
export {
  MAX_LISTED_VIEWS,
  MAX_SHARES,
  noShare,
  SHARE_DAYS,
  shareEnd,
  shareState,
  type ShareDays,
  type ShareState,
  type ShareTerm,
} from './share.ts';
export {
  doseCells,
  doseColumns,
  effectCells,
  effectColumns,
  latenessOf,
  siteCells,
  siteColumns,
  vialCells,
  VIAL_COLUMNS,
  type ReportDose,
  type ReportEffect,
  type ReportSite,
} from './rows.ts';
export {
  measurementCells,
  measurementColumns,
  measurementSummary,
  SUMMARY_COLUMNS,
  type ReportMeasurement,
} from './measurements.ts';
export { effectKinds, KIND_COLUMNS } from './effect-kinds.ts';
export {
  byMonth,
  monthAdherence,
  monthCounter,
  MOST_IN_ONE_PIECE,
  shownMonth,
  type MonthSummary,
} from './months.ts';
export { cappedNote, MAX_LISTED } from './listed.ts';
export {
  minutesLate,
  ON_TIME_MINUTES,
  summariseTiming,
  timingSummaryText,
  timingText,
  type TimingCounts,
  type TimingSummary,
} from './timing.ts';
export type { ClinicianReport, ReportAdherence, ReportColumn, ReportMonth, ReportSection } from './types.ts';
