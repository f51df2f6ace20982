import { EXPORT_TYPES } from '#app/domain/records/type-names.ts';
import { SECOND_MS } from '#app/domain/time/calendar.ts';
import { JsonFault, JsonStream, type JsonPath } from './json-stream.ts';
import { LEFT_OUT, type PhoneMeasurements, type PhoneReading } from './phone-measurements.ts';
import {
  readPhoneTime,
  zoneOffset,
  type PhoneTime,
  readPhoneValue,
  type PhoneMetric,
} from './phone-values.ts';

/** An object's fields by their names without case and signs: `startTime` and `start_time` are one. */
type Fields = ReadonlyMap<string, unknown>;

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function fieldsOf(value: unknown): Fields | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return new Map(Object.entries(value).map(([name, field]) => [plain(name), field]));
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The first of some fields that holds text or a number. */
function textAt(fields: Fields, ...names: string[]): string | null {
  for (const name of names) {
    const text = textOf(fields.get(name));
    if (text !== null) return text;
  }
  return null;
}

const MAX_SOURCE = 100;
/** Most points of a metric to hold until its name is known, which may come after them. */
const MAX_WAITING = 200_000;

/** The units of Health Connect's `in…` properties of a quantity. */
const GETTERS: Readonly<Record<string, string>> = {
  inkilograms: 'kg',
  ingrams: 'g',
  inpounds: 'lb',
  inounces: 'oz',
  inmillimetersofmercury: 'mmHg',
  inmillimolesperliter: 'mmol/L',
  inmilligramsperdeciliter: 'mg/dL',
};

const NAMED_UNITS: Readonly<Record<string, string>> = {
  kilograms: 'kg',
  grams: 'g',
  pounds: 'lb',
  ounces: 'oz',
  millimetersofmercury: 'mmHg',
  millimolesperliter: 'mmol/L',
  milligramsperdeciliter: 'mg/dL',
  percent: '%',
  bpm: 'bpm',
};

interface Quantity {
  value: string;
  unit: string;
}

/** A quantity however a tool writes it: `72.5`, `{inKilograms: 72.5, …}`, `{value: 72.5, unit: "kilograms"}`. */
function quantityOf(value: unknown, unit: string, named: string | null = null): Quantity | null {
  const text = textOf(value);
  if (text !== null) return { value: text, unit: named ?? unit };
  const fields = fieldsOf(value);
  if (fields === null) return null;
  for (const [getter, known] of Object.entries(GETTERS)) {
    const inUnit = textAt(fields, getter);
    if (inUnit !== null) return { value: inUnit, unit: known };
  }
  const plainValue = textAt(fields, 'value');
  const itsUnit = textAt(fields, 'unit', 'units') ?? named ?? unit;
  return plainValue === null ? null : { value: plainValue, unit: NAMED_UNITS[plain(itsUnit)] ?? itsUnit };
}

/** Health Auto Export's names of metrics (its wiki, "API Export – JSON Format"). */
const METRIC_NAMES: Readonly<
  Record<string, { metric: PhoneMetric; add: 'addReading' | 'addResting' | 'addPulse' }>
> = {
  weightbodymass: { metric: 'weight', add: 'addReading' },
  bodymass: { metric: 'weight', add: 'addReading' },
  bodyfatpercentage: { metric: 'bodyFat', add: 'addReading' },
  bloodglucose: { metric: 'glucose', add: 'addReading' },
  restingheartrate: { metric: 'heartRate', add: 'addResting' },
  heartrate: { metric: 'heartRate', add: 'addPulse' },
};

/**
 * Health Connect's record types (androidx.health.connect.client.records) without the "Record" at the end, the fields that
 * hold the value, and its unit if the file does not give one.
 */
const RECORDS: Readonly<
  Record<
    string,
    { metric: PhoneMetric; add: 'addReading' | 'addResting' | 'addPulse'; at: [string, string][] }
  >
> = {
  weight: {
    metric: 'weight',
    add: 'addReading',
    at: [
      ['weight', 'kg'],
      ['kilograms', 'kg'],
      ['value', 'kg'],
    ],
  },
  bodyfat: {
    metric: 'bodyFat',
    add: 'addReading',
    at: [
      ['percentage', '%'],
      ['value', '%'],
    ],
  },
  bloodglucose: {
    metric: 'glucose',
    add: 'addReading',
    at: [
      ['level', 'mmol/L'],
      ['mmolperliter', 'mmol/L'],
      ['mgperdl', 'mg/dL'],
      ['value', 'mmol/L'],
    ],
  },
  restingheartrate: {
    metric: 'heartRate',
    add: 'addResting',
    at: [
      ['beatsperminute', 'bpm'],
      ['bpm', 'bpm'],
      ['value', 'bpm'],
    ],
  },
  heartrate: {
    metric: 'heartRate',
    add: 'addPulse',
    at: [
      ['beatsperminute', 'bpm'],
      ['bpm', 'bpm'],
      ['value', 'bpm'],
    ],
  },
};

/** Stages that count as sleep: those of SleepSessionRecord by number and name, and those of Health Auto Export. */
const ASLEEP = new Set(
  [
    '2',
    '4',
    '5',
    '6',
    'sleeping',
    'light',
    'deep',
    'rem',
    'asleep',
    'core',
    'unspecified',
    'asleepunspecified',
  ].concat(['asleepcore', 'asleepdeep', 'asleeprem']),
);
const stageName = (stage: string): string => plain(stage).replace(/^(stagetype|sleepstage|stage)/, '');

/** Keys that a file of Health Connect's tools may begin with, besides the name of a type. */
const HEAD = new Set([
  'records',
  'timestamp',
  'appversion',
  'exportdate',
  'exportedat',
  'source',
  'device',
  'devicename',
  'data',
  'metrics',
]);
const typeName = (name: string): string => plain(name).replace(/(record)?s?$/, '');
const TYPES = new Set([
  ...Object.keys(RECORDS),
  ...[
    'bloodpressure',
    'sleepsession',
    'sleep',
    'step',
    'distance',
    'height',
    'activecaloriesburned',
    'hydration',
  ],
  ...[
    'totalcaloriesburned',
    'oxygensaturation',
    'exercisesession',
    'exercise',
    'bodytemperature',
    'respiratoryrate',
  ],
  ...[
    'nutrition',
    'heartratevariabilityrmssd',
    'leanbodymass',
    'basalmetabolicrate',
    'floorsclimbed',
    'vo2max',
  ],
]);

/** Whether a JSON text with this beginning is health data from a phone and not a Vialbook export. */
export function isPhoneJson(begin: string): boolean {
  const [, name] = /^\s*\{\s*"([^"\\]{1,60})"/.exec(begin) ?? [];
  if (name === undefined || name === 'metadata' || EXPORT_TYPES.some((type) => type === name)) return false;
  return HEAD.has(plain(name)) || TYPES.has(typeName(name));
}

interface Metric {
  name: string | null;
  units: string;
  waiting: unknown[];
}

/**
 * Reads health data from a phone's JSON: Health Auto Export's `{"data":{"metrics":[{"name","units","data":[…]}]}}`, and
 * lists of Health Connect's records, either by type (`{"Weight":[…]}`, as react-native-health-connect and HC Webhook
 * write them) or all in `records`, each with its `recordType`.
 */
export class PhoneJson {
  private readonly stream: JsonStream;
  private metric: Metric = { name: null, units: '', waiting: [] };
  private lines = new Map<string, number>();

  constructor(
    private readonly into: PhoneMeasurements,
    private readonly timeZone: string,
  ) {
    this.stream = new JsonStream({
      isWhole: (path) => typeof path.at(-1) === 'number' && !isMetric(path),
      onValue: (path, value) => this.take(path, value),
      onEnd: (path) => {
        if (isMetric(path)) this.endMetric();
      },
    });
  }

  /** @throws JsonFault */
  push(text: string): void {
    this.stream.push(text);
  }

  /** @throws JsonFault */
  end(): void {
    this.stream.end();
  }

  private take(path: JsonPath, value: unknown): void {
    const metricAt = path.indexOf('metrics');
    if (metricAt >= 0 && isMetric(path.slice(0, metricAt + 2)))
      this.takeOfMetric(path.slice(metricAt + 2), value);
    else if (typeof path.at(-1) === 'number') this.record(listOf(path), value);
  }

  private takeOfMetric(path: JsonPath, value: unknown): void {
    const [field] = path;
    if (field === 'name') this.metric.name = String(value);
    else if (field === 'units') this.metric.units = textOf(value) ?? '';
    else if (field === 'data' && path.length === 2) {
      this.metric.waiting.push(value);
      if (this.metric.waiting.length > MAX_WAITING)
        throw new JsonFault('One metric in this file has too many points. Export fewer days at once.');
    }
  }

  private endMetric(): void {
    const { name, units, waiting } = this.metric;
    this.metric = { name: null, units: '', waiting: [] };
    const type = name ?? 'metric without a name';
    waiting.forEach((value, index) => {
      const fields = fieldsOf(value);
      if (fields === null) this.into.bad(type, index + 1, 'This is not a record');
      else this.point(type, units, fields, index + 1);
    });
  }

  /** A point of Health Auto Export. */
  private point(type: string, units: string, fields: Fields, line: number): void {
    const name = plain(type);
    if (name === 'sleepanalysis') return this.sleepPoint(type, units, fields, line);
    if (name === 'bloodpressure') return this.pressure(type, fields, line, units || 'mmHg');
    const known = Object.hasOwn(METRIC_NAMES, name) ? METRIC_NAMES[name] : undefined;
    if (known === undefined) return this.into.leaveOut(type, LEFT_OUT.unknown);
    const { metric, add } = known;
    const quantity = { value: textAt(fields, 'qty', 'avg', 'value') ?? '', unit: units };
    this.add(type, {
      metric,
      add,
      quantity,
      time: this.timeOf(type, fields, line),
      source: sourceOf(fields),
      line,
    });
  }

  private add(
    type: string,
    reading: {
      metric: PhoneMetric;
      add: 'addReading' | 'addResting' | 'addPulse';
      quantity: Quantity;
      time: PhoneTime | null;
      source: string;
      line: number;
    },
  ): void {
    const { metric, add, quantity, time, source, line } = reading;
    if (time === null) return;
    const value = readPhoneValue(metric, { ...quantity });
    if (typeof value === 'string') this.into.bad(type, line, value);
    else this.into[add](type, { ...time, ...value, metric, source, line } satisfies PhoneReading);
  }

  private pressure(type: string, fields: Fields, line: number, unit: string): void {
    const time = this.timeOf(type, fields, line);
    if (time === null) return;
    for (const metric of ['systolic', 'diastolic'] as const) {
      const quantity = quantityOf(fields.get(metric), unit);
      const value = readPhoneValue(metric, { value: quantity?.value ?? '', unit: quantity?.unit ?? unit });
      if (typeof value === 'string') this.into.bad(type, line, `${metric}: ${value}`);
      else this.into.addPressure(type, { ...time, ...value, metric, source: sourceOf(fields), line });
    }
  }

  /** Sleep from Health Auto Export: a stage with its start and end, or the totals of a night. */
  private sleepPoint(type: string, units: string, fields: Fields, line: number): void {
    const stage = textAt(fields, 'value', 'stage');
    if (stage !== null && textAt(fields, 'startdate', 'start') !== null) {
      if (!ASLEEP.has(stageName(stage))) return this.into.leaveOut(`${type}: ${stage}`, LEFT_OUT.awake);
      return this.span(type, fields, ['startdate', 'start'], ['enddate', 'end'], line);
    }
    const [from, to] = [this.instant(fields, 'sleepstart'), this.instant(fields, 'sleepend')];
    const time = to ?? this.timeOf(type, fields, line);
    if (time === null) return;
    const total =
      Number(textAt(fields, 'totalsleep') ?? 0) || Number(textAt(fields, 'asleep') ?? 0) || stagesOf(fields);
    const hours = /^min/i.test(units) ? total / 60 : total;
    if (!Number.isFinite(hours) || hours < 0 || hours > 24)
      return this.into.bad(
        type,
        line,
        `value: Sleep must be from 0 to 24 h, not ${String(hours).slice(0, 20)} h`,
      );
    this.into.addNight(type, { ...time, from: from?.at ?? null, hours, isWholeDay: to === null, line });
  }

  /** A record of Health Connect. @param list the name of the list it is in */
  private record(list: string, value: unknown): void {
    const line = (this.lines.get(list) ?? 0) + 1;
    if (this.lines.has(list) || this.lines.size < 1000) this.lines.set(list, line);
    const fields = fieldsOf(value);
    if (fields === null) return this.into.leaveOut(list, LEFT_OUT.unknown);
    const type = textAt(fields, 'recordtype', 'type') ?? list;
    const name = typeName(type);
    if (name === 'bloodpressure') return this.pressure(type, fields, line, 'mmHg');
    if (name === 'sleepsession' || name === 'sleep') return this.session(type, fields, line);
    const known = Object.hasOwn(RECORDS, name) ? RECORDS[name] : undefined;
    if (known === undefined) return this.into.leaveOut(type, LEFT_OUT.unknown);
    const samples = fields.get('samples');
    const source = sourceOf(fields);
    if (Array.isArray(samples)) {
      for (const sample of samples)
        this.sample(type, known, { fields, sample: fieldsOf(sample), source, line });
    } else this.sample(type, known, { fields, sample: fields, source, line });
  }

  private sample(
    type: string,
    { metric, add, at }: (typeof RECORDS)[string],
    { fields, sample, source, line }: { fields: Fields; sample: Fields | null; source: string; line: number },
  ): void {
    if (sample === null) return this.into.bad(type, line, 'This is not a record');
    const named = textAt(sample, 'unit', 'units');
    const [quantity] = at.flatMap(([name, unit]) => {
      const found = quantityOf(
        sample.get(name),
        unit,
        named === null ? null : (NAMED_UNITS[plain(named)] ?? named),
      );
      return found === null ? [] : [found];
    });
    const time = this.timeOf(type, sample, line, fields);
    this.add(type, { metric, add, quantity: quantity ?? { value: '', unit: '' }, time, source, line });
  }

  /** A night of Health Connect: its stages, or the whole of it if it has none. */
  private session(type: string, fields: Fields, line: number): void {
    const stages = fields.get('stages');
    if (Array.isArray(stages) && stages.length > 0) {
      for (const one of stages) {
        const stage = fieldsOf(one);
        const name = stage && textAt(stage, 'stage', 'type', 'value');
        if (stage === null || name === null) this.into.bad(type, line, 'stages: This is not a sleep stage');
        else if (ASLEEP.has(stageName(name)))
          this.span(type, stage, ['starttime', 'start'], ['endtime', 'end'], line, fields);
        else this.into.leaveOut(`${type}: stage ${name}`, LEFT_OUT.awake);
      }
      return;
    }
    const length = Number(textAt(fields, 'durationseconds') ?? Number.NaN);
    const end = this.instant(fields, 'sessionendtime');
    if (end !== null && Number.isFinite(length))
      this.into.addSleep(type, { at: end.at - length * SECOND_MS, offset: end.offset, end: end.at, line });
    else this.span(type, fields, ['starttime', 'start'], ['endtime', 'end'], line);
  }

  private span(
    type: string,
    fields: Fields,
    begins: string[],
    ends: string[],
    line: number,
    outer: Fields = fields,
  ): void {
    const [begin, end] = [this.instantAt(fields, begins, outer), this.instantAt(fields, ends, outer)];
    if (begin === null || end === null)
      this.into.bad(type, line, 'startTime: Sleep needs a start and an end');
    else this.into.addSleep(type, { ...begin, end: end.at, line });
  }

  private timeOf(type: string, fields: Fields, line: number, outer: Fields = fields): PhoneTime | null {
    const time = this.instantAt(fields, ['date', 'time', 'starttime', 'timestamp', 'startdate'], outer);
    if (time === null) this.into.bad(type, line, 'time: This is not a date and time');
    return time;
  }

  private instantAt(fields: Fields, names: readonly string[], outer: Fields): PhoneTime | null {
    for (const name of names) {
      const time = this.instant(fields, name, outer);
      if (time !== null) return time;
    }
    return null;
  }

  /** An instant as text or in (milli)seconds, with the zone next to it, of the record or of the account. */
  private instant(fields: Fields, name: string, outer: Fields = fields): PhoneTime | null {
    const text = textOf(fields.get(name));
    if (text === null) return null;
    const count = /^\d{10}(?:\d{3})?$/.test(text)
      ? Number(text) * (text.length === 10 ? SECOND_MS : 1)
      : null;
    const time = count === null ? readPhoneTime(text, this.timeZone) : { at: count, offset: 0 };
    if (time === null || (count === null && !text.toUpperCase().endsWith('Z'))) return time;
    const offset = offsetAt(fields) ?? offsetAt(outer) ?? zoneOffset(time.at, this.timeZone);
    return { at: time.at, offset };
  }
}

const isMetric = (path: JsonPath): boolean =>
  (path.length === 3 && path[0] === 'data' && path[1] === 'metrics') ||
  (path.length === 2 && path[0] === 'metrics');

/** The name of the innermost list of a path. */
const listOf = (path: JsonPath): string =>
  String(path.findLast((step) => typeof step === 'string' && step !== '') ?? 'records');

function stagesOf(fields: Fields): number {
  return ['core', 'deep', 'rem'].reduce((sum, stage) => sum + (Number(textAt(fields, stage) ?? 0) || 0), 0);
}

/** The app or device that wrote a record. */
function sourceOf(fields: Fields): string {
  const metadata = fieldsOf(fields.get('metadata'));
  const origin = fields.get('dataorigin') ?? metadata?.get('dataorigin');
  const packageName = fieldsOf(origin)?.get('packagename');
  return (textAt(fields, 'source', 'sourcename') ?? textOf(origin) ?? textOf(packageName) ?? '').slice(
    0,
    MAX_SOURCE,
  );
}

/** `zoneOffset` as text, as `{id}` or as `{totalSeconds}`, in minutes. */
function offsetAt(fields: Fields): number | null {
  const zone = fields.get('zoneoffset') ?? fields.get('startzoneoffset');
  const parts = fieldsOf(zone);
  const seconds = parts === null ? null : textAt(parts, 'totalseconds');
  if (seconds !== null) return /^-?\d{1,5}$/.test(seconds) ? Math.round(Number(seconds) / 60) : null;
  const text = textOf(zone) ?? (parts === null ? null : textAt(parts, 'id'));
  if (text === null) return null;
  const time = readPhoneTime(`2000-01-01 00:00:00 ${text}`, 'UTC');
  return time === null ? null : time.offset;
}
