/**
 * The year of data in a demo account: vials, doses, side effects, measurements and orders. Days count back from today.
 * Nothing in it is a recommendation.
 */

/** The schedules started this many days ago: 51 whole weeks, so that the weekly dose is due today. */
export const STORY_DAYS = 51 * 7;

/** The week, counted from the start, whose doses were missed. */
export const MISSED_WEEK = 26;

/** One compound with its schedule and its vials. */
export interface StoryCompound {
  name: string;
  vialMg: string;
  waterMl: string;
  notes: string;
  /** The schedule's fields, as its form sends them. */
  plan: Readonly<Record<string, unknown>>;
  /** A new vial is opened after this many weeks, whatever is left in the last one. */
  weeksPerVial: number;
  /** On average, one in this many doses is skipped. */
  skippedOneIn: number;
}

export const WEEKLY: StoryCompound = {
  name: 'Semaglutide',
  vialMg: '5',
  waterMl: '2',
  notes: 'Raised every four weeks while the nausea fades.',
  plan: {
    frequency: { kind: 'interval', every: 7 },
    times: ['20:00'],
    doseUnit: 'mg',
    ramp: { start: '0.25', step: '0.25', everyWeeks: 4, target: '1.25' },
    route: 'subcutaneous',
  },
  weeksPerVial: 4,
  skippedOneIn: 60,
};

export const DAILY: StoryCompound = {
  name: 'BPC-157',
  vialMg: '5',
  waterMl: '2',
  notes: 'Eight weeks on, four weeks off.',
  plan: {
    frequency: { kind: 'daily' },
    times: ['08:00'],
    doseAmount: '250',
    doseUnit: 'mcg',
    course: { weeksOn: 8, weeksOff: 4 },
    route: 'subcutaneous',
  },
  weeksPerVial: 4,
  skippedOneIn: 30,
};

/** A blend, for a calculation, a vial and a schedule. */
export const BLEND = {
  peptideName: 'CJC-1295 + Ipamorelin',
  components: [
    { name: 'CJC-1295 without DAC', amount: '5' },
    { name: 'Ipamorelin', amount: '5' },
  ],
  doseOf: 'Ipamorelin',
  waterVolume: '2',
  desiredDose: '100',
} as const;

/** A container that was opened some weeks ago, with a schedule that started on that day. */
export interface StoryContainer {
  /** Few enough that the container can still be used. */
  daysAgo: number;
  /** The vial's fields, as its form sends them, without its date. */
  vial: Readonly<Record<string, unknown>>;
  /** Whether it is powder, which is reconstituted on that day. */
  isPowder: boolean;
  /** The schedule's fields, without its vial and first day. */
  plan: Readonly<Record<string, unknown>>;
}

/** A blend in mg, and a pen whose substance is measured in IU. */
export const CONTAINERS: readonly StoryContainer[] = [
  {
    daysAgo: 20,
    vial: {
      name: BLEND.peptideName,
      components: BLEND.components,
      waterMl: BLEND.waterVolume,
      lot: 'CI-0412',
      notes: 'Doses are of Ipamorelin; each comes with as much CJC-1295.',
    },
    isPowder: true,
    plan: {
      name: BLEND.peptideName,
      doseOf: BLEND.doseOf,
      doseAmount: BLEND.desiredDose,
      doseUnit: 'mcg',
      frequency: { kind: 'weekdays', weekdays: ['mon', 'wed', 'fri'] },
      times: ['22:00'],
      route: 'subcutaneous',
    },
  },
  {
    daysAgo: 25,
    vial: {
      name: 'Somatropin',
      form: 'pen',
      amountUnit: 'IU',
      totalAmount: '30',
      concentration: '10',
      clickMl: '0.05',
      lot: 'SO-118',
      notes: 'Half an IU a click, by the marks of this pen.',
    },
    isPowder: false,
    plan: {
      name: 'Somatropin',
      doseAmount: '2',
      doseUnit: 'IU',
      frequency: { kind: 'weekdays', weekdays: ['tue', 'sat'] },
      times: ['21:30'],
      route: 'subcutaneous',
    },
  },
];

/** Side effects: the day each started, its length in days and its severity. They fade over time. */
export const EFFECTS: readonly {
  day: number;
  days: number;
  name: string;
  severity: number;
  notes?: string;
}[] = [
  { day: 1, days: 3, name: 'Nausea', severity: 4, notes: 'The day after the first dose.' },
  { day: 3, days: 6, name: 'Fatigue', severity: 3 },
  { day: 8, days: 2, name: 'Nausea', severity: 4 },
  { day: 15, days: 2, name: 'Nausea', severity: 3 },
  { day: 18, days: 1, name: 'Injection-site reaction', severity: 2, notes: 'Thigh, gone by the evening.' },
  { day: 29, days: 3, name: 'Nausea', severity: 4, notes: 'After the step to 0.5 mg.' },
  { day: 31, days: 4, name: 'Constipation', severity: 3 },
  { day: 43, days: 1, name: 'Nausea', severity: 2 },
  { day: 57, days: 2, name: 'Nausea', severity: 3, notes: 'After the step to 0.75 mg.' },
  { day: 62, days: 1, name: 'Headache', severity: 2 },
  { day: 85, days: 1, name: 'Nausea', severity: 2, notes: 'After the step to 1 mg.' },
  { day: 113, days: 1, name: 'Nausea', severity: 2, notes: 'After the step to 1.25 mg.' },
  { day: 141, days: 1, name: 'Nausea', severity: 1 },
  { day: 215, days: 1, name: 'Injection-site reaction', severity: 1 },
];

/** Kilograms at the start and now. */
const WEIGHT = { first: 96.4, last: 82.1 };

/** The weight in kg in a week since the start: falling fast, then slowly, with some noise, and up a little after the missed week. */
export function weightOf(week: number, waver: number): string {
  const share = 1 - Math.exp(-week / 22);
  const whole = 1 - Math.exp(-51 / 22);
  const gained = week === MISSED_WEEK + 1 ? 0.6 : 0;
  const kg = WEIGHT.first - ((WEIGHT.first - WEIGHT.last) * share) / whole + gained + (waver - 0.5) * 0.8;
  return kg.toFixed(1);
}

/** The supplier of all orders, and another one for comparison. */
export const SUPPLIERS = {
  chosen: { name: 'Northfield Peptides', site: 'https://northfield.example', rating: '5' },
  other: { name: 'Harbour Research', site: 'https://harbour.example', rating: '3' },
} as const;

/** One order: how many days ago it was placed, and the price per vial. */
export interface StoryOrder {
  daysAgo: number;
  /** Days until the parcel arrived; null while it is on its way. */
  days: number | null;
  price: { weekly: string; daily: string };
  vials: { weekly: string; daily: string };
  lots: { weekly: string; daily: string };
}

export const ORDERS: readonly StoryOrder[] = [
  {
    daysAgo: STORY_DAYS + 14,
    days: 9,
    price: { weekly: '38.00', daily: '24.50' },
    vials: { weekly: '4', daily: '4' },
    lots: { weekly: 'SE-2411', daily: 'BP-0917' },
  },
  {
    daysAgo: STORY_DAYS - 90,
    days: 7,
    price: { weekly: '38.00', daily: '22.00' },
    vials: { weekly: '4', daily: '4' },
    lots: { weekly: 'SE-2502', daily: 'BP-1032' },
  },
  {
    daysAgo: STORY_DAYS - 180,
    days: 12,
    price: { weekly: '44.50', daily: '22.00' },
    vials: { weekly: '4', daily: '4' },
    lots: { weekly: 'SE-2505', daily: 'BP-1188' },
  },
  {
    daysAgo: STORY_DAYS - 270,
    days: 8,
    price: { weekly: '44.50', daily: '21.00' },
    vials: { weekly: '3', daily: '5' },
    lots: { weekly: 'SE-2508', daily: 'BP-1260' },
  },
  {
    daysAgo: 3,
    days: null,
    price: { weekly: '41.00', daily: '21.00' },
    vials: { weekly: '4', daily: '4' },
    lots: { weekly: '', daily: '' },
  },
];

/** The certificates of some lots, by lot number. */
export const CERTIFICATES: Readonly<Record<string, { purityPercent: string; reportKey: string }>> = {
  'SE-2505': { purityPercent: '98.9', reportKey: 'A-40117' },
  'SE-2508': { purityPercent: '99.2', reportKey: 'A-41820' },
  'BP-1260': { purityPercent: '99.4', reportKey: 'A-41821' },
};

/** Pseudo-random numbers from 0 (included) to 1 (excluded), always the same, so that every demo looks alike. */
export function storyNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    // A linear congruential generator with the constants of Numerical Recipes (Press et al., 3rd edition, 7.1.2).
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
