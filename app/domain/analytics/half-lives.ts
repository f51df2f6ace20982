import { plainName } from '#app/domain/calculator/components.ts';
import type { Source } from '#app/domain/site/source.ts';
import * as z from 'zod';
import { decimalText } from '#app/domain/forms/text-fields.ts';
import { vendorName } from '#app/domain/vendors/vendor-schema.ts';

/** A figure in hours. The ends differ if sources disagree or the source gives a range. */
export interface HoursFigure {
  readonly lowHours: number;
  readonly highHours: number;
  readonly source: Source;
}

/** The published half-life and peak time of a compound. */
interface CompoundTimes {
  readonly name: string;
  readonly halfLife: HoursFigure;
  /** Time of the highest level after a subcutaneous injection; null if no source states one. */
  readonly peak: HoursFigure | null;
}

/** The pharmacokinetics section of a US label. */
const label = (medicine: string, date: string, finding: string): Source => ({
  title: `US prescribing information, ${medicine}`,
  section: '12.3 Pharmacokinetics',
  date,
  finding,
  isConfirmed: true,
});

const TRACKERS: Source = {
  title: 'Values in use by existing trackers; no approved label',
  section: 'Half-life',
  date: 'collected in 2026',
  finding: 'We know of no publication that states it.',
  isConfirmed: false,
};

const DISAGREE: Source = {
  ...TRACKERS,
  title: `${TRACKERS.title}; sources disagree`,
  finding: 'The trackers give different values; both ends are shown.',
};

const OZEMPIC = label('Ozempic (semaglutide)', 'first approved in 2017', 'Half-life about 1 week.');
const MOUNJARO = label('Mounjaro (tirzepatide)', 'first approved in 2022', 'Half-life about 5 days.');
const VICTOZA = label('Victoza (liraglutide)', 'first approved in 2010', 'Half-life about 13 hours.');
const TRULICITY = label('Trulicity (dulaglutide)', 'first approved in 2014', 'Half-life about 5 days.');
const GEREF: Source = {
  ...label('Geref (sermorelin)', 'first approved in 1997', 'Half-life 11 to 12 minutes.'),
  section: 'Clinical pharmacology, Pharmacokinetics',
};
const EGRIFTA = label(
  'Egrifta (tesamorelin)',
  'first approved in 2010',
  'Half-life 26 minutes in healthy people, 38 minutes in patients.',
);
const VYLEESI = label(
  'Vyleesi (bremelanotide)',
  'first approved in 2019',
  'Half-life 2.7 hours (1.9 to 4 hours).',
);
const OVIDREL: Source = {
  ...label(
    'Ovidrel (choriogonadotropin alfa)',
    'first approved in 2000',
    'Terminal half-life about 29 hours.',
  ),
  section: 'Clinical pharmacology, Pharmacokinetics',
};
const RETATRUTIDE: Source = {
  title: 'First human dose study of LY3437943 (abstract 104-OR, American Diabetes Association)',
  section: 'Abstract, pharmacokinetics',
  date: '2021',
  finding: 'Mean terminal half-life from 134 to 165 hours.',
  isConfirmed: true,
};

const hours = (low: number, high: number, source: Source): HoursFigure => ({
  lowHours: low,
  highHours: high,
  source,
});

const at = (value: number, source: Source = TRACKERS): HoursFigure => hours(value, value, source);

const between = (low: number, high: number): HoursFigure => hours(low, high, DISAGREE);

/** A peak time from the same source as a half-life, with its own finding. */
const peakOf = (low: number, high: number, source: Source, finding: string): HoursFigure =>
  hours(low, high, { ...source, finding });

const times = (name: string, halfLife: HoursFigure, peak: HoursFigure | null = null): CompoundTimes => {
  return { name, halfLife, peak };
};

const MINUTE = 1 / 60;

/** Built-in half-lives and peaks. Users may set others for their own curves. */
export const HALF_LIVES: readonly CompoundTimes[] = [
  times('Semaglutide', at(168, OZEMPIC), peakOf(24, 72, OZEMPIC, 'Highest 1 to 3 days after the dose.')),
  times('Tirzepatide', at(120, MOUNJARO), peakOf(8, 72, MOUNJARO, 'Highest after 8 to 72 hours.')),
  times('Retatrutide', at(144, RETATRUTIDE)),
  times('Liraglutide', at(13, VICTOZA), peakOf(8, 12, VICTOZA, 'Highest 8 to 12 hours after the dose.')),
  times('Dulaglutide', at(120, TRULICITY), peakOf(24, 72, TRULICITY, 'Highest after 24 to 72 hours.')),
  times('BPC-157', between(4, 7)),
  times('TB-500', between(2.5, 120)),
  times('Thymosin alpha-1', between(2, 3)),
  times('GHK-Cu', at(1)),
  times('Ipamorelin', between(2, 2.5)),
  times('CJC-1295 without DAC', at(0.5)),
  times('CJC-1295 with DAC', between(144, 168)),
  times(
    'Sermorelin',
    at(0.2, GEREF),
    peakOf(5 * MINUTE, 20 * MINUTE, GEREF, 'Highest after 5 to 20 minutes.'),
  ),
  times('Tesamorelin', at(0.5, EGRIFTA), peakOf(0.15, 0.15, EGRIFTA, 'Median peak after 0.15 hours.')),
  times('IGF-1 LR3', at(24)),
  times('AOD-9604', at(0.5)),
  times('DSIP', at(0.25)),
  times(
    'PT-141',
    hours(2.7, 3, {
      ...VYLEESI,
      title: `${VYLEESI.title}, and trackers; sources disagree`,
      finding: 'The label gives 2.7 hours, trackers 3 hours.',
    }),
    peakOf(0.5, 1, VYLEESI, 'Median peak after about 1 hour (0.5 to 1 hour).'),
  ),
  times('Melanotan II', at(1)),
  times('Selank', at(0.5)),
  times('Semax', between(0.5, 1)),
  times(
    'HCG',
    at(33, { ...TRACKERS, finding: 'The label of Ovidrel gives a terminal half-life of about 29 hours.' }),
    peakOf(12, 24, OVIDREL, 'Highest after 12 to 24 hours.'),
  ),
];

const BY_NAME = new Map(HALF_LIVES.map((entry) => [plainName(entry.name), entry]));

/** The built-in times of a compound, ignoring spaces, hyphens and case; null if there are none. */
export function findHalfLife(name: string): CompoundTimes | null {
  return BY_NAME.get(plainName(name)) ?? null;
}

/** The limits for values that a user sets, in hours. */
const HALF_LIFE_HOURS = { least: 0.05, most: 2000 } as const;
const PEAK_HOURS = { least: 0.02, most: 500 } as const;

const MAX_SOURCE_LENGTH = 300;

export const HALF_LIFE_MESSAGES = {
  hours: `Half-life must be a number of hours from ${HALF_LIFE_HOURS.least} to ${HALF_LIFE_HOURS.most}`,
  peakHours: `Peak time must be a number of hours from ${PEAK_HOURS.least} to ${PEAK_HOURS.most}`,
  latePeak: 'The peak cannot be later than ten half-lives',
  source: `Source can have at most ${MAX_SOURCE_LENGTH} characters`,
} as const;

const hoursWithin = ({ least, most }: { least: number; most: number }, message: string) =>
  z.optional(
    decimalText(message).check(
      z.refine((text: string) => Number(text) >= least && Number(text) <= most, { error: message }),
    ),
  );

/**
 * A user's own half-life and peak time of a compound, in hours, with their source. Omitted values are reset to the built-in
 * ones.
 */
export const halfLifeSchema = z.object({
  name: vendorName,
  hours: hoursWithin(HALF_LIFE_HOURS, HALF_LIFE_MESSAGES.hours),
  peakHours: hoursWithin(PEAK_HOURS, HALF_LIFE_MESSAGES.peakHours),
  source: z.optional(z.string().trim().max(MAX_SOURCE_LENGTH, { error: HALF_LIFE_MESSAGES.source })),
});

/** The buttons of a curve: use what was typed, or the built-in values again. */
export const halfLifeFormSchema = z.discriminatedUnion('intent', [
  halfLifeSchema.extend({ intent: z.literal('use').optional() }),
  halfLifeSchema.pick({ name: true }).extend({ intent: z.literal('reset') }),
]);

export type HalfLifeInput = z.input<typeof halfLifeSchema>;
