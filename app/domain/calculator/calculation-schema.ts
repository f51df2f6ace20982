import * as z from 'zod/mini';
import {
  DEFAULT_SYRINGE,
  findSyringe,
  OWN_PREFIX,
  syringeOf,
  type OwnSyringe,
  type SyringeChoice,
  DOSE_UNITS,
  SOLVE_FOR,
  SOLVED_FIELD,
  type CalculationDraft,
  type CalculationInput,
  type Component,
  FORMS,
  isLiquid,
  SUBSTANCE_UNITS,
  substanceUnitOf,
  type ContainerForm,
  type SolveFor,
  type SubstanceUnit,
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
import {
  FIELD_MESSAGES,
  fieldMessage,
  findLimitProblems,
  isAmount,
  type NumberField,
  OVERFULL_MESSAGE,
} from './solve.ts';
import { massOf } from '#app/domain/units/international-units.ts';
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
  CONCENTRATION_UNITS,
  IU_CONCENTRATION_UNITS,
  IU_UNITS,
  isUsualInMcg,
  MASS_UNITS,
  mcgQuestion,
  namesUnit,
  readQuantity,
  VOLUME_UNITS,
  withTypedUnit,
  type AmountUnit,
} from '#app/domain/units/quantity.ts';
import { Decimal, plainText, ratio } from '#app/domain/decimal/decimal.ts';

/** Units between two marks; whether the syringe has them is checked with the whole form. */
const markUnits = z.pipe(
  decimalText(CHOICE_MESSAGES.mark),
  z.transform((text: string) => plainText(text)),
);

/** A syringe that {@link withSyringe} has found. */
export const foundSyringe = z.custom<SyringeChoice>(
  (found) => typeof found === 'object' || findSyringe(String(found)) !== undefined,
  {
    // The other fields are checked all the same.
    abort: false,
    error: ({ input }) =>
      typeof input === 'string' && input.startsWith(OWN_PREFIX)
        ? CHOICE_MESSAGES.ownSyringe
        : CHOICE_MESSAGES.syringe,
  },
);

/** Fields with the syringe that their id names; what is sent is never taken for the syringe itself. */
export function withSyringe(
  fields: Record<string, unknown>,
  own: readonly OwnSyringe[] = [],
): Record<string, unknown> {
  const { syringe } = fields;
  if (syringe === undefined) return fields;
  const id = typeof syringe === 'string' ? syringe : '';
  return { ...fields, syringe: findSyringe(id, own) ?? id };
}

type Units = readonly [AmountUnit, ...AmountUnit[]];

const optionalAmount = (message: string, units: Units) => z.optional(amountText(message, units));

/** The components of a blend; a single one is a plain peptide, an empty list counts as absent. */
const componentList = (unit: SubstanceUnit, units: Units, message: string) =>
  z.pipe(
    z.unknown(),
    z.transform((sent: unknown, context): readonly Component[] | undefined => {
      const issues: ComponentIssue[] = [];
      const fits = (amount: string) => isAmount(amount, 'powder', unit);
      const components = readComponents(sent, { message, units, fits }, issues);
      for (const { message: problem, path } of issues)
        context.issues.push({ code: 'custom', message: problem, path, input: sent });
      if (issues.length > 0) return z.NEVER;
      return components.length > 0 ? components : undefined;
    }),
  );

/** What the messages about a container and its dose say when these do not fit together. */
const MEASURE_MESSAGES = {
  powderOnly: 'Only powder is mixed with water: solve for the draw or the dose',
  blendForm: 'A blend of several peptides must be powder',
  capsuleDose: 'Capsules have no volume: solve for how many to take',
} as const;

/** Why a dose in another measure than its container cannot be calculated. */
export function otherMeasureMessage({
  amountUnit,
  desiredDose = '',
  peptideName,
}: Partial<CalculationDraft>): string {
  const dose = amountUnit === 'IU' ? 'mg' : 'IU';
  const known =
    dose === 'IU' && desiredDose !== '' ? massOf(peptideName, ratio(new Decimal(desiredDose))) : null;
  if (known !== null) return `The vial is in mg. ${plainText(desiredDose)} IU is ${known}`;
  return `The container is in ${amountUnit ?? 'mg'} and the dose in ${dose}, and one can't be converted to the other. Use the unit on the label for both. Marks on a syringe are units, not IU`;
}

/**
 * Validates a calculation for the page, the URL, the API and the command line: first each field, then the limits of all
 * fields together. Numbers may be text or JSON numbers and are returned as decimal text.
 * @param unit of the amounts in the container
 */
const schemaFor = (unit: SubstanceUnit, form: ContainerForm) => {
  const units: Units = unit === 'IU' ? IU_UNITS : MASS_UNITS;
  const perMl: Units = unit === 'IU' ? IU_CONCENTRATION_UNITS : CONCENTRATION_UNITS;
  const messageOf = (field: NumberField) => fieldMessage(field, { form, amountUnit: unit });
  const numberOf = (field: NumberField, of: Units = VOLUME_UNITS) => optionalAmount(messageOf(field), of);
  const plainNumber = (field: NumberField) => z.optional(decimalText(FIELD_MESSAGES[field]));
  return z
    .object({
      solveFor: z._default(z.enum(SOLVE_FOR, CHOICE_MESSAGES.solveFor), 'volume'),
      form: z.optional(z.enum(FORMS, CHOICE_MESSAGES.form)),
      amountUnit: z.optional(z.enum(SUBSTANCE_UNITS, CHOICE_MESSAGES.amountUnit)),
      peptideAmount: numberOf('peptideAmount', units),
      measuredAmount: numberOf('measuredAmount', units),
      components: z.optional(componentList(unit, units, messageOf('peptideAmount'))),
      doseOf: z.optional(nameText),
      waterVolume: numberOf('waterVolume'),
      concentration: numberOf('concentration', perMl),
      containerVolume: numberOf('containerVolume'),
      desiredDose: numberOf('desiredDose', unit === 'IU' ? IU_UNITS : MASS_UNITS),
      desiredDoseUnit: z._default(z.enum(DOSE_UNITS, CHOICE_MESSAGES.desiredDoseUnit), unit),
      drawVolume: numberOf('drawVolume'),
      clickMl: numberOf('clickMl'),
      sprayMl: numberOf('sprayMl'),
      pieces: plainNumber('pieces'),
      syringe: z._default(foundSyringe, DEFAULT_SYRINGE),
      mark: z.optional(markUnits),
      displacement: z._default(decimalText(FIELD_MESSAGES.displacement), '0'),
      vials: plainNumber('vials'),
      deadSpaceMl: numberOf('deadSpaceMl'),
      cost: plainNumber('cost'),
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
            ...contentOf({ ...sound, peptideAmount: dosed.amount ?? sound.peptideAmount }),
          };
          for (const [field, message] of contradictions(input)) {
            report(field, message);
            broken.add(field);
          }
          for (const field of findLimitProblems(input)) {
            const control = controlOf(field, value);
            report(control, fieldMessage(control, input));
            if (field === 'desiredDose' && meantInMcg(input))
              report(field, mcgQuestion(input.desiredDose ?? ''));
          }
          if (input.mark && !syringeOf(input.syringe).marks.includes(input.mark))
            report('mark', CHOICE_MESSAGES.mark);
        },
        // The limits are always checked as well, so that one response names every wrong field.
        { when: () => true },
      ),
    );
};

interface Content {
  readonly form?: ContainerForm | undefined;
  readonly concentration?: string | undefined;
  readonly containerVolume?: string | undefined;
  readonly peptideAmount?: string | undefined;
  readonly waterVolume?: string | undefined;
}

/** What a container holds and in how many ml: of a solution, concentration × volume, which is exact. */
function contentOf({ form = 'powder', concentration, containerVolume, peptideAmount, waterVolume }: Content) {
  if (!isLiquid(form)) return { peptideAmount, waterVolume };
  const volume = containerVolume ?? waterVolume;
  if (concentration === undefined || volume === undefined)
    return { peptideAmount: concentration === undefined ? peptideAmount : undefined, waterVolume: volume };
  return { peptideAmount: new Decimal(concentration).times(volume).toFixed(), waterVolume: volume };
}

/** The control at which a problem is shown: a solution has a concentration and a volume in place of amount and water. */
function controlOf(
  field: NumberField,
  { form = 'powder', concentration, peptideAmount }: Content,
): NumberField {
  if (!isLiquid(form)) return field;
  if (field === 'waterVolume') return 'containerVolume';
  const isByAmount = concentration === undefined && peptideAmount !== undefined;
  return field === 'peptideAmount' && !isByAmount ? 'concentration' : field;
}

/** What cannot be calculated together, by field. */
function contradictions(input: CalculationDraft): [NumberField | 'solveFor' | 'form', string][] {
  const {
    amountUnit = 'mg',
    components = [],
    desiredDose,
    desiredDoseUnit,
    form = 'powder',
    solveFor,
  } = input;
  const found: ReturnType<typeof contradictions> = [];
  if (desiredDose !== undefined && substanceUnitOf(desiredDoseUnit) !== amountUnit)
    found.push(['desiredDose', otherMeasureMessage(input)]);
  if (form === 'powder') return found;
  if (solveFor === 'water') found.push(['solveFor', MEASURE_MESSAGES.powderOnly]);
  if (form === 'capsule' && solveFor === 'dose') found.push(['solveFor', MEASURE_MESSAGES.capsuleDose]);
  if (components.length > 1) found.push(['form', MEASURE_MESSAGES.blendForm]);
  return found;
}

export const calculationSchema = schemaFor('mg', 'powder');

/** The schemas by unit and form, each made when it is first needed. */
const schemas = new Map([['mg powder', calculationSchema]]);

function schemaOf(unit: SubstanceUnit, form: ContainerForm): typeof calculationSchema {
  const key = `${unit} ${form}`;
  const schema = schemas.get(key) ?? schemaFor(unit, form);
  schemas.set(key, schema);
  return schema;
}

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
  const { doseOf: _doseOf, concentration: _concentration, containerVolume: _volume, ...rest } = parsed;
  const { form = 'powder', amountUnit = 'mg', vials, ...others } = { ...rest, ...contentOf(parsed) };
  // What is usual is absent, so that a calculation in mg from powder is stored as it always was.
  const plain = {
    ...others,
    ...(form !== 'powder' && { form }),
    ...(amountUnit !== 'mg' && { amountUnit }),
    ...(vials !== undefined && vials !== '1' && { vials }),
  };
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
  if (desiredDose === undefined || desiredDoseUnit !== 'mg' || !isUsualInMcg(desiredDose)) return false;
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

const formIn = (fields: Readonly<Record<string, unknown>>): ContainerForm =>
  FORMS.find((form) => form === fields['form']) ?? 'powder';

const soughtIn = (fields: Readonly<Record<string, unknown>>): SolveFor =>
  SOLVE_FOR.find((way) => way === fields['solveFor']) ?? 'volume';

const AMOUNT_FIELDS = [
  'peptideAmount',
  'measuredAmount',
  'waterVolume',
  'concentration',
  'containerVolume',
  'desiredDose',
  'drawVolume',
  'clickMl',
  'sprayMl',
  'deadSpaceMl',
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

/** Moves "5000 IU" or "100 IU/ml" to the unit's own field, as "250 mcg" is moved for a dose. */
export function withTypedMeasure(fields: Record<string, unknown>): Record<string, unknown> {
  for (const field of ['peptideAmount', 'concentration']) {
    const raw = fields[field];
    if (typeof raw !== 'string' || !namesUnit(raw)) continue;
    const quantity = readQuantity(raw, field === 'concentration' ? IU_CONCENTRATION_UNITS : IU_UNITS);
    if (quantity !== null) return { ...fields, [field]: quantity.text, amountUnit: 'IU' };
  }
  return fields;
}

interface Sending {
  /** The number to solve for was given as well. */
  readonly isOverfull: boolean;
  /** Whether a page sent it, with the fields that it hides. */
  readonly isPage?: boolean;
  /** The rows of components of a form. */
  readonly rows?: readonly TypedComponent[];
  /** The person's own syringes; nobody has any without an account. */
  readonly syringes?: readonly OwnSyringe[] | undefined;
}

/** Fields that only some forms use. A page sends those of the others along, hidden and perhaps with nonsense in them. */
const USED_BY: Readonly<Record<string, readonly ContainerForm[]>> = {
  waterVolume: ['powder', 'solution', 'pen', 'spray'],
  concentration: ['solution', 'pen', 'spray'],
  containerVolume: ['solution', 'pen', 'spray'],
  clickMl: ['pen'],
  sprayMl: ['spray'],
  pieces: ['capsule'],
  measuredAmount: ['powder', 'solution'],
  displacement: ['powder'],
  syringe: ['powder', 'solution'],
  mark: ['powder', 'solution'],
};

/** What the others have instead. */
const UNUSED = { syringe: DEFAULT_SYRINGE, displacement: '0' } as const;

/** Only what a container of this form has. */
function usedBy<F extends object>(form: ContainerForm, fields: F): F {
  const used = Object.entries(fields).filter(([name]) => USED_BY[name]?.includes(form) ?? true);
  return Object.fromEntries(used) as F;
}

function parse(
  all: Record<string, unknown>,
  { isOverfull, isPage = false, rows = [], syringes }: Sending,
): ParsedCalculation {
  const form = formIn(all);
  const sent = withTypedMeasure(isPage ? usedBy(form, all) : all);
  const solved = SOLVED_FIELD[soughtIn(sent)];
  const fields = solved === 'desiredDose' ? sent : withTypedUnit(sent, 'desiredDose', 'desiredDoseUnit');
  const { [solved]: _solved, ...read } = fields;
  const unit = SUBSTANCE_UNITS.find((one) => one === fields['amountUnit']) ?? 'mg';
  const parsed = z.safeParse(schemaOf(unit, form), withSyringe(read, syringes));
  // A dose without a unit is in that of its container, which the form must show.
  const own = unit === 'IU' ? { desiredDoseUnit: unit } : {};
  const shown = shownValues({ ...own, ...all, ...fields }, CALCULATION_FIELDS);
  const values = { ...shown, ...rowValues(rows, parsed.data?.components) };
  if (parsed.success && !isOverfull)
    return {
      ok: true,
      input: asInput({ ...UNUSED, ...usedBy(form, parsed.data) }),
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
 * A page with a field for the concentration hides the amount of a solution. An amount that was typed before must not count
 * while the concentration is still empty.
 */
function withoutHiddenAmount(
  source: Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>>,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  if (!isLiquid(formIn(fields)) || !(Symbol.iterator in source)) return fields;
  if (![...source].some(([name]) => name === 'concentration')) return fields;
  const { peptideAmount: _amount, waterVolume: _water, ...rest } = fields;
  return rest;
}

/**
 * Reads a form or a query string. Never throws: repeated, missing and unknown fields and wrong types give messages or are
 * ignored. Empty optional fields count as absent. A form sends `solveFor` along with its hidden controls, so the solved
 * number is ignored; a URL without `solveFor` must not contain it.
 * @param source `FormData`, `URLSearchParams`, other entries, or a record by field name
 * @param syringes the person's own
 */
export function parseCalculationForm(
  source: Iterable<readonly [string, unknown]> | Readonly<Record<string, unknown>>,
  syringes?: readonly OwnSyringe[],
): ParsedCalculation {
  const rows = typedComponents(source);
  const { doseOf, ...all } = readFields(source, CALCULATION_FIELDS);
  const fields = withoutHiddenAmount(source, all);
  const isOverfull = fields['solveFor'] === undefined && givesSolved(fields);
  const input = rows.some((row) => !isBlankRow(row)) ? { components: rows } : {};
  const dosed = namedByRow(doseOf, rows);
  const isChosen = dosed !== undefined && (rows.length === 0 || 'components' in input);
  const parsed = parse(
    { ...fields, ...input, ...(isChosen ? { doseOf: dosed } : {}) },
    {
      isOverfull,
      rows,
      isPage: true,
      syringes,
    },
  );
  return { ...parsed, values: { ...parsed.values, ...rowOf(dosed, rows) } };
}

/** Reads the options of a command: like a form, but every value was given on purpose and none is ignored. */
export function parseCalculationOptions(source: Readonly<Record<string, unknown>>): ParsedCalculation {
  const fields = readFields(source, CALCULATION_FIELDS);
  return parse(fields, { isOverfull: givesSolved(fields) });
}

/**
 * Reads a JSON body: numbers by their shortest decimal text, or decimal strings; null counts as absent. A number that would
 * be ignored, because the others determine it, is refused.
 */
export function parseCalculationJson(body: unknown, syringes?: readonly OwnSyringe[]): ParsedCalculation {
  const record = (typeof body === 'object' && !Array.isArray(body) ? (body ?? {}) : {}) as Record<
    string,
    unknown
  >;
  const fields = readFields(record, CALCULATION_FIELDS);
  return parse(fields, { isOverfull: givesSolved(fields), syringes });
}
