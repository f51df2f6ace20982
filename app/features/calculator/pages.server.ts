import { randomUUID } from 'node:crypto';
import { data, redirect } from '@remix-run/node';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { type CalculationResult, MEANT_UNIT } from '#app/domain/calculator/calculation.ts';
import { AppError, type FieldErrors, isAppError, STATUS } from '#app/domain/errors.ts';
import {
  dosageRecommendations,
  type DosageRecommendation,
} from '#app/domain/calculator/research-reference.ts';
import {
  parseCalculationForm,
  type CalculationValues,
  CALCULATION_FIELDS,
} from '#app/domain/calculator/calculation-schema.ts';
import { MAX_COMPONENTS, rowsText, typedComponents } from '#app/domain/calculator/components.ts';
import {
  BLENDS_SOURCE,
  blendLabel,
  COMMON_BLENDS,
  withRowsChanged,
} from '#app/domain/calculator/common-blends.ts';
import type { BlendChoices } from './calculator-state.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';
import { FREE_HISTORY_HINT } from '#app/domain/billing/plans.ts';
import { historyRow, type HistoryRow, type UsageStatistics } from '#app/domain/calculator/history.ts';
import type { SignedInUser, Ctx } from '#app/platform/access/context.server.ts';
import {
  calculationStatistics,
  countCalculations,
  listCalculations,
  type HistoryPage,
  saveCalculation,
} from './calculations.server.ts';
import { readForm, flash } from '#app/platform/http/forms.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';

/** `/dashboard` shows the same page; its forms always lead here. */
const CALCULATOR_PATH = '/dashboard/calculator';

/** What the calculator page of a signed-in user shows. */
export async function readDashboardCalculator({ url, ctx, user }: UserPageArgs) {
  const page = readCalculatorPage(CALCULATOR_PATH, url.searchParams);
  // Only an empty form begins with the profile's unit: an address without a unit means mg.
  if (!page.result && !page.errors) page.values.desiredDoseUnit ??= user.doseUnit;
  const history = await readHistoryView(ctx, user, CALCULATOR_PATH, url.searchParams);
  return data({ page, history, saveKey: randomUUID() }, { status: calculatorStatus(page) });
}

/** Saves what the form holds and goes back to the calculator with the history open, or shows what is wrong. */
export async function saveFromForm({ request, ctx }: UserPageArgs) {
  const search = asSearch(await readForm(request));
  const parsed = parseCalculationForm(search);
  if (!parsed.ok) return rejected(search, null);
  try {
    await saveCalculation(ctx, parsed.input, { saveKey: search.get('saveKey') });
  } catch (error) {
    if (isAppError(error) && error.fields) return rejected(search, error.fields);
    // Below the last field of the saving form, where its button is.
    if (isAppError(error) && error.code === 'PLAN_LIMIT')
      return rejected(search, { notes: [error.message] }, STATUS.PLAN_LIMIT);
    throw error;
  }
  const next = pageAddress(CALCULATOR_PATH, search, { mode: null, saveKey: null, notes: null, history: '1' });
  throw redirect(`${next}#history`, {
    headers: { 'Set-Cookie': await flash('success', 'Calculation saved') },
  });
}

/** What the reader opened beside the form; it stays open with the next result. */
const KEPT_FIELDS = ['recommendations', 'reference', 'history'];

/** Fields that stand once for each component. */
const ROWS = ['componentName', 'componentAmount'];

/** All that the saving form sends; whatever else comes along would only make the addresses of the answer long. */
const SENT = [...CALCULATION_FIELDS, ...ROWS, ...KEPT_FIELDS, 'mode', 'saveKey'];

/** The form's fields as an address would hold them; of a repeated one so many that it is seen to be repeated. */
function asSearch(form: FormData): URLSearchParams {
  const search = new URLSearchParams();
  for (const name of SENT) {
    const texts = form.getAll(name).filter((value) => typeof value === 'string');
    const most = ROWS.includes(name) ? MAX_COMPONENTS + 1 : 2;
    for (const text of texts.slice(0, most)) search.append(name, text);
  }
  return search;
}

function rejected(search: URLSearchParams, errors: FieldErrors | null, status = 400) {
  const page = readCalculatorPage(CALCULATOR_PATH, search, true);
  page.saveMode = true;
  return data({ page: errors ? { ...page, errors } : page }, { status });
}

/** Everything the calculator shows, read from its address. Serialisable. */
interface CalculatorPage {
  /** The path of the page itself. */
  path: string;
  /** The form's controls as they were sent. */
  values: CalculationValues;
  result: CalculationResult | null;
  /** Messages by field; there when the address asks for what cannot be computed. */
  errors: FieldErrors | null;
  /** The common blends, each as a button that fills in its rows. */
  blends: BlendChoices;
  /** What else the address holds: Calculate must not lose it. */
  keep: Record<string, string>;
  /** Name and notes are shown, and the form ends in "Save Calculation". */
  saveMode: boolean;
  dosages: { shown: boolean; href: string; closeHref: string };
  recommendations: {
    shown: boolean;
    href: string;
    name: string;
    rows: readonly DosageRecommendation[];
    choices: { name: string; href: string }[];
  };
  /** This address without save mode. */
  cancelHref: string;
}

const BLEND_CHOICES: BlendChoices = {
  source: BLENDS_SOURCE,
  choices: COMMON_BLENDS.map((blend) => ({ id: blend.id, label: blendLabel(blend) })),
};

const NUMBER_FIELDS = [
  'componentAmount',
  'components',
  'peptideAmount',
  'waterVolume',
  'desiredDose',
  'drawVolume',
];

const REFERENCE_NAMES = ['Semaglutide', 'Tirzepatide', 'BPC-157', 'TB-500'];

const MAX_NAME_LENGTH = 100;

function readRecommendations(path: string, search: URLSearchParams, result: CalculationResult | null) {
  const shown = search.get('recommendations') === '1';
  const name = (search.get('reference') || result?.doseOf || search.get('peptideName') || '')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
  return {
    shown,
    href: pageAddress(path, search, { recommendations: shown ? null : '1' }),
    name,
    rows: shown && name ? dosageRecommendations(name, result ?? undefined) : [],
    choices: REFERENCE_NAMES.map((choice) => ({
      name: choice,
      href: pageAddress(path, search, { reference: choice }),
    })),
  };
}

/** The answer to "Did you mean 250 mcg?" put where the unit stands, so that no address of the page repeats it. */
function withMeantUnit(asIs: URLSearchParams): URLSearchParams {
  if (asIs.get(MEANT_UNIT) !== 'mcg') return asIs;
  const search = new URLSearchParams(asIs);
  search.delete(MEANT_UNIT);
  search.set('desiredDoseUnit', 'mcg');
  return search;
}

/**
 * Reads a calculator from the fields of an address, or of a form that was sent to it. Without any of the number
 * fields an address is the empty form.
 */
export function readCalculatorPage(path: string, asIs: URLSearchParams, sent = false): CalculatorPage {
  const changed = withRowsChanged(asIs);
  const search = withMeantUnit(changed ?? asIs);
  const asked = sent || NUMBER_FIELDS.some((name) => search.has(name));
  const parsed = parseCalculationForm(search);
  const result = asked && parsed.ok ? calculate(parsed.input) : null;
  return {
    path,
    values: parsed.values,
    result,
    // Who adds a row has not finished yet: nothing is wrong so far.
    errors: asked && changed === null && !parsed.ok ? atControls(parsed.fields, parsed.values) : null,
    blends: BLEND_CHOICES,
    keep: Object.fromEntries(
      KEPT_FIELDS.flatMap((name) => (search.get(name) ? [[name, search.get(name) ?? '']] : [])),
    ),
    saveMode: search.get('mode') === 'save',
    dosages: {
      shown: search.get('dialog') === 'research-dosages',
      href: pageAddress(path, search, { dialog: 'research-dosages' }),
      closeHref: pageAddress(path, search, { dialog: null }),
    },
    recommendations: readRecommendations(path, search, result),
    cancelHref: pageAddress(path, search, { mode: null }),
  };
}

/**
 * A form without rows has no control for components and for whose dose it is: what is wrong with them, such as a name that
 * the address has twice, stands at the amount.
 */
function atControls(errors: FieldErrors, values: CalculationValues): FieldErrors {
  if (values['componentName-1'] !== undefined) return errors;
  const { doseOf = [], components = [], ...fields } = errors;
  const found = [...(fields['peptideAmount'] ?? []), ...components, ...doseOf];
  return found.length === 0 ? fields : { ...fields, peptideAmount: [...new Set(found)] };
}

/** 400 for an address that asks for what cannot be computed, else 200. */
export function calculatorStatus(page: CalculatorPage): number {
  return page.errors ? 400 : 200;
}

/** A calculation that goes along in an address until its maker has an account. */
export interface CarriedCalculation {
  /** In one line, as it is copied. */
  summary: string;
  /** Its fields alone, as an address holds them. */
  query: string;
}

/** The calculation in an address; null when there is none, or none that can be computed. */
export function readCarriedCalculation(search: URLSearchParams): CarriedCalculation | null {
  const { result } = readCalculatorPage('', search);
  if (result === null) return null;
  const names = [...CALCULATION_FIELDS, ...ROWS, MEANT_UNIT];
  const fields = [...search].filter(([name]) => names.includes(name));
  return { summary: result.summary, query: new URLSearchParams(fields).toString() };
}

/**
 * Saves the calculation in an address.
 * @throws AppError INVALID_INPUT when there is none; what {@link saveCalculation} throws
 */
export async function keepCarriedCalculation(
  ctx: Ctx,
  search: URLSearchParams,
  saveKey: string,
): Promise<void> {
  const parsed = parseCalculationForm(withMeantUnit(search));
  if (!parsed.ok) throw new AppError('INVALID_INPUT', 'There is no calculation to keep.');
  await saveCalculation(ctx, parsed.input, { saveKey: saveKey || null });
}

const FIELDS = { peptideAmount: '5', waterVolume: '2', desiredDose: '250', desiredDoseUnit: 'mcg' };

/** What the empty public calculator shows in the place of a result, computed like every other one. */
export function calculatorExample() {
  const search = new URLSearchParams(FIELDS);
  const parsed = parseCalculationForm(search);
  if (!parsed.ok) throw new Error('the example of the calculator is not valid');
  return {
    text: `${FIELDS.peptideAmount} mg in ${FIELDS.waterVolume} ml, ${FIELDS.desiredDose} ${FIELDS.desiredDoseUnit} a dose`,
    result: calculate(parsed.input),
    href: `/calculator?${search.toString()}`,
  };
}

/** The saved calculations beside the calculator, as the address asks for them. */
interface HistoryView {
  count: number;
  toggleHref: string;
  /** Saved calculations go with this session. */
  sessionOnly: boolean;
  /** The free tier's hint is due. */
  atLimit: boolean;
  statistics: UsageStatistics | null;
  /** Null while the history is hidden. */
  list:
    | (Omit<HistoryPage, 'items'> & {
        rows: HistoryRow[];
        keep: Record<string, string>;
        clearHref: string;
        previousHref: string | null;
        nextHref: string | null;
      })
    | null;
}

/** What of the address belongs to the list alone. */
const OWN = ['search', 'sort', 'page', 'cursor'];

async function readList(ctx: Ctx, path: string, search: URLSearchParams): Promise<HistoryView['list']> {
  const { items, ...list } = await listCalculations(
    ctx,
    Object.fromEntries(OWN.flatMap((name) => (search.has(name) ? [[name, search.get(name)]] : []))),
  );
  const turn = (cursor: string | null, page: number) =>
    cursor === null ? null : `${pageAddress(path, search, { cursor, page: String(page) })}#history`;
  // Rows of components go along as one text: a list of hidden fields has each name once.
  const rows = typedComponents(search);
  const kept = [...search].filter(([name]) => ![...OWN, ...ROWS, 'dialog', 'components'].includes(name));
  const keep = rows.length > 0 ? [...kept, ['components', rowsText(rows)]] : kept;
  return {
    ...list,
    rows: items.map((entry) => historyRow(entry, ctx.timeZone)),
    keep: Object.fromEntries(keep),
    clearHref: `${pageAddress(path, search, { search: null, page: null, cursor: null })}#history`,
    previousHref: turn(list.previous, list.page - 1),
    nextHref: turn(list.next, list.page + 1),
  };
}

/** Reads the history part of a calculator address. */
async function readHistoryView(
  ctx: Ctx,
  user: SignedInUser,
  path: string,
  search: URLSearchParams,
): Promise<HistoryView> {
  const shown = search.get('history') === '1';
  const [count, list, statistics] = await Promise.all([
    countCalculations(ctx),
    shown ? readList(ctx, path, search) : null,
    shown ? calculationStatistics(ctx) : null,
  ]);
  const sessionOnly = !user.entitlement.isPremium;
  return {
    count,
    list,
    statistics,
    sessionOnly,
    atLimit: sessionOnly && count >= FREE_HISTORY_HINT,
    toggleHref: shown
      ? pageAddress(path, search, { history: null, search: null, sort: null, page: null, cursor: null })
      : `${pageAddress(path, search, { history: '1' })}#history`,
  };
}
