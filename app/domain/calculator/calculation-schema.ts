import * as z from 'zod/mini';
import {
  DEFAULT_SYRINGE,
  SYRINGE_IDS,
  SYRINGES,
  type MarkUnits,
  DOSE_UNITS,
  SOLVE_FOR,
  SOLVED_FIELD,
  type CalculationDraft,
  type CalculationInput,
  type SolveFor,
} from './calculation.ts';
import { FIELD_MESSAGES, findLimitProblems, type NumberField, OVERFULL_MESSAGE } from './solve.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import {
  amountText,
  CHOICE_MESSAGES,
  decimalText,
  nameText,
  notesText,
} from '#app/domain/forms/text-fields.ts';
import {
  isUsualInMcg,
  MASS_UNITS,
  mcgQuestion,
  namesUnit,
  VOLUME_UNITS,
  withTypedUnit,
  type AmountUnit,
} from '#app/domain/units/quantity.ts';
import { readFields, shownValues } from '#app/domain/forms/field-values.ts';
import { plainText } from '#app/domain/decimal/decimal.ts';

const isMark = (text: string): text is MarkUnits => text === '0.5' || text === '1' || text === '2';

/** Units between two marks; whether the syringe has them is checked with the whole form. */
const markUnits = z.pipe(
  decimalText(CHOICE_MESSAGES.mark),
  z.transform((text: string, context): MarkUnits => {
    const plain = plainText(text);
    if (isMark(plain)) return plain;
    context.issues.push({ code: 'custom', message: CHOICE_MESSAGES.mark, input: text });
    return z.NEVER;
  }),
);

const optionalAmount = (field: NumberField, units: readonly [AmountUnit, ...AmountUnit[]]) =>
  z.optional(amountText(FIELD_MESSAGES[field], units));

/**
 * What a valid calculation is, for the page, the URL, the API and the command line: the shape of each field, then the
 * limits of all fields together. Numbers are text or JSON numbers and come out as decimal text.
 */
export const calculationSchema = z
  .object({
    solveFor: z._default(z.enum(SOLVE_FOR, CHOICE_MESSAGES.solveFor), 'volume'),
    peptideAmount: optionalAmount('peptideAmount', MASS_UNITS),
    waterVolume: optionalAmount('waterVolume', VOLUME_UNITS),
    desiredDose: optionalAmount('desiredDose', MASS_UNITS),
    desiredDoseUnit: z._default(z.enum(DOSE_UNITS, CHOICE_MESSAGES.desiredDoseUnit), 'mg'),
    drawVolume: optionalAmount('drawVolume', VOLUME_UNITS),
    syringe: z._default(z.enum(SYRINGE_IDS, CHOICE_MESSAGES.syringe), DEFAULT_SYRINGE),
    mark: z.optional(markUnits),
    displacement: z._default(decimalText(FIELD_MESSAGES.displacement), '0'),
    peptideName: z.optional(nameText),
    notes: z.optional(notesText),
  })
  .check(
    z.check(
      ({ value, issues }) => {
        const broken = new Set(issues.map((issue) => issue.path?.[0]));
        const report = (field: string, message: string) => {
          if (!broken.has(field)) issues.push({ code: 'custom', message, path: [field], input: value });
        };
        const sound = Object.fromEntries(Object.entries(value).filter(([field]) => !broken.has(field)));
        const input: CalculationDraft = { ...DEFAULTS, ...sound };
        for (const field of findLimitProblems(input)) {
          report(field, FIELD_MESSAGES[field]);
          if (field === 'desiredDose' && meantInMcg(input))
            report(field, mcgQuestion(input.desiredDose ?? ''));
        }
        if (input.mark && !SYRINGES[input.syringe].marks.includes(input.mark))
          report('mark', CHOICE_MESSAGES.mark);
      },
      // The limits are checked beside the shapes, so that one answer names every field that is wrong.
      { when: () => true },
    ),
  );

/** True for a dose that is too much in mg, fits in mcg, and is written as people write mcg. */
function meantInMcg(draft: CalculationDraft): boolean {
  const { desiredDose, desiredDoseUnit } = draft;
  if (desiredDose === undefined || desiredDoseUnit === 'mcg' || !isUsualInMcg(desiredDose)) return false;
  return !findLimitProblems({ ...draft, desiredDoseUnit: 'mcg' }).includes('desiredDose');
}

const DEFAULTS = {
  solveFor: 'volume',
  desiredDoseUnit: 'mg',
  syringe: DEFAULT_SYRINGE,
  displacement: '0',
} as const;

/** The names of all form controls and JSON fields. */
export const CALCULATION_FIELDS = Object.keys(calculationSchema.shape) as CalculationField[];
export type CalculationField = keyof typeof calculationSchema.shape;

/** What was sent, as text for the form's controls. */
export type CalculationValues = Partial<Record<CalculationField, string>>;

/** A calculation within the limits, or the messages by field name. */
export type ParsedCalculation =
  | { readonly ok: true; readonly input: CalculationInput; readonly values: CalculationValues }
  | { readonly ok: false; readonly fields: FieldErrors; readonly values: CalculationValues };

const soughtIn = (fields: Readonly<Record<string, unknown>>): SolveFor =>
  SOLVE_FOR.find((way) => way === fields['solveFor']) ?? 'volume';

const AMOUNT_FIELDS = ['peptideAmount', 'waterVolume', 'desiredDose', 'drawVolume'] as const;

/** The numbers of amounts that were typed with their unit: the form shows the unit beside its control already. */
function withoutUnits(
  values: CalculationValues,
  read: Partial<Record<(typeof AMOUNT_FIELDS)[number], string | undefined>>,
): CalculationValues {
  const typed = AMOUNT_FIELDS.filter((field) => namesUnit(values[field] ?? '') && read[field] !== undefined);
  return Object.fromEntries(typed.map((field) => [field, read[field] ?? '']));
}

function parse(sent: Record<string, unknown>, { isOverfull }: { isOverfull: boolean }): ParsedCalculation {
  const solved = SOLVED_FIELD[soughtIn(sent)];
  const fields = solved === 'desiredDose' ? sent : withTypedUnit(sent, 'desiredDose', 'desiredDoseUnit');
  const { [solved]: _solved, ...read } = fields;
  const parsed = z.safeParse(calculationSchema, read);
  const values = shownValues(fields, CALCULATION_FIELDS);
  if (parsed.success && !isOverfull)
    return {
      ok: true,
      input: parsed.data as CalculationInput,
      values: { ...values, ...withoutUnits(values, parsed.data) },
    };
  const messages: FieldErrors = {};
  for (const field of CALCULATION_FIELDS) {
    const own = (parsed.error?.issues ?? []).filter((issue) => issue.path[0] === field);
    if (own.length > 0) messages[field] = own.map((issue) => issue.message);
  }
  if (isOverfull) messages[SOLVED_FIELD[soughtIn(fields)]] = [OVERFULL_MESSAGE];
  return { ok: false, fields: messages, values };
}

const givesSolved = (fields: Readonly<Record<string, unknown>>): boolean =>
  fields[SOLVED_FIELD[soughtIn(fields)]] !== undefined;

/**
 * Reads a form or a query string. Never throws: repeated, missing and foreign fields and wrong types give messages
 * or are ignored. Empty optional fields count as absent. A form says what it solves for and sends its hidden controls
 * along, so the solved number is not read then; an address without `solveFor` must not give it.
 * @param source `FormData`, `URLSearchParams`, other entries, or a record by field name
 */
export function parseCalculationForm(
  source: Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>>,
): ParsedCalculation {
  const fields = readFields(source, CALCULATION_FIELDS);
  return parse(fields, { isOverfull: fields['solveFor'] === undefined && givesSolved(fields) });
}

/** Reads what somebody typed at a terminal: like a form, but every value was given on purpose and none is dropped. */
export function parseCalculationOptions(source: Readonly<Record<string, unknown>>): ParsedCalculation {
  const fields = readFields(source, CALCULATION_FIELDS);
  return parse(fields, { isOverfull: givesSolved(fields) });
}

/**
 * Reads a JSON body: numbers by their shortest decimal text, or decimal strings; null counts as absent.
 * Doses are always mg here; "mcg" is refused, since ignoring it would be wrong a thousandfold, and so is a number that
 * would be dropped because the others determine it.
 */
export function parseCalculationJson(body: unknown): ParsedCalculation {
  const record = (typeof body === 'object' && !Array.isArray(body) ? (body ?? {}) : {}) as Record<
    string,
    unknown
  >;
  const fields = readFields(record, CALCULATION_FIELDS);
  const result = parse(fields, { isOverfull: givesSolved(fields) });
  const problems: FieldErrors = result.ok ? {} : { ...result.fields };
  if (!['mg', undefined].includes(result.values.desiredDoseUnit))
    problems['desiredDoseUnit'] = ['The API takes doses in mg'];
  return Object.keys(problems).length === 0 ? result : { ok: false, fields: problems, values: result.values };
}
