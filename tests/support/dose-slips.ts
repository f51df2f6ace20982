import { Decimal } from '#app/domain/decimal/decimal.ts';
import type { Vial } from '#app/domain/vials/vial.ts';
import type { Amount } from '#app/domain/doses/dose-warnings.ts';

/** A reproducible random number generator (mulberry32). @returns numbers from 0 (inclusive) to 1 (exclusive) */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A random element. */
export const oneOf = <T>(random: () => number, choices: readonly T[]): T => {
  const chosen = choices[Math.floor(random() * choices.length)];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return chosen;
};

/** A compound with its typical use. */
export interface UsedCompound {
  name: string;
  /** The ordinary dose. */
  dose: Amount;
  /** mg or IU in one ml of its vial. */
  perMl: string;
  /** What else its vial is; powder in mg if absent. */
  vial?: Partial<Pick<Vial, 'form' | 'amountUnit' | 'clickMl' | 'totalAmount'>>;
}

/** Ordinary doses at ordinary strengths. */
export const USED_COMPOUNDS: readonly UsedCompound[] = [
  { name: 'BPC-157', dose: { text: '250', unit: 'mcg' }, perMl: '2.5' },
  { name: 'TB-500', dose: { text: '2', unit: 'mg' }, perMl: '5' },
  { name: 'Semaglutide', dose: { text: '0.25', unit: 'mg' }, perMl: '2.5' },
  { name: 'Tirzepatide', dose: { text: '2.5', unit: 'mg' }, perMl: '10' },
  { name: 'Ipamorelin', dose: { text: '100', unit: 'mcg' }, perMl: '2' },
  { name: 'GHK-Cu', dose: { text: '1.7', unit: 'mg' }, perMl: '20' },
  { name: 'Sermorelin', dose: { text: '0.333', unit: 'mg' }, perMl: '3' },
  { name: 'Tesamorelin', dose: { text: '1', unit: 'mg' }, perMl: '4' },
  {
    name: 'HCG',
    dose: { text: '250', unit: 'IU' },
    perMl: '2500',
    vial: { amountUnit: 'IU', totalAmount: '5000' },
  },
  {
    ...{ name: 'Somatropin', dose: { text: '1.2', unit: 'IU' }, perMl: '10' },
    vial: { form: 'pen', amountUnit: 'IU', clickMl: '0.01', totalAmount: '36' },
  },
];

const scaled = ({ text, unit }: Amount, factor: string): Amount => ({
  text: new Decimal(text).times(factor).toFixed(),
  unit,
});

const inBase = ({ text, unit }: Amount): Decimal => new Decimal(text).times(unit === 'mcg' ? '0.001' : 1);

const units = ({ dose, perMl }: UsedCompound): string =>
  inBase(dose).times(100).div(perMl).round(2).toFixed();

const measure = (unit: Amount['unit']): 'mg' | 'IU' => (unit === 'IU' ? 'IU' : 'mg');

/** Dangerous slips, by kind. Each turns the intended amount into a wrong one. */
export const SLIPS: Readonly<Record<string, (meant: UsedCompound) => Amount>> = {
  'ten times': ({ dose }) => scaled(dose, '10'),
  'a tenth': ({ dose }) => scaled(dose, '0.1'),
  'a hundred times': ({ dose }) => scaled(dose, '100'),
  'a thousand times': ({ dose }) => scaled(dose, '1000'),
  'the other unit': ({ dose }) => ({ text: dose.text, unit: dose.unit === 'mg' ? 'mcg' : 'mg' }),
  'units for the amount': (meant) => ({ text: units(meant), unit: measure(meant.dose.unit) }),
  'IU for a mass, or a mass for IU': ({ dose }) => ({
    text: dose.text,
    unit: dose.unit === 'IU' ? 'mg' : 'IU',
  }),
  'units written as IU': (meant) => ({ text: units(meant), unit: 'IU' }),
  'clicks of a pen that gives five times as much': ({ dose }) => scaled(dose, '5'),
  'clicks of a pen that gives a fifth': ({ dose }) => scaled(dose, '0.2'),
  'the point lost': ({ dose }) => {
    const digits = dose.text.replace('.', '').replace(/^0+/, '');
    return { text: digits === dose.text ? `${digits}0` : digits, unit: dose.unit };
  },
};

/** The largest doses that any form accepts; a larger one is refused without a question. */
const MOST = { mg: 100, IU: 100_000 } as const;

/** One slip: the intended amount, the entered amount, and the kind of slip. */
export interface Slip {
  kind: string;
  meant: UsedCompound;
  written: Amount;
}

/** An endless sequence of slips, all within the limits of forms. */
export function* slips(seed: number): Generator<Slip> {
  const random = seeded(seed);
  const kinds = Object.keys(SLIPS);
  for (;;) {
    const kind = oneOf(random, kinds);
    const compound = oneOf(random, USED_COMPOUNDS);
    // Doses differ between people, so the compound's typical dose is only a starting point.
    const factor = oneOf(random, ['0.8', '1', '1', '1.2', '1.5']);
    const meant = { ...compound, dose: scaled(compound.dose, factor) };
    const written = SLIPS[kind]?.(meant);
    if (written === undefined || inBase(written).gt(MOST[measure(written.unit)])) continue;
    yield { kind, meant, written };
  }
}
