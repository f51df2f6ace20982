export {
  ADHERENCE_FORMULA,
  addTallies,
  adherenceOf,
  NO_DOSES,
  type Adherence,
  type DoseTally,
} from './adherence.ts';
export {
  adherenceByWeek,
  adherenceOfAll,
  groupCounts,
  weekStart,
  type AdherenceGroup,
  type StatusCount,
} from './groups.ts';
export { currentStreak } from './streak.ts';
