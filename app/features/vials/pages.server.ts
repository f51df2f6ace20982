import { VIAL_MESSAGES } from '#app/domain/vials/vial-fields.ts';
import { orFailed } from '#app/platform/http/failed-call.server.ts';
import { data } from '@remix-run/node';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Vial, formOf, isFinal, beyondUseDayAfter, measureOf } from '#app/domain/vials/vial.ts';
import {
  inOneMeasure,
  type VialChangesInput,
  FORM_FIELDS,
  formRows,
  type SentRows,
  type VialFormValues,
  remainingFormSchema,
  vialFormSchema,
  spillFormSchema,
} from '#app/domain/vials/vial-schema.ts';
import { contentsOf, dosedAt, stockKey } from '#app/domain/vials/contents.ts';
import { componentsText, findComponent, isBlankRow, rowsText } from '#app/domain/calculator/components.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import { calculate } from '#app/domain/calculator/calculate.ts';
import {
  type CalculationInput,
  DOSE_UNITS,
  substanceUnitOf,
  type Component,
  findSyringe,
  syringeIdOf,
  syringeOptions,
} from '#app/domain/calculator/calculation.ts';
import { isAppError, fieldError } from '#app/domain/errors.ts';
import { shownDay } from '#app/domain/time/calendar.ts';
import { RESEARCH_TABLE } from '#app/domain/calculator/research-table.ts';
import { parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { cardQr, getCalculation } from '#app/features/calculator/index.server.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import { syringesOf, type Ctx, type SignedInUser } from '#app/platform/access/context.server.ts';
import { vialLabel, type VialLabelTexts, doseOfVial, vialDetail } from '#app/domain/vials/vial-texts.ts';
import { drawQr, type QrDrawing } from '#app/integrations/qr.server.ts';
import { type LastResult, submit, done } from '#app/platform/http/forms.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';
import { addVial, correctRemaining, getVial, getVialRoom, spillVial } from './vials.server.ts';
import { readAmount } from '#app/domain/forms/text-fields.ts';
import { measuredVial } from '#app/domain/lots/lot-texts.ts';
import { forecastText } from '#app/domain/vials/forecast-texts.ts';
import { IU_UNITS, MASS_UNITS, toBaseUnit, namesUnit, withTypedUnit } from '#app/domain/units/quantity.ts';
import { findCeiling } from '#app/features/amounts/index.server.ts';
import { stockForecast } from './stock-forecast.server.ts';
import { findNextDose, getVialCard } from './vial-card.server.ts';
import { repos } from './repositories.server.ts';

/** Ledger entries shown before "Show more". */
const SHOWN_ENTRIES = 25;

/** Data for the page of a vial. */
export async function readVialView(ctx: Ctx, user: SignedInUser, id: string, search: URLSearchParams) {
  const found = await getVial(ctx, id);
  const day = calendarDay(ctx.now(), ctx.timeZone);
  const vial = vialDetail(found, day, ctx.timeZone);
  const forecasts = isFinal(found) ? [] : await stockForecast(ctx, user.id);
  const own = forecasts.find(({ nameKey }) => nameKey === stockKey(found));
  const lot = found.lotId == null ? null : await repos(ctx).lots.find(user.id, found.lotId);
  const shown = search.get('ledger') === 'all' ? vial.ledger.length : SHOWN_ENTRIES;
  return {
    vial: { ...vial, ledger: vial.ledger.slice(0, shown) },
    hiddenEntries: Math.max(0, vial.ledger.length - shown),
    forecast: own === undefined ? null : forecastText(own, day),
    draw: readDraw(found, search.has('dose') ? search : await plannedDose(ctx, user.id, found), user),
    ceiling: await findCeiling(ctx, found.name),
    measured: lot === null || isFinal(found) ? null : measuredVial(lot, found),
    doseUnit: user.doseUnit,
    canLog: user.entitlement.isPremium,
  };
}

/** The next planned dose from vials like this one, as the query that asks what to draw for it; empty if none is planned. */
async function plannedDose(ctx: Ctx, ownerId: string, vial: Vial): Promise<URLSearchParams> {
  const next = await findNextDose(ctx, ownerId, vial);
  if (next === undefined) return new URLSearchParams();
  const { doseAmount, doseUnit, blend } = next;
  return new URLSearchParams({
    dose: doseAmount,
    unit: doseUnit,
    ...(blend ? { doseOf: blend.doseOf } : {}),
  });
}

const WRONG_DOSE = 'Enter a dose above 0';

/** Reads the dose in the query and calculates what to draw for it. */
function readDraw(
  vial: Vial,
  search: URLSearchParams,
  user: Pick<SignedInUser, 'doseUnit' | 'syringe' | 'syringes'>,
) {
  // Long enough that an amount with too many digits is still refused as too long.
  const typed = (search.get('dose') ?? '').slice(0, 60);
  const measure = measureOf(vial);
  const unit =
    [search.get('unit'), user.doseUnit, measure]
      .map((known) => DOSE_UNITS.find((one) => one === known && substanceUnitOf(one) === measure))
      .find((known) => known !== undefined) ?? measure;
  const syringe = findSyringe(search.get('syringe'), user.syringes) ?? user.syringe;
  const contents = contentsOf(vial);
  const doseOf = contents[dosedAt(contents, { doseOf: search.get('doseOf'), name: vial.name })]?.name ?? '';
  const syringes = syringeOptions(user.syringes);
  const question = {
    dose: typed,
    unit,
    syringe: syringeIdOf(syringe),
    syringes,
    doseOf: contents.length > 1 ? doseOf : null,
  };
  if (typed === '') return { ...question, error: null, answer: null };
  const read = readAmount(typed, measure === 'IU' ? IU_UNITS : MASS_UNITS, WRONG_DOSE);
  if ('problem' in read) return { ...question, error: read.problem, answer: null };
  const withUnit = withTypedUnit(question, 'dose', 'unit');
  const mg = toBaseUnit(namesUnit(typed) ? withUnit.dose : read.text, withUnit.unit);
  if (mg.lte(0)) return { ...question, error: WRONG_DOSE, answer: null };
  return {
    ...withUnit,
    error: null,
    answer: doseOfVial(vial, mg.toFixed(), syringe, { doseOf, unit: withUnit.unit }),
  };
}

/**
 * Asks the user to confirm a reconstitution date in the future, with a message at the field. Submitting the form again with
 * the same date confirms it.
 * @throws AppError INVALID_INPUT
 */
export function confirmFutureDay(ctx: Ctx, day: unknown, confirmed?: string): void {
  if (typeof day !== 'string' || day === confirmed || day <= calendarDay(ctx.now(), ctx.timeZone)) return;
  const message = `${shownDay(day)} is in the future. If that is right, submit the form again.`;
  throw fieldError('reconstitutionDate', message);
}

const NEW_PATH = '/dashboard/vials/new';

const slug = (name: string): string => name.toLowerCase();

/** The compounds of the research table, offered as templates. */
export const VIAL_TEMPLATES = RESEARCH_TABLE.map(({ compound }) => ({
  name: compound,
  href: `${NEW_PATH}?template=${slug(compound)}`,
}));

/**
 * Initial values of the form for a new vial: from a saved calculation (`from`), the calculator's fields in the query, or a
 * template. A query that cannot be read gives the empty form.
 */
export async function newVialValues(ctx: Ctx, search: URLSearchParams): Promise<VialFormValues> {
  const day = calendarDay(ctx.now(), ctx.timeZone);
  const saved = search.get('from');
  const input = saved === null ? null : await fromSaved(ctx, saved);
  if (input !== null) return fromCalculation(input, day);
  const isCalculation = ['peptideAmount', 'componentAmount', 'components', 'containerVolume'].some((name) =>
    search.has(name),
  );
  const parsed = isCalculation ? parseCalculationForm(search, syringesOf(ctx)) : null;
  if (parsed?.ok) return fromCalculation(parsed.input, day);
  return fromTemplate(search.get('template') ?? '') ?? {};
}

/** Data for the page of a new vial. `room` is what the free plan's limit leaves. */
export async function readNewVial({ ctx, url }: Pick<UserPageArgs, 'ctx' | 'url'>) {
  return {
    values: await newVialValues(ctx, url.searchParams),
    idempotencyKey: randomUUID(),
    room: await getVialRoom(ctx),
  };
}

/** Submits the form of a new vial: redirects to the page that `next` names, or shows the form again with its errors. */
export async function submitNewVial(
  { request, ctx }: Pick<UserPageArgs, 'request' | 'ctx'>,
  next: (vialId: string) => string,
) {
  return submit(
    request,
    vialFormSchema,
    async ({ idempotencyKey, original: _unused, confirmedDay, ...sent }) => {
      const input = sentVial(sent);
      confirmFutureDay(ctx, input.reconstitutionDate, confirmedDay);
      const { id } = await orFailed(ctx, VIAL_MESSAGES.failedToAdd, () =>
        addVial(ctx, input, { idempotencyKey }),
      );
      return done(next(id), 'Vial added');
    },
  );
}

async function fromSaved(ctx: Ctx, id: string): Promise<CalculationInput | null> {
  try {
    return await getCalculation(ctx, id);
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** The contents of several vials that were put into one. */
const together = (components: readonly Component[], vials = '1'): Component[] =>
  components.map(({ name, amount }) => ({ name, amount: new Decimal(amount).times(vials).toFixed() }));

/** What a calculation says about its container. */
function containerValues({
  form,
  amountUnit,
  clickMl,
  sprayMl,
  pieces,
  vials = '1',
}: CalculationInput): VialFormValues {
  return {
    ...(form !== undefined && { form }),
    ...(amountUnit !== undefined && { amountUnit }),
    ...(clickMl !== undefined && { clickMl }),
    ...(sprayMl !== undefined && { sprayMl }),
    ...(pieces !== undefined && { pieces: new Decimal(pieces).times(vials).toFixed() }),
  };
}

/** A calculation as the values of a vial, powder reconstituted today. A blend keeps its components, and its name if it has one. */
function fromCalculation(input: CalculationInput, day: string): VialFormValues {
  const { waterVolumeText, solutionVolumeText, displacementText } = calculate(input);
  const { peptideName, components = [], notes, form = 'powder' } = input;
  const isPowder = form === 'powder';
  const isName = peptideName !== undefined && findComponent(components, peptideName) < 0;
  return {
    ...(components.length > 1
      ? { components: componentsText(together(components, input.vials)) }
      : // The amount on the label, even if the calculation used the measured amount.
        // Of capsules it is what one of them has.
        form === 'capsule'
        ? { concentration: input.peptideAmount }
        : { totalAmount: new Decimal(input.peptideAmount).times(input.vials ?? 1).toFixed() }),
    ...containerValues(input),
    ...(isName || (peptideName !== undefined && components.length < 2) ? { name: peptideName } : {}),
    ...(form === 'capsule' ? {} : { waterMl: isPowder ? waterVolumeText : solutionVolumeText }),
    ...(displacementText === '0' ? {} : { displacement: displacementText }),
    ...(notes === undefined ? {} : { notes }),
    ...(isPowder && { reconstitutionDate: day }),
  };
}

function fromTemplate(name: string): VialFormValues | null {
  const row = RESEARCH_TABLE.find(({ compound }) => slug(compound) === name);
  return row === undefined ? null : { name: row.compound, totalAmount: row.vial.replace(' mg', '') };
}

/** Initial values of the form for editing a vial. */
export function valuesOf(vial: Vial): VialFormValues {
  const { displacement, components, totalAmount, ...rest } = vial;
  const values = {
    ...rest,
    totalAmount: components === undefined ? totalAmount : null,
    components: components === undefined ? null : componentsText(components),
    displacement: displacement === '0' ? null : displacement,
    form: formOf(vial),
    amountUnit: measureOf(vial),
  };
  return withoutNull(Object.fromEntries(FORM_FIELDS.map((name) => [name, values[name]])));
}

const withoutNull = (values: Readonly<Record<string, string | null>>): VialFormValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );

/** A form's initial values as text for its hidden field `original`. */
export const writeOriginal = (values: VialFormValues): string => JSON.stringify(values);

type SentVialForm = SentRows & Readonly<Record<string, unknown>>;

/** The submitted fields of a vial, with its rows turned into components. */
export function sentVial<S extends SentRows>({ componentName, componentAmount, ...facts }: S) {
  const rows = formRows({ componentName, componentAmount });
  return rows.length === 0 ? facts : { ...facts, components: rows };
}

/**
 * The fields that were changed since the form was shown, so that changes made elsewhere to other fields are kept. Water and
 * concentration are always sent together, so that values that do not match are noticed. If `original` cannot be read, all
 * fields count as changed.
 */
export function changedFields(
  { componentName, componentAmount, ...fields }: SentVialForm,
  originalText: string | undefined,
): VialChangesInput {
  const original = readOriginal(originalText);
  const rows = formRows({ componentName, componentAmount });
  const sent = {
    ...fields,
    ...(rows.length > 0 && { components: rowsText(rows.filter((row) => !isBlankRow(row))) }),
  } as Readonly<Record<string, unknown>>;
  const isChanged = (name: keyof VialFormValues) =>
    original === null || (sent[name] ?? '') !== (original[name] ?? '');
  const strength = ['waterMl', 'concentration'] as const;
  const names = FORM_FIELDS.filter(
    (name) => isChanged(name) || (strength.some((part) => part === name) && strength.some(isChanged)),
  );
  return Object.fromEntries(names.map((name) => [name, sent[name] ?? null])) as VialChangesInput;
}

const originalSchema = z.partialRecord(z.enum(FORM_FIELDS), z.string());

function readOriginal(text: string | undefined): VialFormValues | null {
  try {
    return originalSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return null;
  }
}

/** Initial values for reconstituting: today, and the date on the vial if it is earlier than 28 days from now. */
export function reconstituteValues(vial: Vial, day: string): VialFormValues {
  const { waterMl, concentration, expirationDate } = vial;
  const isEarlier = expirationDate !== null && beyondUseDayAfter(day, expirationDate) === expirationDate;
  const values = { waterMl, concentration, expirationDate: isEarlier ? expirationDate : null };
  return { reconstitutionDate: day, ...withoutNull(values) };
}

/**
 * The label of one of the signed-in user's vials, with a QR code that opens its page.
 * @throws AppError UNAUTHENTICATED, NOT_FOUND
 */
export async function labelOfVial(ctx: Ctx, id: string): Promise<{ label: VialLabelTexts; qr: QrDrawing }> {
  const { syringe } = authoriseUser(ctx.actor, 'vial.read');
  const vial = await getVial(ctx, id);
  return {
    label: vialLabel(vial, syringe),
    qr: drawQr(new URL(`/dashboard/vials/${vial.id}`, ctx.appUrl).href),
  };
}

/** What the page of a vial's dose card shows. */
export async function readVialCard(ctx: Ctx, id: string) {
  const { card, link } = await getVialCard(ctx, id);
  const path = `/dashboard/vials/${id}`;
  return {
    card,
    qr: cardQr(link),
    fileHref: `${path}/card/file`,
    back: { href: path, text: 'Back to the vial' },
  };
}

/** Submits one of the two forms for the remaining amount: a correction, or a loss if `isSpill`. */
export function submitAmount(ctx: Ctx, request: Request, vial: Vial, isSpill: boolean) {
  const { id } = vial;
  const measure = measureOf(vial);
  const path = `/dashboard/vials/${id}`;
  // The page has to know which of the two was sent: an empty amount does not appear in the submitted values.
  const refused = (lastResult: LastResult, init: ResponseInit) => data({ lastResult, isSpill }, init);
  if (isSpill)
    return submit(
      request,
      inOneMeasure(spillFormSchema, measure),
      async ({ idempotencyKey, ...input }) => {
        await orFailed(ctx, VIAL_MESSAGES.failedToUpdate, () => spillVial(ctx, id, input, idempotencyKey));
        return done(path, 'Loss recorded');
      },
      { refused },
    );
  return submit(
    request,
    inOneMeasure(remainingFormSchema, measure),
    async ({ idempotencyKey, ...input }) => {
      await orFailed(ctx, VIAL_MESSAGES.failedToUpdate, () =>
        correctRemaining(ctx, id, input, idempotencyKey),
      );
      return done(path, 'Amount corrected');
    },
    { refused },
  );
}
