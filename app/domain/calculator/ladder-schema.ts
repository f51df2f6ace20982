import * as z from 'zod/mini';
import { Decimal, readDecimalText } from '#app/domain/decimal/decimal.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import { amountText, CHOICE_MESSAGES, readFields, typedDose } from '#app/domain/forms/text-fields.ts';
import {
  doseInUnit,
  IU_UNITS,
  MASS_UNITS,
  toBaseUnit,
  SUBSTANCE_AMOUNT_UNITS,
  VOLUME_UNITS,
} from '#app/domain/units/quantity.ts';
import {
  DEFAULT_SYRINGE,
  DOSE_UNITS,
  SUBSTANCE_UNITS,
  substanceUnitOf,
  type DoseUnit,
  type OwnSyringe,
  type SubstanceUnit,
} from './calculation.ts';
import { foundSyringe, otherMeasureMessage, withSyringe, withTypedMeasure } from './calculation-schema.ts';
import type { LadderInput } from './ladder.ts';
import { fieldMessage, isAmount, MAX_WATER_ML, MIN_WATER_ML } from './solve.ts';

/** The most doses of a ladder. */
export const MAX_LADDER_DOSES = 12;

/** ml that a vial holds if nothing else is entered. */
export const DEFAULT_CAPACITY_ML = '3';

const MESSAGES = {
  noDoses: 'Enter at least one dose',
  tooManyDoses: `Enter at most ${MAX_LADDER_DOSES} doses`,
  capacityMl: `Capacity must be between ${MIN_WATER_ML.toFixed()} ml and ${MAX_WATER_ML.toFixed()} ml`,
} as const;

/** The unit that was typed with a dose, as `typedDose` returns it. */
const typedUnit = (dose = ''): DoseUnit | undefined => DOSE_UNITS.find((unit) => dose.endsWith(` ${unit}`));

/** A dose in the ladder's unit. @returns null for one of another measure */
function doseIn(typed: string, unit: DoseUnit): string | null {
  if (substanceUnitOf(typedUnit(typed) ?? unit) !== substanceUnitOf(unit)) return null;
  return unit === 'IU' ? typed.replace(' IU', '') : doseInUnit(typed, unit);
}

const isVolume = (text: string): boolean =>
  new Decimal(text).gte(MIN_WATER_ML) && new Decimal(text).lte(MAX_WATER_ML);

/** True for an amount of water that a ladder can propose. @param text as sent */
export function isLadderWater(text: string): boolean {
  const read = readDecimalText(text);
  return read !== null && isVolume(read);
}

/**
 * Validates a ladder for the page, the API and the command line. Numbers may be text or JSON numbers.
 * @param amountUnit of the amount in the vial
 */
const schemaFor = (amountUnit: SubstanceUnit) => {
  const [amountMessage, doseMessage] = (['peptideAmount', 'desiredDose'] as const).map((field) =>
    fieldMessage(field, { amountUnit }),
  ) as [string, string];
  const fits = (amount: string) => isAmount(amount, 'powder', amountUnit);
  /** The unit of the doses: that of the first one if none was chosen. */
  const unitOf = (chosen: DoseUnit | undefined, [first]: readonly string[]): DoseUnit =>
    chosen ?? typedUnit(first) ?? amountUnit;
  return z.pipe(
    z
      .object({
        peptideAmount: amountText(amountMessage, amountUnit === 'IU' ? IU_UNITS : MASS_UNITS).check(
          z.refine(fits, amountMessage),
        ),
        amountUnit: z._default(z.enum(SUBSTANCE_UNITS, CHOICE_MESSAGES.amountUnit), amountUnit),
        doses: z
          .array(typedDose(doseMessage, SUBSTANCE_AMOUNT_UNITS), MESSAGES.noDoses)
          .check(z.minLength(1, MESSAGES.noDoses), z.maxLength(MAX_LADDER_DOSES, MESSAGES.tooManyDoses)),
        desiredDoseUnit: z.optional(z.enum(DOSE_UNITS, CHOICE_MESSAGES.desiredDoseUnit)),
        syringe: z._default(foundSyringe, DEFAULT_SYRINGE),
        capacityMl: z._default(
          amountText(MESSAGES.capacityMl, VOLUME_UNITS).check(z.refine(isVolume, MESSAGES.capacityMl)),
          DEFAULT_CAPACITY_ML,
        ),
      })
      .check(
        z.check(({ value: { peptideAmount, doses, desiredDoseUnit }, issues }) => {
          const unit = unitOf(desiredDoseUnit, doses);
          doses.forEach((typed, at) => {
            const report = (message: string) =>
              issues.push({ code: 'custom', message, path: ['doses', at], input: typed });
            const text = doseIn(typed, unit);
            if (text === null || substanceUnitOf(unit) !== amountUnit)
              return report(otherMeasureMessage({ amountUnit }));
            const dose = toBaseUnit(text, unit);
            // A wrong amount must not make every dose look wrong, too.
            if (dose.lte(0) || (fits(peptideAmount) && dose.gt(new Decimal(peptideAmount))))
              report(doseMessage);
          });
        }),
      ),
    z.transform(({ doses, ...fields }): LadderInput => {
      const unit = unitOf(fields.desiredDoseUnit, doses);
      return { ...fields, desiredDoseUnit: unit, doses: doses.map((typed) => doseIn(typed, unit) ?? typed) };
    }),
  );
};

const SCHEMAS = { mg: schemaFor('mg'), IU: schemaFor('IU') } as const;

/** The schema of a ladder in mg; {@link parseLadder} chooses by the unit of the amount. */
export const ladderSchema = SCHEMAS.mg;

/** The fields of a ladder as programs name them. */
export const LADDER_FIELDS = [
  'peptideAmount',
  'amountUnit',
  'doses',
  'desiredDoseUnit',
  'syringe',
  'capacityMl',
] as const;

/** A ladder within the limits, or the messages by field. */
export type ParsedLadder =
  | { readonly ok: true; readonly input: LadderInput }
  | { readonly ok: false; readonly fields: FieldErrors };

/**
 * Reads a ladder from a JSON body or the options of a command. Blank fields and null count as absent.
 * @param nameOf the name of a field in messages; for a dose, with its index
 * @param syringes the person's own
 */
export function parseLadder(
  source: Readonly<Record<string, unknown>>,
  nameOf: (field: string, at: number | undefined) => string = (field) => field,
  syringes?: readonly OwnSyringe[],
): ParsedLadder {
  const sent = withSyringe(withTypedMeasure(readFields(source, LADDER_FIELDS)), syringes);
  const parsed = z.safeParse(SCHEMAS[sent['amountUnit'] === 'IU' ? 'IU' : 'mg'], sent);
  if (parsed.success) return { ok: true, input: parsed.data };
  const fields: FieldErrors = {};
  for (const { path, message } of parsed.error.issues) {
    const [field, at] = path;
    const messages = (fields[nameOf(String(field), typeof at === 'number' ? at : undefined)] ??= []);
    if (!messages.includes(message)) messages.push(message);
  }
  return { ok: false, fields };
}

/** The submitted fields of a ladder's form as text for its controls. */
export interface LadderValues {
  readonly peptideAmount?: string | undefined;
  readonly amountUnit?: string | undefined;
  readonly doses: readonly string[];
  readonly desiredDoseUnit?: string | undefined;
  readonly syringe?: string | undefined;
  readonly capacityMl?: string | undefined;
}

const MAX_SHOWN_LENGTH = 100;

/**
 * Reads a ladder from a URL or a form, in which `dose` is repeated. Blank doses are left out; the messages of a dose are at
 * `dose-1`, `dose-2` and so on.
 */
export function parseLadderForm(
  search: URLSearchParams,
  syringes?: readonly OwnSyringe[],
): ParsedLadder & { readonly values: LadderValues } {
  const doses = search.getAll('dose').filter((text) => text.trim() !== '');
  const text = (name: string) => search.get(name)?.slice(0, MAX_SHOWN_LENGTH);
  const parsed = parseLadder(
    {
      ...Object.fromEntries(LADDER_FIELDS.map((name) => [name, search.get(name)])),
      doses: doses.slice(0, MAX_LADDER_DOSES + 1),
    },
    (field, at) => (field === 'doses' ? `dose-${(at ?? 0) + 1}` : field),
    syringes,
  );
  return {
    ...parsed,
    values: {
      peptideAmount: text('peptideAmount'),
      amountUnit: parsed.ok ? parsed.input.amountUnit : text('amountUnit'),
      doses: doses.slice(0, MAX_LADDER_DOSES).map((dose) => dose.slice(0, MAX_SHOWN_LENGTH)),
      desiredDoseUnit: text('desiredDoseUnit'),
      syringe: text('syringe'),
      capacityMl: text('capacityMl'),
    },
  };
}
