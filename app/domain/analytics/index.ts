export { compareDays, LEAST_SAMPLE, type Comparison, type EffectDayInput, type Sample } from './compare.ts';
export { dayMeans, type MomentSum } from './day-means.ts';
export { heatRows, type HeatDay, type HeatRow } from './heat.ts';
export { movingAverage, type DayValue } from './moving-average.ts';
export {
  daysOf,
  DEFAULT_PERIOD,
  labelDays,
  PERIODS,
  periodUpTo,
  readPeriod,
  type Period,
  type PeriodDays,
} from './periods.ts';
export { spendOf, type Paid, type SpendOf } from './spend.ts';
