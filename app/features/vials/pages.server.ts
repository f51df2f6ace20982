import * as z from 'zod';
import { beyondUseDayAfter } from '#app/domain/vials/beyond-use.ts';
import { type Vial, isFinal, vialNameKey } from '#app/domain/vials/vial.ts';
import {
  type VialChangesInput,
  type VialFormValues,
  remainingFormSchema,
  spillFormSchema,
} from '#app/domain/vials/vial-schema.ts';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { type CalculationInput, SYRINGE_IDS } from '#app/domain/calculator/calculation.ts';
import { AppError, isAppError } from '#app/domain/errors.ts';
import { shownDay } from '#app/domain/time/calendar-day.ts';
import { RESEARCH_TABLE } from '#app/domain/calculator/research-table.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { getCalculation } from '#app/features/calculator/index.server.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { vialLabel, type VialLabelTexts, doseOfVial, vialDetail } from '#app/domain/vials/vial-texts.ts';
import { drawQr, type QrDrawing } from '#app/integrations/qr.server.ts';
import { getVial, correctRemaining, spillVial } from './vials.server.ts';
import { submitForm } from '#app/platform/http/forms.server.ts';
import { readAmount } from '#app/domain/forms/text-fields.ts';
import { forecastText } from '#app/domain/vials/forecast-texts.ts';
import { MASS_UNITS, massInMg, namesUnit, withTypedUnit } from '#app/domain/units/quantity.ts';
import { findCeiling } from '#app/features/amounts/index.server.ts';
import { stockForecast } from './stock-forecast.server.ts';

/** Entries of the ledger that a page shows at first. */
const SHOWN_ENTRIES = 25;

/** Everything that the page of a vial shows. */
export async function readVialView(ctx: Ctx, user: SignedInUser, id: string, search: URLSearchParams) {
  const found = await getVial(ctx, id);
  const day = calendarDay(ctx.now(), ctx.timeZone);
  const vial = vialDetail(found, day, ctx.timeZone);
  const forecasts = isFinal(found) ? [] : await stockForecast(ctx, user.id);
  const own = forecasts.find(({ nameKey }) => nameKey === vialNameKey(found.name));
  const shown = search.get('ledger') === 'all' ? vial.ledger.length : SHOWN_ENTRIES;
  return {
    vial: { ...vial, ledger: vial.ledger.slice(0, shown) },
    hiddenEntries: Math.max(0, vial.ledger.length - shown),
    forecast: own === undefined ? null : forecastText(own, day),
    draw: readDraw(found, search, user),
    ceiling: await findCeiling(ctx, found.name),
  };
}

const WRONG_DOSE = 'Enter a dose above 0';

/** The dose that was asked for, and what it takes out of the vial. */
function readDraw(vial: Vial, search: URLSearchParams, user: Pick<SignedInUser, 'doseUnit' | 'syringe'>) {
  // So much that one that is too long stays too long.
  const typed = (search.get('dose') ?? '').slice(0, 60);
  const unit = [search.get('unit'), user.doseUnit].find((known) => known === 'mg' || known === 'mcg') ?? 'mg';
  const syringe = SYRINGE_IDS.find((id) => id === search.get('syringe')) ?? user.syringe;
  const question = { dose: typed, unit, syringe };
  if (typed === '') return { ...question, error: null, answer: null };
  const read = readAmount(typed, MASS_UNITS, WRONG_DOSE);
  if ('problem' in read) return { ...question, error: read.problem, answer: null };
  const asked = withTypedUnit(question, 'dose', 'unit');
  const mg = massInMg(namesUnit(typed) ? asked.dose : read.text, asked.unit);
  if (mg.lte(0)) return { ...question, error: WRONG_DOSE, answer: null };
  return { ...asked, error: null, answer: doseOfVial(vial, mg.toFixed(), syringe) };
}

/**
 * Asks about a day of reconstitution that has not come yet, as the form's own message: sending the form once more with
 * that day is the answer.
 * @throws AppError INVALID_INPUT
 */
export function askAboutDayToCome(ctx: Ctx, day: unknown, confirmed?: string): void {
  if (typeof day !== 'string' || day === confirmed || day <= calendarDay(ctx.now(), ctx.timeZone)) return;
  const message = `${shownDay(day)} has not come yet. If that is right, send the form again.`;
  throw new AppError('INVALID_INPUT', message, { fields: { reconstitutionDate: [message] } });
}

const NEW_PATH = '/dashboard/vials/new';

const slug = (name: string): string => name.toLowerCase();

/** The compounds of the research table to start from. */
export const VIAL_TEMPLATES = RESEARCH_TABLE.map(({ compound }) => ({
  name: compound,
  href: `${NEW_PATH}?template=${slug(compound)}`,
}));

/**
 * What the form of a new vial begins with: a saved calculation (`from`), the calculator's own fields, a template, or
 * nothing. An address that makes no sense is the empty form.
 */
export async function newVialValues(ctx: Ctx, search: URLSearchParams): Promise<VialFormValues> {
  const day = calendarDay(ctx.now(), ctx.timeZone);
  const saved = search.get('from');
  const input = saved === null ? null : await fromSaved(ctx, saved);
  if (input !== null) return fromCalculation(input, day);
  const parsed = search.has('peptideAmount') ? parseCalculationForm(search) : null;
  if (parsed?.ok) return fromCalculation(parsed.input, day);
  return fromTemplate(search.get('template') ?? '') ?? {};
}

async function fromSaved(ctx: Ctx, id: string): Promise<CalculationInput | null> {
  try {
    return await getCalculation(ctx, id);
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** A calculation as a vial that is reconstituted today. */
function fromCalculation(input: CalculationInput, day: string): VialFormValues {
  const { peptideAmountText, waterVolumeText, displacementText, peptideName, notes } = calculate(input);
  return {
    ...(peptideName === undefined ? {} : { name: peptideName }),
    totalAmount: peptideAmountText,
    waterMl: waterVolumeText,
    ...(displacementText === '0' ? {} : { displacement: displacementText }),
    ...(notes === undefined ? {} : { notes }),
    reconstitutionDate: day,
  };
}

function fromTemplate(name: string): VialFormValues | null {
  const row = RESEARCH_TABLE.find(({ compound }) => slug(compound) === name);
  return row === undefined ? null : { name: row.compound, totalAmount: row.vial.replace(' mg', '') };
}

/** The controls of the vial's form. */
const CONTROLS = [
  'name',
  'totalAmount',
  'waterMl',
  'concentration',
  'displacement',
  'reconstitutionDate',
  'expirationDate',
  'storageTemp',
  'lot',
  'cost',
  'currency',
  'notes',
] as const;

/** What the form of a vial begins with. */
export function valuesOf(vial: Vial): VialFormValues {
  const { displacement, ...rest } = vial;
  const values = { ...rest, displacement: displacement === '0' ? null : displacement };
  return withoutNull(Object.fromEntries(CONTROLS.map((name) => [name, values[name]])));
}

const withoutNull = (values: Readonly<Record<string, string | null>>): VialFormValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );

/** The beginning of a form as text that the form carries along. */
export const writeOriginal = (values: VialFormValues): string => JSON.stringify(values);

/**
 * What was changed in a form since it was shown: what others changed meanwhile in other fields stays. Water and
 * concentration go together, so that two that do not agree are noticed. Without a readable beginning all fields count.
 */
export function changedFields(
  sent: Readonly<Record<string, unknown>>,
  originalText: string | undefined,
): VialChangesInput {
  const original = readOriginal(originalText);
  const isChanged = (name: string) => original === null || (sent[name] ?? '') !== (original[name] ?? '');
  const strength = ['waterMl', 'concentration'];
  const names = CONTROLS.filter(
    (name) => isChanged(name) || (strength.includes(name) && strength.some(isChanged)),
  );
  return Object.fromEntries(names.map((name) => [name, sent[name] ?? null])) as VialChangesInput;
}

const originalSchema = z.record(z.string(), z.string());

function readOriginal(text: string | undefined): VialFormValues | null {
  try {
    return originalSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return null;
  }
}

/** What the form for reconstituting begins with: today, and the maker's date when that comes before the 28 days. */
export function reconstituteValues(vial: Vial, day: string): VialFormValues {
  const { waterMl, concentration, expirationDate } = vial;
  const isEarlier = expirationDate !== null && beyondUseDayAfter(day, expirationDate) === expirationDate;
  const values = { waterMl, concentration, expirationDate: isEarlier ? expirationDate : null };
  return { reconstitutionDate: day, ...withoutNull(values) };
}

/**
 * The label of one of the signed-in user's vials, and a code that leads to its page.
 * @throws AppError UNAUTHENTICATED, NOT_FOUND
 */
export async function labelOfVial(ctx: Ctx, id: string): Promise<{ label: VialLabelTexts; qr: QrDrawing }> {
  const vial = await getVial(ctx, id);
  return { label: vialLabel(vial), qr: drawQr(new URL(`/dashboard/vials/${vial.id}`, ctx.appUrl).href) };
}

/** Runs one of the two forms about what is left in a vial. */
export function submitAmount(ctx: Ctx, request: Request, id: string, isSpill: boolean) {
  if (isSpill)
    return submitForm(request, spillFormSchema, ({ idempotencyKey, ...input }) =>
      spillVial(ctx, id, input, idempotencyKey),
    );
  return submitForm(request, remainingFormSchema, ({ idempotencyKey, ...input }) =>
    correctRemaining(ctx, id, input, idempotencyKey),
  );
}
