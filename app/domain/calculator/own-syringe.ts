import * as z from 'zod';
import { compare, Decimal, plainText, product, quotient, ratio } from '#app/domain/decimal/decimal.ts';
import { figureText } from '#app/domain/decimal/figure-text.ts';
import { decimalField } from '#app/domain/forms/fields.ts';
import { withoutControls } from '#app/domain/forms/text-fields.ts';
import { VOLUME_UNITS } from '#app/domain/units/quantity.ts';
import {
  DEFAULT_SYRINGE,
  findSyringe,
  OWN_PREFIX,
  type OwnSyringe,
  type SyringeChoice,
} from './calculation.ts';

/** How many syringes of their own a person can have. */
export const MAX_OWN_SYRINGES = 12;

const MAX_NAME_LENGTH = 40;
const MAX_BARREL_ML = 60;
const MAX_UNITS_PER_ML = 1000;
const MAX_MARKS = 500;
/** What hands are told has two decimals, so a mark with more could not be named. */
const MARK_DECIMALS = 2;

export const OWN_SYRINGE_MESSAGES = {
  name: `Enter a name of at most ${MAX_NAME_LENGTH} characters`,
  barrelMl: `Barrel must be above 0 and at most ${MAX_BARREL_ML} ml`,
  unitsPerMl: `Units in 1 ml must be above 0 and at most ${MAX_UNITS_PER_ML}`,
  mark: `Marks must be above 0 apart, with at most ${MARK_DECIMALS} decimals`,
  tooManyMarks: `A barrel can have at most ${MAX_MARKS} marks`,
  unevenMarks: 'The barrel must end on a mark',
  tooMany: `You can have at most ${MAX_OWN_SYRINGES} syringes of your own`,
  sameName: 'You have a syringe with this name',
  unknown: 'This syringe is not in your profile',
  saved: 'Syringe saved',
  removed: 'Syringe removed',
  /** Said when the removed one was the usual one. */
  removedUsual: 'Syringe removed. Your syringe is now U-100 1 ml',
} as const;

const positive = (message: string, most: number, decimals: number, units?: typeof VOLUME_UNITS) =>
  decimalField(message, { most, decimals, ...(units && { units }) })
    .refine((text) => new Decimal(text).gt(0), { error: message, abort: true })
    .transform(plainText)
    .meta({ minimum: undefined, exclusiveMinimum: 0 });

/** What a person enters for one of their syringes. */
export const ownSyringeSchema = z
  .object({
    name: z
      .string({ error: OWN_SYRINGE_MESSAGES.name })
      .transform((text) => withoutControls(text).trim())
      .pipe(z.string().min(1, OWN_SYRINGE_MESSAGES.name).max(MAX_NAME_LENGTH, OWN_SYRINGE_MESSAGES.name))
      .meta({ minLength: 1, maxLength: MAX_NAME_LENGTH }),
    barrelMl: positive(OWN_SYRINGE_MESSAGES.barrelMl, MAX_BARREL_ML, 3, VOLUME_UNITS).describe('ml'),
    unitsPerMl: positive(OWN_SYRINGE_MESSAGES.unitsPerMl, MAX_UNITS_PER_ML, 2)
      .nullish()
      .transform((text) => text ?? null)
      .describe('What its numbers count in 1 ml; null if they are ml'),
    mark: positive(OWN_SYRINGE_MESSAGES.mark, MAX_BARREL_ML * MAX_UNITS_PER_ML, MARK_DECIMALS).describe(
      'Between two marks, in its numbers',
    ),
  })
  .superRefine(({ barrelMl, unitsPerMl, mark }, context) => {
    const barrel = product<'units'>(ratio(new Decimal(barrelMl)), ratio(new Decimal(unitsPerMl ?? '1')));
    const marks = quotient<'marks'>(barrel, ratio(new Decimal(mark)));
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['mark'], message });
    if (compare(marks, { n: BigInt(MAX_MARKS), d: 1n }) > 0) refuse(OWN_SYRINGE_MESSAGES.tooManyMarks);
    // A dose larger than the barrel is drawn in whole barrels and a rest.
    else if (marks.n % marks.d !== 0n) refuse(OWN_SYRINGE_MESSAGES.unevenMarks);
  });

export type OwnSyringeInput = z.input<typeof ownSyringeSchema>;

const OWN_ID = new RegExp(`^${OWN_PREFIX}[0-9a-f]{1,32}$`);

/** The id of a syringe of one's own. */
export const ownSyringeId = z.string().regex(OWN_ID, OWN_SYRINGE_MESSAGES.unknown);

/** The syringe that a person draws with; the default one if what they chose is gone. */
export const usualSyringe = ({
  syringe,
  syringes,
}: {
  readonly syringe: string;
  readonly syringes: readonly OwnSyringe[];
}): SyringeChoice => findSyringe(syringe, syringes) ?? DEFAULT_SYRINGE;

/** "0.7 ml, 40 units in 1 ml, a mark every 0.5 units", "5 ml, a mark every 0.2 ml". */
export function ownSyringeText({ barrelMl, unitsPerMl, mark }: Omit<OwnSyringe, 'id' | 'name'>): string {
  const barrel = `${figureText(barrelMl)} ml`;
  if (unitsPerMl === null) return `${barrel}, a mark every ${figureText(mark)} ml`;
  const every = mark === '1' ? 'unit' : `${figureText(mark)} units`;
  return `${barrel}, ${figureText(unitsPerMl)} units in 1 ml, a mark every ${every}`;
}

/** What is wrong with a person's list: too many, or two with one name. */
export function syringesProblem(list: readonly Pick<OwnSyringe, 'name'>[]): string | null {
  if (list.length > MAX_OWN_SYRINGES) return OWN_SYRINGE_MESSAGES.tooMany;
  const names = new Set(list.map(({ name }) => name.normalize('NFKC').toLowerCase()));
  return names.size < list.length ? OWN_SYRINGE_MESSAGES.sameName : null;
}
