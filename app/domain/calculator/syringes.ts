/** The scales in use. U-100: 100 units = 1 ml (ISO 8537); U-40: 40 units = 1 ml. */
export const SYRINGE_IDS = ['u100-1ml', 'u100-0.5ml', 'u100-0.3ml', 'u40-1ml'] as const;

export type SyringeId = (typeof SYRINGE_IDS)[number];

/** Units between two marks of a barrel. */
export type MarkUnits = '0.5' | '1' | '2';

export interface Syringe {
  readonly id: SyringeId;
  readonly label: string;
  /** What the barrel holds, in ml. */
  readonly barrelMl: string;
  /** What the barrel holds, in units of its own scale. */
  readonly barrelUnits: number;
  readonly unitsPerMl: number;
  /** Mark distances that are sold, in units; the first is the default. */
  readonly marks: readonly [MarkUnits, ...MarkUnits[]];
}

export const SYRINGES: Readonly<Record<SyringeId, Syringe>> = {
  'u100-1ml': {
    id: 'u100-1ml',
    label: 'U-100 1 ml',
    barrelMl: '1',
    barrelUnits: 100,
    unitsPerMl: 100,
    marks: ['1', '2'],
  },
  'u100-0.5ml': {
    id: 'u100-0.5ml',
    label: 'U-100 0.5 ml',
    barrelMl: '0.5',
    barrelUnits: 50,
    unitsPerMl: 100,
    marks: ['1'],
  },
  'u100-0.3ml': {
    id: 'u100-0.3ml',
    label: 'U-100 0.3 ml',
    barrelMl: '0.3',
    barrelUnits: 30,
    unitsPerMl: 100,
    marks: ['0.5', '1'],
  },
  'u40-1ml': {
    id: 'u40-1ml',
    label: 'U-40 1 ml',
    barrelMl: '1',
    barrelUnits: 40,
    unitsPerMl: 40,
    marks: ['1', '2'],
  },
};

export const DEFAULT_SYRINGE: SyringeId = 'u100-1ml';

/** The mark distance a barrel has when nobody says otherwise. */
export function defaultMark(syringe: Syringe): MarkUnits {
  return syringe.marks[0];
}
