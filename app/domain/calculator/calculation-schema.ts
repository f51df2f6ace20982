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
  type Component,
  type SolveFor,
} from './calculation.ts';
import {
  blendName,
  COMPONENT_MESSAGES,
  findComponent,
  isBlankRow,
  readComponents,
  typedComponents,
  type ComponentIssue,
  type TypedComponent,
} from './components.ts';
import { FIELD_MESSAGES, findLimitProblems, isAmount, type NumberField, OVERFULL_MESSAGE } from './solve.ts';
import type { FieldErrors } from '#app/domain/errors.ts';
import {
  amountText,
  CHOICE_MESSAGES,
  decimalText,
  nameText,
  notesText,
  MAX_NAME_LENGTH,
  readFields,
  shownValues,
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

/** The components of a blend; a single one is a plain peptide, an empty list counts as absent. */
const componentList = z.pipe(
  z.unknown(),
  z.transform((sent: unknown, context): readonly Component[] | undefined => {
    const issues: ComponentIssue[] = [];
    const components = readComponents(
      sent,
      { message: FIELD_MESSAGES.peptideAmount, fits: isAmount },
      issues,
    );
    for (const { message, path } of issues)
      context.issues.push({ code: 'custom', message, path, input: sent });
    if (issues.length > 0) return z.NEVER;
    return components.length > 0 ? components : undefined;
  }),
);

/**
 * Validates a calculation for the page, the URL, the API and the command line: first each field, then the limits of all
 * fields together. Numbers may be text or JSON numbers and are returned as decimal text.
 */
export const calculationSchema = z
  .object({
    solveFor: z._default(z.enum(SOLVE_FOR, CHOICE_MESSAGES.solveFor), 'volume'),
    peptideAmount: optionalAmount('peptideAmount', MASS_UNITS),
    measuredAmount: optionalAmount('measuredAmount', MASS_UNITS),
    components: z.optional(componentList),
    doseOf: z.optional(nameText),
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
        const sound: Partial<CalculationDraft> = Object.fromEntries(
          Object.entries(value).filter(([field]) => !broken.has(field)),
        );
        const dosed = dosedComponent(sound);
        if (dosed.problem !== undefined && !broken.has('components')) report('doseOf', dosed.problem);
        if (dosed.amount !== undefined && isAnother(sound.peptideAmount, dosed.amount))
          report('peptideAmount', COMPONENT_MESSAGES.contradicts);
        if (value.measuredAmount !== undefined && (sound.components ?? []).length > 1)
          report('measuredAmount', COMPONENT_MESSAGES.measured);
        // An unreadable amount must not be reported as missing, too.
        if (broken.has('components')) broken.add('peptideAmount');
        const input: CalculationDraft = {
          ...DEFAULTS,
          ...sound,
          peptideAmount: dosed.amount ?? sound.peptideAmount,
        };
        for (const field of findLimitProblems(input)) {
          report(field, FIELD_MESSAGES[field]);
          if (field === 'desiredDose' && meantInMcg(input))
            report(field, mcgQuestion(input.desiredDose ?? ''));
        }
        if (input.mark && !SYRINGES[input.syringe].marks.includes(input.mark))
          report('mark', CHOICE_MESSAGES.mark);
      },
      // The limits are always checked as well, so that one response names every wrong field.
      { when: () => true },
    ),
  );

/** The component that the dose is for: the named one, otherwise the first. @param sound the valid fields of the form */
function dosedComponent(sound: Partial<CalculationDraft>): { amount?: string; problem?: string } {
  const { components = [], doseOf, peptideName } = sound;
  if (doseOf === undefined) return { amount: components[0]?.amount };
  const named = components.length === 0 && peptideName ? [{ name: peptideName }] : components;
  const at = findComponent(named, doseOf);
  if (at >= 0) return { amount: components[at]?.amount };
  const known = named.map(({ name }) => name).join(', ');
  return { problem: known === '' ? COMPONENT_MESSAGES.doseOfNone : `${COMPONENT_MESSAGES.doseOf}: ${known}` };
}

const isAnother = (input: string | undefined, amount: string): boolean =>
  input !== undefined && plainText(input) !== plainText(amount);

/** The calculation to compute and store: a blend names its dosed component; a single component is a peptide. */
function asInput({ components = [], ...parsed }: z.output<typeof calculationSchema>): CalculationInput {
  const { doseOf: _doseOf, ...plain } = parsed;
  if (components.length === 0) return plain as CalculationInput;
  const dosed = components[Math.max(0, findComponent(components, parsed.doseOf ?? ''))];
  const peptideAmount = dosed?.amount ?? '';
  if (components.length === 1)
    return { ...plain, peptideAmount, peptideName: plain.peptideName || dosed?.name };
  const peptideName = plain.peptideName || blendName(components);
  return { ...plain, peptideAmount, peptideName, components, doseOf: dosed?.name };
}

/** True for a dose that is too large in mg, would fit in mcg, and is a usual number for mcg. */
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

/** The submitted values, as text for the form's controls. */
export type CalculationValues = Partial<
  Record<
    | CalculationField
    | 'componentName'
    | 'componentAmount'
    | `componentName-${number}`
    | `componentAmount-${number}`,
    string
  >
>;

/** A calculation within the limits, or the messages by field name. */
export type ParsedCalculation =
  | { readonly ok: true; readonly input: CalculationInput; readonly values: CalculationValues }
  | { readonly ok: false; readonly fields: FieldErrors; readonly values: CalculationValues };

const soughtIn = (fields: Readonly<Record<string, unknown>>): SolveFor =>
  SOLVE_FOR.find((way) => way === fields['solveFor']) ?? 'volume';

const AMOUNT_FIELDS = [
  'peptideAmount',
  'measuredAmount',
  'waterVolume',
  'desiredDose',
  'drawVolume',
] as const;

/** Amounts that were typed with their unit, without it, because the form already shows the unit. */
function withoutUnits(
  values: CalculationValues,
  read: Partial<Record<(typeof AMOUNT_FIELDS)[number], string | undefined>>,
): CalculationValues {
  const typed = AMOUNT_FIELDS.filter((field) => namesUnit(values[field] ?? '') && read[field] !== undefined);
  return Object.fromEntries(typed.map((field) => [field, read[field] ?? '']));
}

/**
 * The values of component rows in a form, numbered from 1; `componentAmount` is the first row's, which tells whether the
 * form has been started.
 * @param read the components that were read: an amount typed with its unit is shown without it
 */
function rowValues(rows: readonly TypedComponent[], read: readonly Component[] = []): CalculationValues {
  const values: CalculationValues = {};
  rows.forEach(({ name, amount }, at) => {
    const known = namesUnit(amount) ? read[findComponent(read, name)] : undefined;
    values[`componentName-${at + 1}`] = name.slice(0, MAX_NAME_LENGTH);
    values[`componentAmount-${at + 1}`] = (known?.amount ?? amount).slice(0, MAX_NAME_LENGTH);
  });
  return rows[0] === undefined ? values : { ...values, componentAmount: rows[0].amount };
}

/** Errors by the names of a form's controls if it has rows, otherwise by the fields of the API. */
function messagesOf(issues: readonly z.core.$ZodIssue[], hasRows: boolean): FieldErrors {
  const messages: FieldErrors = {};
  const add = (field: string, message: string) => {
    const own = (messages[field] ??= []);
    if (!own.includes(message)) own.push(message);
  };
  for (const field of CALCULATION_FIELDS)
    for (const { path, message } of issues) {
      if (path[0] !== field) continue;
      const [, at, part] = path;
      if (!hasRows) add(field, message);
      else if (field === 'components')
        add(`component${part === 'name' ? 'Name' : 'Amount'}-${Number(at ?? 0) + 1}`, message);
      else add(field === 'peptideAmount' ? 'componentAmount-1' : field, message);
    }
  return messages;
}

interface Sending {
  /** The number to solve for was given as well. */
  readonly isOverfull: boolean;
  /** The rows of components of a form. */
  readonly rows?: readonly TypedComponent[];
}

function parse(sent: Record<string, unknown>, { isOverfull, rows = [] }: Sending): ParsedCalculation {
  const solved = SOLVED_FIELD[soughtIn(sent)];
  const fields = solved === 'desiredDose' ? sent : withTypedUnit(sent, 'desiredDose', 'desiredDoseUnit');
  const { [solved]: _solved, ...read } = fields;
  const parsed = z.safeParse(calculationSchema, read);
  const shown = shownValues(fields, CALCULATION_FIELDS);
  const values = { ...shown, ...rowValues(rows, parsed.data?.components) };
  if (parsed.success && !isOverfull)
    return {
      ok: true,
      input: asInput(parsed.data),
      values: { ...values, ...withoutUnits(values, parsed.data) },
    };
  const messages = messagesOf(parsed.error?.issues ?? [], rows.length > 0);
  if (isOverfull) messages[SOLVED_FIELD[soughtIn(fields)]] = [OVERFULL_MESSAGE];
  return { ok: false, fields: messages, values };
}

/** Replaces the number of a form's row, as sent by its radio button, with the name in that row. */
function namedByRow(doseOf: unknown, rows: readonly TypedComponent[]): unknown {
  if (typeof doseOf !== 'string' || !/^[1-6]$/.test(doseOf)) return doseOf;
  return rows[Number(doseOf) - 1]?.name.trim() || doseOf;
}

/** The number of the row that the dose is for, for the form's radio buttons. */
function rowOf(doseOf: unknown, rows: readonly TypedComponent[]): CalculationValues {
  const at = typeof doseOf === 'string' ? findComponent(rows, doseOf) : -1;
  if (at >= 0) return { doseOf: String(at + 1) };
  return rows.length > 0 && typeof doseOf === 'string' ? { doseOf: doseOf.slice(0, MAX_NAME_LENGTH) } : {};
}

const givesSolved = (fields: Readonly<Record<string, unknown>>): boolean =>
  fields[SOLVED_FIELD[soughtIn(fields)]] !== undefined;

/**
 * Reads a form or a query string. Never throws: repeated, missing and unknown fields and wrong types give messages or are
 * ignored. Empty optional fields count as absent. A form sends `solveFor` along with its hidden controls, so the solved
 * number is ignored; a URL without `solveFor` must not contain it.
 * @param source `FormData`, `URLSearchParams`, other entries, or a record by field name
 */
export function parseCalculationForm(
  source: Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>>,
): ParsedCalculation {
  const rows = typedComponents(source);
  const { doseOf, ...fields } = readFields(source, CALCULATION_FIELDS);
  const isOverfull = fields['solveFor'] === undefined && givesSolved(fields);
  const input = rows.some((row) => !isBlankRow(row)) ? { components: rows } : {};
  const dosed = namedByRow(doseOf, rows);
  const isChosen = dosed !== undefined && (rows.length === 0 || 'components' in input);
  const parsed = parse({ ...fields, ...input, ...(isChosen ? { doseOf: dosed } : {}) }, { isOverfull, rows });
  return { ...parsed, values: { ...parsed.values, ...rowOf(dosed, rows) } };
}

/** Reads the options of a command: like a form, but every value was given on purpose and none is ignored. */
export function parseCalculationOptions(source: Readonly<Record<string, unknown>>): ParsedCalculation {
  const fields = readFields(source, CALCULATION_FIELDS);
  return parse(fields, { isOverfull: givesSolved(fields) });
}

/**
 * Reads a JSON body: numbers by their shortest decimal text, or decimal strings; null counts as absent.
 * Doses are always in mg here. "mcg" is refused, because ignoring it would make the dose a thousand times too large, and
 * so is a number that would be ignored because the others determine it.
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
    problems['desiredDoseUnit'] = ['The API accepts doses in mg only'];
  return Object.keys(problems).length === 0 ? result : { ok: false, fields: problems, values: result.values };
}
