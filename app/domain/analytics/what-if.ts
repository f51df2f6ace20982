import { momentField, readMoment } from '#app/domain/time/zoned-time.ts';
import { DAY_MS } from '#app/domain/time/calendar.ts';
import {
  isDoseAmount,
  MASS_UNITS,
  massInMg,
  namesUnit,
  readQuantity,
  figureText,
} from '#app/domain/units/quantity.ts';

/** A dose that nobody took or planned: an address adds it to a level curve, and nothing is saved. */
export interface WhatIfDose {
  readonly name: string;
  /** Instant in milliseconds. */
  readonly at: number;
  readonly mg: number;
  /** As it stands in the address: "2026-03-09T08:00" on the clocks of the owner, and "250 mcg". */
  readonly atText: string;
  readonly doseText: string;
}

/** What an address asks to be added. */
export interface WhatIf {
  readonly doses: readonly WhatIfDose[];
  /** Why the last entry was not understood, by compound; its texts as they were typed. */
  readonly problem: {
    readonly name: string;
    readonly message: string;
    readonly at: string;
    readonly dose: string;
  } | null;
}

/** The most doses of one address. */
export const MAX_WHAT_IF = 20;

/** A what-if dose lies within a year of now. */
const RANGE_MS = 366 * DAY_MS;

const MESSAGES = {
  dose: 'Write the dose with its unit, such as 250 mcg or 0.25 mg',
  at: 'Enter a day and a time within a year of today',
} as const;

/**
 * Reads the doses of an address: the parameters `whatIf` (compound), `whatIfAt` and `whatIfDose`, each repeated, belong
 * together by their order.
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
        mg: Number(massInMg(quantity.text, quantity.unit).toFixed()),
        atText: momentField(new Date(instant), timeZone),
        doseText: `${figureText(quantity.text)} ${quantity.unit}`,
      });
  }
  return { doses, problem };
}

/** The address without one of its what-if doses. */
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
