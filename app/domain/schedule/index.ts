export { doseOfWeek, rampDose, rampSteps } from './amount.ts';
export { dayNumber, dayText } from './day-number.ts';
export {
  courseWords,
  describeSchedule,
  doseWords,
  frequencyWords,
  rampWords,
  WEEKDAY_NAMES,
} from './describe.ts';
export { isDoseDay, isOverBy } from './dose-days.ts';
export { occurrences, type OccurrenceWindow } from './occurrences.ts';
export { phasesOf, type Phase } from './phases.ts';
export {
  FREQUENCY_KINDS,
  SCHEDULE_DOSE_UNITS,
  WEEKDAYS,
  type Course,
  type Frequency,
  type FrequencyKind,
  type Occurrence,
  type Ramp,
  type ScheduleDoseUnit,
  type ScheduleRule,
  type Weekday,
} from './types.ts';
export {
  BUILT_IN_TEMPLATES,
  templateSources,
  type BuiltInTemplate,
  type TemplateFacts,
} from './templates.ts';
export { travelDoses, type TravelDose } from './travel.ts';
export { dosesToMake, type KeptDose } from './to-make.ts';
export {
  shownDay,
  shownDose,
  shownIn,
  shownPhases,
  shownPreview,
  type ShownDose,
  type ShownPhase,
  type ShownPreview,
} from './shown.ts';
export { firstOccurrences, nextOccurrence, PREVIEW_DOSES, previewDoses } from './upcoming.ts';
export { zoneClock, type ZoneClock } from './zone-clock.ts';
