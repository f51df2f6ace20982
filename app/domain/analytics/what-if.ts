import { momentField, readMoment } from '#app/domain/time/zoned-time.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { isDoseAmount, MASS_UNITS, toBaseUnit, namesUnit, readQuantity } from '#app/domain/units/quantity.ts';

/** A hypothetical dose in the page's address, added to a level curve without being saved. */
export interface WhatIfDose {
  readonly name: string;
  /** Instant in milliseconds. */
  readonly at: number;
  readonly mg: number;
  /** As in the address: "2026-03-09T08:00" in the owner's local time, and "250 mcg". */
  readonly atText: string;
  readonly doseText: string;
}

/** The what-if doses in an address. */
export interface WhatIf {
  readonly doses: readonly WhatIfDose[];
  /** Why the last entry could not be read, with its compound and its texts as typed. */
  readonly problem: {
    readonly name: string;
    readonly message: string;
    readonly at: string;
    readonly dose: string;
  } | null;
}

/** The most what-if doses in one address. */
export const MAX_WHAT_IF = 20;

/** A what-if dose must be within a year of now. */
const RANGE_MS = 366 * DAY_MS;

const MESSAGES = {
  dose: 'Enter the dose with its unit, such as 250 mcg or 0.25 mg',
  at: 'Enter a date and time within a year of today',
} as const;

/**
 * Reads the what-if doses of an address. The repeated parameters `whatIf` (compound), `whatIfAt` and `whatIfDose` are matched
 * by position.
 */
export function readWhatIf(search: URLSearchParams, timeZone: string, now: Date): WhatIf {
  const [names, ats, texts] = [
    search.getAll('whatIf'),
    search.getAll('whatIfAt'),
    search.getAll('whatIfDose'),
  ];
  const doses: WhatIfDose[] = [];
  let problem: WhatIf['problem'] = null;
  for (const [index, typedName] of names.slice(0, MAX_WHAT_IF).entries()) {
    const name = typedName.trim().slice(0, 100);
    const [at = '', dose = ''] = [(ats[index] ?? '').slice(0, 40), (texts[index] ?? '').slice(0, 40)];
    const instant = readMoment(at, timeZone, now)?.getTime() ?? null;
    const quantity = namesUnit(dose) ? readQuantity(dose, MASS_UNITS) : null;
    const isNear = instant !== null && Math.abs(instant - now.getTime()) <= RANGE_MS;
    if (name === '') continue;
    if (quantity === null || !isDoseAmount(quantity.text, quantity.unit))
      problem = { name, message: MESSAGES.dose, at, dose };
    else if (!isNear) problem = { name, message: MESSAGES.at, at, dose };
    else
      doses.push({
        name,
        at: instant,
        mg: Number(toBaseUnit(quantity.text, quantity.unit).toFixed()),
        atText: momentField(new Date(instant), timeZone),
        doseText: `${figureText(quantity.text)} ${quantity.unit}`,
      });
  }
  return { doses, problem };
}

/** The query without one of its what-if doses. */
export function withoutWhatIf(search: URLSearchParams, index: number): string {
  const rest = new URLSearchParams([...search].filter(([name]) => !name.startsWith('whatIf')));
  const [names, ats, texts] = [
    search.getAll('whatIf'),
    search.getAll('whatIfAt'),
    search.getAll('whatIfDose'),
  ];
  for (const [place, name] of names.entries()) {
    if (place === index) continue;
    rest.append('whatIf', name);
    rest.append('whatIfAt', ats[place] ?? '');
    rest.append('whatIfDose', texts[place] ?? '');
  }
  return rest.toString();
}
