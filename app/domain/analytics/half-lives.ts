import { plainName } from '#app/domain/calculator/plain-name.ts';

/** Half-life of a compound in hours; `low` and `high` differ where sources disagree. */
export interface HalfLife {
  name: string;
  lowHours: number;
  highHours: number;
  source: string;
}

const LABEL = 'Prescribing information of the approved medicine';
const TRACKERS = 'Values in use by existing trackers; no approved label';

const at = (name: string, hours: number, source = TRACKERS): HalfLife => {
  return { name, lowHours: hours, highHours: hours, source };
};

const between = (name: string, lowHours: number, highHours: number): HalfLife => {
  return { name, lowHours, highHours, source: `${TRACKERS}; sources disagree` };
};

/** Built-in half-lives. Every user may set others. */
export const HALF_LIVES: readonly HalfLife[] = [
  at('Semaglutide', 168, LABEL),
  at('Tirzepatide', 120, LABEL),
  at('Retatrutide', 144),
  at('Liraglutide', 13, LABEL),
  at('Dulaglutide', 120, LABEL),
  between('BPC-157', 4, 7),
  between('TB-500', 2.5, 120),
  between('Thymosin alpha-1', 2, 3),
  at('GHK-Cu', 1),
  between('Ipamorelin', 2, 2.5),
  at('CJC-1295 without DAC', 0.5),
  between('CJC-1295 with DAC', 144, 168),
  at('Sermorelin', 0.2),
  at('Tesamorelin', 0.5),
  at('IGF-1 LR3', 24),
  at('AOD-9604', 0.5),
  at('DSIP', 0.25),
  between('PT-141', 2.7, 3),
  at('Melanotan II', 1),
  at('Selank', 0.5),
  between('Semax', 0.5, 1),
  at('HCG', 33),
];

const BY_NAME = new Map(HALF_LIVES.map((entry) => [plainName(entry.name), entry]));

/** The built-in half-life of a name, whatever its blanks, hyphens and case; null for an unknown one. */
export function findHalfLife(name: string): HalfLife | null {
  return BY_NAME.get(plainName(name)) ?? null;
}

/** What a user may set, in hours. */
export const HALF_LIFE_HOURS = { least: 0.05, most: 2000 } as const;
