import { DAY_MS, shownDay } from '#app/domain/time/calendar.ts';
import { shownInstantInZone } from '#app/domain/time/zoned-time.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';

/** The most proposals of an account that can wait at once. */
export const MAX_WAITING_PROPOSALS = 100;

/** How long a proposal waits for an answer, in ms. */
export const PROPOSAL_LIFE_MS = 7 * DAY_MS;

/** How long a proposal is kept after it was made, in ms. */
export const PROPOSAL_KEPT_MS = 30 * DAY_MS;

/** The longest values of a proposal, in characters of JSON: its owner must be able to read them all. */
export const MAX_PROPOSAL_LENGTH = 16_384;

/** The stored state of a proposal. `accepting`: its change is being made. */
export const STORED_STATES = ['waiting', 'accepting', 'accepted', 'declined'] as const;
export type StoredState = (typeof STORED_STATES)[number];

/** The state that the owner sees. `expired`: it waited too long. `interrupted`: its change was cut off. */
export const PROPOSAL_STATES = [...STORED_STATES, 'expired', 'interrupted'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

interface StateFacts {
  state: StoredState;
  expiresAt: Date;
  /** A change still being made after this time was cut off. */
  claimedUntil: Date | null;
}

export function proposalState({ state, expiresAt, claimedUntil }: StateFacts, now: Date): ProposalState {
  if (state === 'waiting' && expiresAt <= now) return 'expired';
  if (state === 'accepting' && (claimedUntil === null || claimedUntil <= now)) return 'interrupted';
  return state;
}

export const PROPOSAL_MESSAGES = {
  none: 'There is no such proposal.',
  noPart: 'There is nothing like that to remove.',
  tooMany: `${MAX_WAITING_PROPOSALS} proposals are already waiting. Their owner must answer some first.`,
  tooLong: 'This is too long for a proposal. Enter it on the page or send it through the JSON API.',
  waits: 'Nothing has changed yet. This is a proposal: it waits until the account’s owner accepts it at',
  accepted: 'Proposal accepted',
  declined: 'Proposal declined',
  allDeclined: 'All proposals declined',
  running: 'This proposal is already being carried out.',
  answered: 'This proposal has already been answered.',
  expired: 'This proposal has expired. Nothing was changed.',
  interrupted:
    'This change was interrupted and will not be retried. Check whether it took effect before you make it yourself.',
  changed: 'This has changed since you opened the page. Review it again before you accept.',
  unknown: 'This version of Vialbook no longer supports this change. Decline it.',
} as const;

/** One value that a proposal would change. */
export interface ChangeLine {
  /** In words: "Dose amount". */
  label: string;
  /** The current value; null if unknown. */
  before: string | null;
  after: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** "doseAmount" as "Dose amount". */
export function fieldLabel(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])|([a-z])(?=\d)/g, (found, one?: string, next?: string) =>
      next === undefined ? `${found} ` : `${one} ${next}`,
    )
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Invisible characters and those that change the text direction, which could make a value look like another one. */
const INVISIBLE = /[\p{Cc}\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})$/;

function textOf(value: string, timeZone: string): string {
  if (value === '') return 'empty';
  if (INSTANT.test(value) && !Number.isNaN(Date.parse(value)))
    return shownInstantInZone(new Date(value), timeZone);
  return value.replace(/[\r\n\t]+/g, ' ').replace(INVISIBLE, '\uFFFD');
}

/** A value as text; null for an object or a list of objects. */
function plainText(value: unknown, timeZone: string): string | null {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return Number.isFinite(value) ? figureText(String(value)) : String(value);
  if (typeof value === 'string') return textOf(value, timeZone);
  if (!Array.isArray(value)) return null;
  const parts = value.map((entry) => plainText(entry, timeZone));
  if (parts.includes(null)) return null;
  return parts.length === 0 ? 'none' : parts.join(', ');
}

/** The unit of an amount: named by another field, or fixed. */
interface UnitOf {
  namedBy?: string;
  unit?: string;
  /** What the amount is in, "/ml". */
  per?: string;
}

const DOSE: UnitOf = { namedBy: 'doseUnit' };
const CEILING: UnitOf = { namedBy: 'unit' };
const MG: UnitOf = { unit: 'mg' };
const ML: UnitOf = { unit: 'ml' };
const SUBSTANCE: UnitOf = { namedBy: 'amountUnit', unit: 'mg' };

/** The units of API fields whose values are plain numbers, by field name. */
const UNITS: Readonly<Record<string, UnitOf>> = {
  actualDose: DOSE,
  doseAmount: DOSE,
  dose: DOSE,
  'ramp.start': DOSE,
  'ramp.step': DOSE,
  'ramp.target': DOSE,
  perDose: CEILING,
  perDay: CEILING,
  per7Days: CEILING,
  value: { namedBy: 'unit' },
  desiredDose: { namedBy: 'desiredDoseUnit', unit: 'mg' },
  peptideAmount: SUBSTANCE,
  measuredAmount: SUBSTANCE,
  totalAmount: MG,
  remainingAmount: MG,
  'components.amount': MG,
  concentration: { namedBy: 'amountUnit', unit: 'mg', per: '/ml' },
  waterVolume: ML,
  containerVolume: ML,
  clickMl: ML,
  sprayMl: ML,
  deadSpaceMl: ML,
  drawVolume: ML,
  volume: ML,
};

/** A value as text, with its unit unless the value already names one. */
function measuredText(
  field: string,
  value: unknown,
  sources: readonly Fields[],
  timeZone: string,
): string | null {
  const text = plainText(value, timeZone);
  const { namedBy = '', unit, per = '' } = UNITS[field] ?? {};
  const named = sources.map((source) => source[namedBy]).find((found) => typeof found === 'string') ?? unit;
  const isAmount = typeof value === 'number' || (typeof value === 'string' && /\d\s*$/.test(value));
  return text === null || typeof named !== 'string' || !isAmount ? text : `${text} ${named}${per}`;
}

/** What the values of a proposal are compared with: the record as it is now, and the call's defaults. */
interface Comparison {
  values: Fields;
  subject: Fields | null;
  defaults: Fields;
  timeZone: string;
}

function linesOf(
  field: string,
  value: unknown,
  before: unknown,
  label: string,
  comparison: Comparison,
): ChangeLine[] {
  const { values, subject, defaults, timeZone } = comparison;
  const known = subject ?? {};
  const after = measuredText(field, value, [values, known, defaults], timeZone);
  if (after !== null) {
    const was = before === undefined ? null : measuredText(field, before, [known, defaults], timeZone);
    return [{ label, before: was, after }];
  }
  const old = (typeof before === 'object' && before !== null ? before : {}) as Fields;
  return Object.entries(value as object).flatMap(([name, part]) => {
    const [words, inside] = Array.isArray(value)
      ? [`${Number(name) + 1}`, field]
      : [fieldLabel(name).toLowerCase(), `${field}.${name}`];
    return linesOf(inside, part, old[name], `${label}, ${words}`, comparison);
  });
}

/**
 * The changes that a proposal would make, as text. Amounts always have their unit, even if the call leaves it to the
 * default, so that nobody accepts an amount in a unit they did not see.
 * @param subject the record to change, as it is now
 * @param timeZone for instants
 * @param defaults the call's default for each field
 */
export function changeLines(
  values: Fields,
  subject: Fields | null,
  timeZone: string,
  defaults: Fields = {},
): ChangeLine[] {
  const comparison = { values, subject, defaults, timeZone };
  return Object.entries(values)
    .flatMap(([name, value]) => linesOf(name, value, subject?.[name], fieldLabel(name), comparison))
    .filter(({ before, after }) => before !== after);
}

/** Fields that identify a record to a person, in order of preference. */
const KNOWN_BY = ['name', 'title', 'product', 'site', 'measure', 'email', 'state', 'status'] as const;
const DATED_BY = ['dueDate', 'takenAt', 'startedAt', 'orderedAt', 'date', 'at', 'startDate'] as const;

/** The record that a change is about: "BPC-157, due date 9 Mar 2026, 08:30 CET"; null if nothing identifies it. */
export function subjectText(subject: Fields | null, timeZone: string): string | null {
  if (subject === null) return null;
  const known = KNOWN_BY.map((name) => subject[name]).find((value) => typeof value === 'string');
  const dated = DATED_BY.find((name) => typeof subject[name] === 'string');
  const parts = [
    typeof known === 'string' ? textOf(known, timeZone) : null,
    dated === undefined
      ? null
      : `${fieldLabel(dated).toLowerCase()} ${textOf(String(subject[dated]), timeZone)}`,
  ];
  const text = parts.filter((part) => part !== null).join(', ');
  return text === '' ? null : text;
}

/** What parts of a record are called, by the list they are in. */
const PART_NAMES: Readonly<Record<string, string>> = {
  pauses: 'pause',
  swaps: 'change',
  images: 'picture',
  papers: 'document',
};

const CALENDAR_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A part of a record: one of its pauses or pictures. */
interface Part {
  list: string;
  name: string;
  /** From 0; -1 if there is no such part. */
  place: number;
  total: number;
  value: Fields | null;
}

/**
 * The part of a record that a change is about, with everything known about it, so that two never look alike: "pause 1 of 2
 * (first day 3 May 2027, last day 17 May 2027)".
 * @param subject the record, which names the units of its parts
 */
export function partText(
  { list, name, place, total, value }: Part,
  subject: Fields | null,
  timeZone: string,
): string {
  const noun = PART_NAMES[list] ?? fieldLabel(list).toLowerCase();
  if (value === null) return `${noun} ${textOf(name, timeZone)}`;
  const facts = Object.entries(value).flatMap(([field, fact]) => {
    if (field === 'id' || fact === null) return [];
    const isDay = typeof fact === 'string' && CALENDAR_DAY.test(fact);
    const text = isDay ? shownDay(fact) : measuredText(field, fact, [value, subject ?? {}], timeZone);
    return text === null ? [] : [`${fieldLabel(field).toLowerCase()} ${text}`];
  });
  return `${noun} ${place + 1} of ${total} (${facts.join(', ')})`;
}
