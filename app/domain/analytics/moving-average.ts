import { DAY_MS } from '#app/domain/time/calendar.ts';

/** A value of a day. */
export interface DayValue {
  day: string;
  value: number;
}

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

/**
 * The mean of the values of the last `window` days up to and with each day that has one. Days without a value are not
 * zero, they are left out.
 * @param values one a day, in order
 */
export function movingAverage(values: readonly DayValue[], window: number): DayValue[] {
  const averaged: DayValue[] = [];
  let oldest = 0;
  let sum = 0;
  for (const [index, { day, value }] of values.entries()) {
    sum += value;
    while (dayNumber(values[oldest]?.day ?? day) <= dayNumber(day) - window) {
      sum -= values[oldest]?.value ?? 0;
      oldest += 1;
    }
    averaged.push({ day, value: sum / (index - oldest + 1) });
  }
  return averaged;
}
