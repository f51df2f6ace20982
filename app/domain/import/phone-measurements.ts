import { plural } from '#app/domain/text/plural.ts';
import { Decimal, plainText } from '#app/domain/decimal/decimal.ts';
import type { BadRow, HealthFileSummary, RawFile, RawRow } from '#app/domain/records/record-type.ts';
import { dayNumber, dayText, DAY_MS, HOUR_MS, MINUTE_MS } from '#app/domain/time/calendar.ts';
import { canonicalValue, limitsText, METRICS } from '#app/domain/tracking/measurements.ts';
import { phoneText, type PhoneTime, type PhoneMetric, type PhoneValue } from './phone-values.ts';

/** Most readings of a measure that are kept one by one for a day; a sensor that takes more becomes the day's mean. */
const READINGS_A_DAY = 24;

/** Nights are counted from 18:00 to 18:00: sleep after this hour belongs to the next day. */
const NIGHT_ENDS = 18;

/** Most separate pieces of sleep, or totals, of one night: each further one is compared with all of them. */
const PIECES_A_NIGHT = 1000;

/** Most types and reasons that are named one by one. */
const MAX_NAMED = 200;
const MAX_NAME = 100;

const FIRST_DAY = dayNumber('2000-01-01');

/** How the records of each kind are imported, shown to the user. */
export const TAKEN = {
  each: 'Each reading, or the mean of a day with more than 24',
  heartRate: 'The mean of each finished day without a resting heart rate',
  resting: 'Each value of a finished day',
  pressure: 'Pairs of systolic and diastolic',
  sleep: 'Hours asleep per night (18:00 to 18:00); overlapping sources count once',
} as const;

export const LEFT_OUT = {
  unknown: 'Vialbook does not store this type',
  awake: 'Not asleep',
  early: 'Before the year 2000',
  half: 'A blood pressure with only one of its two numbers',
  unfinishedDay: 'The day was not over yet',
  unfinishedNight: 'The night was not over yet (it counts until 18:00)',
  resting: 'The day has a resting heart rate',
} as const;

/** One value of a file. */
export interface PhoneReading extends PhoneTime, PhoneValue {
  metric: PhoneMetric;
  /** The app or device that wrote it. */
  source: string;
  line: number;
}

/** A period of sleep. `at` is its start. */
export interface PhoneSleep extends PhoneTime {
  end: number;
  line: number;
}

/** The total hours of a night, as given in a file. `at` is when it ended. */
export interface PhoneNight extends PhoneTime {
  /** When it began; null if the file does not say. */
  from: number | null;
  hours: number;
  /** `at` is only the day that the night belongs to. */
  isWholeDay: boolean;
  line: number;
}

/** A running sum for a mean, in whole millionths so that it is exact. */
interface Sum {
  unit: string;
  millionths: number;
  count: number;
  offset: number;
  line: number;
}

interface Night {
  /** Starts and ends in turn, sorted and not overlapping. */
  spans: number[];
  /** Totals from sources that give no stages. */
  sums: { from: number; to: number; hours: number }[];
  offset: number;
  line: number;
}

interface Pressure extends PhoneTime {
  source: string;
  line: number;
  systolic?: PhoneValue;
  diastolic?: PhoneValue;
}

const dayOf = ({ at, offset }: PhoneTime): number => Math.floor((at + offset * MINUTE_MS) / DAY_MS);
/** The instant of an hour of a day, by the clock of its records. */
const instantOf = (day: number, hour: number, offset: number): number =>
  day * DAY_MS + hour * HOUR_MS - offset * MINUTE_MS;

const MILLION = 1_000_000;

/** Adds a span to sorted ones and merges those that touch. */
export function addSpan(spans: number[], from: number, to: number): void {
  let first = 0;
  while (first < spans.length && (spans[first + 1] ?? 0) < from) first += 2;
  let last = first;
  let [begin, end] = [from, to];
  while (last < spans.length && (spans[last] ?? 0) <= to) {
    begin = Math.min(begin, spans[last] ?? begin);
    end = Math.max(end, spans[last + 1] ?? end);
    last += 2;
  }
  spans.splice(first, last - first, begin, end);
}

/** Counts records by name; names beyond {@link MAX_NAMED} are counted together. */
class Counts {
  private readonly counts = new Map<string, { type: string; text: string; records: number }>();

  add(name: string, text: string, more = 1): void {
    const type = this.counts.has(`${name}\n${text}`) || this.counts.size < MAX_NAMED ? name : 'other types';
    const key = `${type}\n${text}`;
    const entry = this.counts.get(key) ?? { type: type.slice(0, MAX_NAME), text, records: 0 };
    entry.records += more;
    this.counts.set(key, entry);
  }

  list() {
    return [...this.counts.values()].sort((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0));
  }
}

/** Thrown when a file has too many readings to hold. */
export class TooManyReadings extends Error {}

/**
 * Turns a phone's records into measurements: single readings one by one, a sensor's thousands as daily means, sleep as
 * hours per night. Memory grows with the days of a file, not with its records. A finished day never changes, so a later
 * export of the same phone only adds to it.
 */
export class PhoneMeasurements {
  /** When the file was made: days that were not over then are left for the next one. */
  exportedAt: number;
  private file: RawFile = { rows: [], bad: [] };
  private readonly understood = new Counts();
  private readonly leftOut = new Counts();
  private readonly readings = new Map<string, PhoneReading[]>();
  private readonly sums = new Map<string, Sum>();
  private readonly resting = new Map<number, PhoneReading[]>();
  private readonly pulses = new Map<number, Sum>();
  private readonly pressures = new Map<string, Pressure>();
  private readonly nights = new Map<number, Night>();
  private kept = 0;

  /** @param most readings, days and pieces of sleep that are held @throws TooManyReadings beyond them */
  constructor(
    now: Date,
    private readonly most: number,
  ) {
    this.exportedAt = now.getTime();
  }

  /** Bad rows since the last call. */
  flush(): RawFile | null {
    const { file } = this;
    if (file.bad.length === 0) return null;
    this.file = { rows: [], bad: [] };
    return file;
  }

  bad(type: string, line: number, reason: string): void {
    this.file.bad.push({ type: type.slice(0, MAX_NAME), line, reason } satisfies BadRow);
  }

  leaveOut(type: string, reason: string, records = 1): void {
    this.leftOut.add(type, reason, records);
  }

  /** A value that is kept as it is. @param type its type as the file names it */
  addReading(type: string, reading: PhoneReading): void {
    if (this.isBeyondLimits(type, reading) || !this.isTaken(type, reading, TAKEN.each)) return;
    this.addTo(`${reading.metric} ${dayOf(reading)}`, reading);
  }

  /** A resting heart rate, which replaces the mean of its day. */
  addResting(type: string, reading: PhoneReading): void {
    if (this.isBeyondLimits(type, reading) || !this.isTaken(type, reading, TAKEN.resting)) return;
    const day = dayOf(reading);
    const there = this.resting.get(day) ?? [];
    if (there.length >= READINGS_A_DAY || isAmong(there, reading)) return;
    this.hold();
    this.resting.set(day, [...there, reading]);
  }

  /** One of the hundreds of heart rates that a watch takes in a day. */
  addPulse(type: string, reading: PhoneReading): void {
    if (this.isBeyondLimits(type, reading) || !this.isTaken(type, reading, TAKEN.heartRate)) return;
    const day = dayOf(reading);
    const sum = this.pulses.get(day);
    if (sum === undefined) this.hold();
    this.pulses.set(day, addToSum(sum, reading));
  }

  /** One number of a blood pressure, which waits for the other one of its source and time. */
  addPressure(type: string, reading: PhoneReading & { metric: 'systolic' | 'diastolic' }): void {
    if (this.isBeyondLimits(type, reading) || !this.isTaken(type, reading, TAKEN.pressure)) return;
    const { metric, at, offset, source, line, text, unit } = reading;
    const key = `${at} ${source}`;
    const pressure = this.pressures.get(key);
    if (pressure === undefined) this.hold();
    const pair: Pressure = pressure ?? { at, offset, source, line };
    pair[metric] ??= { text, unit };
    this.pressures.set(key, pair);
  }

  /** A period of sleep in any stage; where sources overlap, it counts once. */
  addSleep(type: string, { at, end, offset, line }: PhoneSleep): void {
    if (end <= at || end - at > DAY_MS) {
      this.bad(type, line, 'endDate: Sleep must end within 24 hours of its start');
      return;
    }
    if (!this.isTaken(type, { at, offset }, TAKEN.sleep)) return;
    const day = dayOf({ at: at + (24 - NIGHT_ENDS) * HOUR_MS, offset });
    const night = this.nights.get(day) ?? { spans: [], sums: [], offset, line };
    if (night.spans.length >= 2 * PIECES_A_NIGHT) return this.tooManyPieces(type, line);
    const before = night.spans.length;
    addSpan(night.spans, at, end);
    if (night.spans.length > before) this.hold();
    this.nights.set(day, night);
  }

  private tooManyPieces(type: string, line: number): void {
    this.bad(type, line, `A night can have at most ${PIECES_A_NIGHT} separate pieces of sleep`);
  }

  /** The total of a night; of two that overlap, the longer one counts. */
  addNight(type: string, { at, offset, from, hours, isWholeDay, line }: PhoneNight): void {
    if (!this.isTaken(type, { at, offset }, TAKEN.sleep) || hours === 0) return;
    const day = dayOf({ at: isWholeDay ? at : at - 1 + (24 - NIGHT_ENDS) * HOUR_MS, offset });
    const night = this.nights.get(day) ?? { spans: [], sums: [], offset, line };
    if (night.sums.length >= PIECES_A_NIGHT) return this.tooManyPieces(type, line);
    this.hold();
    const to = isWholeDay ? instantOf(day, 12, offset) : at;
    night.sums.push({ from: Math.min(from ?? to - hours * HOUR_MS, to - 1), to, hours });
    this.nights.set(day, night);
  }

  /** All rows in batches; the last batch has the summary of what was recognised and what was left out. */
  *finish(): Generator<RawFile> {
    for (const [, readings] of taken(this.readings))
      yield fileOf(readings.map((reading) => rowOfReading(reading)));
    for (const [key, sum] of taken(this.sums)) yield fileOf(this.rowOfSum(key, sum));
    // Heart rates are used only on days without a resting one.
    const restingDays = new Set(this.resting.keys());
    for (const [day, readings] of taken(this.resting)) yield fileOf(this.rowsOfResting(day, readings));
    for (const [day, sum] of taken(this.pulses))
      yield fileOf(this.rowOfPulses(day, sum, restingDays.has(day)));
    for (const [, pressure] of taken(this.pressures)) yield fileOf(this.rowsOfPressure(pressure));
    for (const [day, night] of taken(this.nights)) yield fileOf(this.rowOfNight(day, night));
    yield { ...this.file, health: this.summary() };
  }

  private summary(): HealthFileSummary {
    return {
      understood: this.understood.list().map(({ type, text, records }) => ({ type, records, taken: text })),
      leftOut: this.leftOut.list().map(({ type, text, records }) => ({ type, records, reason: text })),
    };
  }

  private hold(): void {
    this.kept += 1;
    if (this.kept > this.most) throw new TooManyReadings();
  }

  private isTaken(type: string, time: PhoneTime, taken: string): boolean {
    if (dayOf(time) < FIRST_DAY) {
      this.leaveOut(type, LEFT_OUT.early);
      return false;
    }
    this.understood.add(type, taken);
    return true;
  }

  /** Values in a mean are not checked later, so one that the form would refuse is refused here. */
  private isBeyondLimits(type: string, { metric: key, text, unit, line }: PhoneReading): boolean {
    const metric = METRICS.find((known) => known.key === key);
    if (metric === undefined || canonicalValue(metric, text, unit) !== null) return false;
    this.bad(type, line, `value: ${limitsText(metric)}, not ${text} ${unit}`);
    return true;
  }

  /** A day that has too many readings becomes their mean. */
  private addTo(key: string, reading: PhoneReading): void {
    const sum = this.sums.get(key);
    if (sum !== undefined) return void this.sums.set(key, addToSum(sum, reading));
    const readings = this.readings.get(key) ?? [];
    if (isAmong(readings, reading)) return;
    if (readings.length < READINGS_A_DAY) {
      this.hold();
      this.readings.set(key, [...readings, reading]);
      return;
    }
    this.readings.delete(key);
    this.sums.set(key, [...readings, reading].reduce<Sum | undefined>(addToSum, undefined) as Sum);
  }

  private isOver(day: number, { offset }: { offset: number }): boolean {
    return instantOf(day, 24, offset) <= this.exportedAt;
  }

  private rowOfSum(key: string, sum: Sum): RawRow[] {
    const [metric = '', day = ''] = key.split(' ');
    if (this.isOver(Number(day), sum)) return [meanRow(metric, Number(day), sum)];
    this.leaveOut(nameOf(metric), LEFT_OUT.unfinishedDay, sum.count);
    return [];
  }

  private rowsOfResting(day: number, readings: readonly PhoneReading[]): RawRow[] {
    const [first] = readings;
    if (first === undefined) return [];
    if (this.isOver(day, first)) return readings.map((reading) => rowOfReading(reading, 'Resting'));
    this.leaveOut('Resting heart rate', LEFT_OUT.unfinishedDay, readings.length);
    return [];
  }

  private rowOfPulses(day: number, sum: Sum, isResting: boolean): RawRow[] {
    if (!isResting && this.isOver(day, sum)) return [meanRow('heartRate', day, sum)];
    const reason = isResting ? LEFT_OUT.resting : LEFT_OUT.unfinishedDay;
    this.leaveOut(nameOf('heartRate'), reason, sum.count);
    return [];
  }

  private rowsOfPressure({ systolic, diastolic, ...common }: Pressure): RawRow[] {
    if (systolic === undefined || diastolic === undefined) {
      this.leaveOut('Blood pressure', LEFT_OUT.half);
      return [];
    }
    return [
      rowOfReading({ ...common, ...systolic, metric: 'systolic' }),
      rowOfReading({ ...common, ...diastolic, metric: 'diastolic' }),
    ];
  }

  private rowOfNight(day: number, { spans, sums, offset, line }: Night): RawRow[] {
    if (instantOf(day, NIGHT_ENDS, offset) > this.exportedAt) {
      this.leaveOut('Sleep', LEFT_OUT.unfinishedNight);
      return [];
    }
    const hours = spans.length > 0 ? spanHours(spans) : sumHours(sums);
    const value = hours.round(2).toFixed();
    const at = spans.at(-1) ?? Math.max(...sums.map(({ to }) => to));
    return [sleepRow(day, { value, at, line })];
  }
}

function spanHours(spans: readonly number[]): Decimal {
  const asleep = spans.reduce((sum, edge, index) => sum + (index % 2 === 0 ? -edge : edge), 0);
  return new Decimal(asleep).div(HOUR_MS);
}

/** Adds up from the longest; one that overlaps a longer one is the same sleep from another source. */
function sumHours(sums: Night['sums']): Decimal {
  const counted: Night['sums'] = [];
  for (const sum of sums.toSorted((a, b) => b.hours - a.hours))
    if (!counted.some(({ from, to }) => sum.from < to && from < sum.to)) counted.push(sum);
  return counted.reduce((hours, sum) => hours.plus(String(sum.hours)), new Decimal(0));
}

const nameOf = (metric: string): string => METRICS.find(({ key }) => key === metric)?.name ?? metric;

/** Entries of a map, which does not keep them. */
function* taken<K, V>(map: Map<K, V>): Generator<[K, V]> {
  for (const entry of map) {
    map.delete(entry[0]);
    yield entry;
  }
}

const fileOf = (rows: RawRow[]): RawFile => ({ rows, bad: [] });

const isAmong = (readings: readonly PhoneReading[], { at, source }: PhoneReading): boolean =>
  readings.some((there) => there.at === at && there.source === source);

function addToSum(sum: Sum | undefined, { text, unit, offset, line }: PhoneReading): Sum {
  const into = sum ?? { unit, millionths: 0, count: 0, offset, line };
  const value = into.unit === unit ? Number(text) : converted(text, unit, into.unit);
  into.millionths += Math.round(value * MILLION);
  into.count += 1;
  return into;
}

/** Converts between the two units of glucose or weight, for a day whose readings have both. */
function converted(text: string, from: string, to: string): number {
  for (const { metric, imperial } of METRICS) {
    const [one, other] = [metric, imperial].map((scale) => (scale.unit === from ? scale : null));
    const target = [metric, imperial].find((scale) => scale.unit === to);
    const scale = one ?? other;
    if (scale && target) return Number(new Decimal(text).times(scale.factor).div(target.factor).toFixed(6));
  }
  return Number(text);
}

interface RowFacts {
  metric: string;
  phoneKey: string;
  at: number;
  value: string;
  unit: string;
  notes?: string;
  line: number;
}

function rowOf({ metric, phoneKey, at, value, unit, notes, line }: RowFacts): RawRow {
  const cells = { metric, phoneKey, value, unit, measuredAt: new Date(at).toISOString() };
  return { type: 'measurements', line, cells: { ...cells, ...(notes !== undefined && { notes }) } };
}

/** A reading is identified by its measure, source and time. */
function rowOfReading(reading: PhoneReading, notes?: string): RawRow {
  const { metric, source, at, text: value, unit, line } = reading;
  const phoneKey = JSON.stringify([metric, source, new Date(at).toISOString()]);
  return rowOf({
    metric,
    phoneKey,
    at,
    value: plainText(value),
    unit,
    line,
    ...(notes !== undefined && { notes }),
  });
}

/** A day's mean is placed at noon and identified by its day. It has one decimal more than the measure shows. */
function meanRow(metric: string, day: number, { unit, millionths, count, offset, line }: Sum): RawRow {
  const decimals = (METRICS.find(({ key }) => key === metric)?.decimals ?? 0) + 1;
  const mean = new Decimal(millionths).div(count).div(MILLION).round(decimals);
  return rowOf({
    metric,
    phoneKey: JSON.stringify([metric, 'day', dayText(day)]),
    at: instantOf(day, 12, offset),
    value: phoneText(mean),
    unit,
    notes: `Mean of ${plural(count, 'reading')}`,
    line,
  });
}

/** A night's sleep is placed at its end and identified by its day. */
function sleepRow(day: number, { value, at, line }: { value: string; at: number; line: number }): RawRow {
  const phoneKey = JSON.stringify(['sleep', 'day', dayText(day)]);
  return rowOf({ metric: 'sleep', phoneKey, at, value, unit: 'h', line });
}
