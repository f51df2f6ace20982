import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { data, redirect } from '@remix-run/node';
import * as z from 'zod';
import { calculate } from '#app/domain/calculator/calculate.ts';
import { calculationQuery } from '#app/domain/calculator/calculation-query.ts';
import { resultCard } from '#app/domain/calculator/dose-card.ts';
import {
  isDrawn,
  syringeIdOf,
  type CalculationResult,
  type OwnSyringe,
} from '#app/domain/calculator/calculation.ts';
import { MEANT_UNIT, takeMeantUnit } from '#app/domain/units/meant-mcg.ts';
import { AppError, type FieldErrors } from '#app/domain/errors.ts';
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
import { withSize } from '#app/domain/calculator/quick-sizes.ts';
import type { BlendChoices } from './calculator-state.ts';
import { cardFile, cardQr } from './dose-card-file.server.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';
import { FREE_HISTORY_HINT } from '#app/domain/billing/plans.ts';
import { historyRow, type HistoryRow, type UsageStatistics } from '#app/domain/calculator/history.ts';
import { syringesOf, type SignedInUser, type Ctx } from '#app/platform/access/context.server.ts';
import {
  calculationStatistics,
  countCalculations,
  listCalculations,
  type HistoryPage,
  saveCalculation,
} from './calculations.server.ts';
import { ladderAddress, ladderPath } from './ladder-pages.server.ts';
import { flash, shownInForm, submit, toErrorPage } from '#app/platform/http/forms.server.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';

/** `/dashboard` shows the same page, but its forms always lead here. */
const CALCULATOR_PATH = '/dashboard/calculator';

/** What the calculator page of a signed-in user shows. */
export async function readDashboardCalculator({ url, ctx, user }: UserPageArgs) {
  const ladder = ladderAddress(CALCULATOR_PATH, url.searchParams);
  if (ladder !== null) throw redirect(ladder);
  const page = readCalculatorPage(CALCULATOR_PATH, url.searchParams, user);
  // Only an empty form starts with the profile's unit and syringe: a URL without them means mg and U-100 1 ml.
  if (!page.result && !page.errors) {
    page.values.desiredDoseUnit ??= user.doseUnit;
    page.values.syringe ??= syringeIdOf(user.syringe);
  }
  const history = await readHistoryView(ctx, user, CALCULATOR_PATH, url.searchParams);
  return data({ page, history, saveKey: randomUUID() }, { status: calculatorStatus(page) });
}

/** Saves the calculation and redirects to the calculator with the history open, or shows the errors. */
export function saveFromForm({ request, ctx, user }: UserPageArgs) {
  const rejected = (
    search: URLSearchParams,
    errors: FieldErrors | null,
    init: ResponseInit = { status: 400 },
  ) => {
    const page = readCalculatorPage(CALCULATOR_PATH, search, { ...user, sent: true });
    page.saveMode = true;
    return data({ page: errors ? { ...page, errors } : page }, init);
  };
  const save = async (sent: z.output<typeof calculatorFormSchema>) => {
    const search = asSearch(sent);
    const parsed = parseCalculationForm(search, user.syringes);
    if (!parsed.ok) return rejected(search, null);
    try {
      await saveCalculation(ctx, parsed.input, { saveKey: search.get('saveKey') });
    } catch (error) {
      const { messages, init } = shownInForm(error);
      // A message about the whole is shown at the last field, next to the save button.
      const { '': ofForm, ...fields } = messages;
      return rejected(search, ofForm ? { ...fields, notes: ofForm } : fields, init);
    }
    const otherFields = { mode: null, saveKey: null, notes: null, history: '1' };
    return redirect(`${pageAddress(CALCULATOR_PATH, search, otherFields)}#history`, {
      headers: { 'Set-Cookie': await flash('success', 'Calculation saved') },
    });
  };
  return submit(request, calculatorFormSchema, save, { refused: toErrorPage });
}

/** Parts of the page that the user has opened; they stay open with the next result. */
const KEPT_FIELDS = ['recommendations', 'reference', 'history'];

/** Fields that are repeated for each component. */
const ROWS = ['componentName', 'componentAmount'];

/** Everything that the save form sends. Other fields are dropped, because they would only make URLs long. */
const SENT = [...CALCULATION_FIELDS, ...ROWS, ...KEPT_FIELDS, 'mode', 'saveKey'];

/** The form as it was typed. {@link parseCalculationForm} checks it, as it checks a URL. */
const calculatorFormSchema = z.object(
  Object.fromEntries(SENT.map((name) => [name, z.array(z.string().default('')).default([])])),
);

/** The form's fields as URL parameters. A repeated field is kept often enough to be recognised as repeated. */
function asSearch(sent: z.output<typeof calculatorFormSchema>): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, texts] of Object.entries(sent)) {
    const most = ROWS.includes(name) ? MAX_COMPONENTS + 1 : 2;
    for (const text of texts.slice(0, most)) search.append(name, text);
  }
  return search;
}

/** Everything the calculator shows, read from its URL. Serialisable. */
interface CalculatorPage {
  /** The path of the page itself. */
  path: string;
  /** The submitted values of the form's controls. */
  values: CalculationValues;
  result: CalculationResult | null;
  /** Messages by field, if the URL has values that cannot be calculated. */
  errors: FieldErrors | null;
  /** The person's own, which the form offers and the browser calculates with, too. */
  syringes: readonly OwnSyringe[];
  /** The common blends, each as a button that fills in its rows. */
  blends: BlendChoices;
  /** Other URL parameters, which Calculate must keep. */
  keep: Record<string, string>;
  /** Name and notes are shown, and the form ends in "Save Calculation". */
  saveMode: boolean;
  dosages: { shown: boolean; href: string; closeHref: string };
  /** The page for the water of several doses, with this amount and syringe. */
  ladderHref: string;
  recommendations: {
    shown: boolean;
    href: string;
    name: string;
    rows: readonly DosageRecommendation[];
    choices: { name: string; href: string }[];
  };
  /** This URL without save mode. */
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
  'concentration',
  'containerVolume',
];

const REFERENCE_NAMES = ['Semaglutide', 'Tirzepatide', 'BPC-157', 'TB-500'];

const MAX_NAME_LENGTH = 100;

/** True for a result in mg that is drawn with a syringe, as the reference doses are. */
const isMassDrawn = (result: CalculationResult | null): boolean =>
  result?.amountUnit === 'mg' && isDrawn(result.form);

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

/** What a ladder has in common with one dose. */
function ladderHref(path: string, search: URLSearchParams): string {
  const shared = [...search].filter(([name]) => name === 'peptideAmount' || name === 'syringe');
  return pageAddress(ladderPath(path), new URLSearchParams(shared));
}

/** Applies the answer to "Did you mean 250 mcg?" to the dose, so that no URL of the page repeats it. */
function withMeantUnit(asIs: URLSearchParams): URLSearchParams {
  const search = new URLSearchParams(asIs);
  takeMeantUnit(search, { amount: 'desiredDose', unit: 'desiredDoseUnit' });
  return search;
}

/**
 * Reads a calculator from the parameters of a URL, or from a submitted form. A URL without any of the number fields is
 * the empty form.
 */
export function readCalculatorPage(
  path: string,
  asIs: URLSearchParams,
  { sent = false, syringes = [] }: { sent?: boolean; syringes?: readonly OwnSyringe[] } = {},
): CalculatorPage {
  const changed = withSize(asIs) ?? withRowsChanged(asIs);
  const search = withMeantUnit(changed ?? asIs);
  const hasRequest = sent || NUMBER_FIELDS.some((name) => search.has(name));
  const parsed = parseCalculationForm(search, syringes);
  const result = hasRequest && parsed.ok ? calculate(parsed.input) : null;
  return {
    path,
    values: parsed.values,
    result,
    // A user who adds a row or chooses a size has not finished, so no errors are shown yet.
    errors: hasRequest && changed === null && !parsed.ok ? atControls(parsed.fields, parsed.values) : null,
    syringes,
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
    ladderHref: ladderHref(path, search),
    recommendations: readRecommendations(path, search, isMassDrawn(result) ? result : null),
    cancelHref: pageAddress(path, search, { mode: null }),
  };
}

/**
 * A form without rows has no controls for components, so their errors, such as a repeated name in the URL, are shown at
 * the amount.
 */
function atControls(errors: FieldErrors, values: CalculationValues): FieldErrors {
  if (values['componentName-1'] !== undefined) return errors;
  const { doseOf = [], components = [], ...fields } = errors;
  const found = [...(fields['peptideAmount'] ?? []), ...components, ...doseOf];
  return found.length === 0 ? fields : { ...fields, peptideAmount: [...new Set(found)] };
}

/** 400 for a URL with values that cannot be calculated, otherwise 200. */
export function calculatorStatus(page: CalculatorPage): number {
  return page.errors ? 400 : 200;
}

/** A calculation that is passed along in URLs until its user has an account. */
export interface CarriedCalculation {
  /** The line for copying. */
  summary: string;
  /** Its fields as a query string. */
  query: string;
}

/** The calculation in a URL; null if there is none or it cannot be calculated. */
export function readCarriedCalculation(
  search: URLSearchParams,
  user: { syringes?: readonly OwnSyringe[] } = {},
): CarriedCalculation | null {
  const { result } = readCalculatorPage('', search, user);
  if (result === null) return null;
  const names = [...CALCULATION_FIELDS, ...ROWS, MEANT_UNIT];
  const fields = [...search].filter(([name]) => names.includes(name));
  return { summary: result.summary, query: new URLSearchParams(fields).toString() };
}

/**
 * Saves the calculation in a URL.
 * @throws AppError INVALID_INPUT when there is none; what {@link saveCalculation} throws
 */
export async function keepCarriedCalculation(
  ctx: Ctx,
  search: URLSearchParams,
  saveKey: string | undefined,
): Promise<void> {
  const parsed = parseCalculationForm(withMeantUnit(search), syringesOf(ctx));
  if (!parsed.ok) throw new AppError('INVALID_INPUT', 'There is no calculation to save.');
  await saveCalculation(ctx, parsed.input, { saveKey: saveKey ?? null });
}

const CARD_PATH = '/calculator/card';

/** The address of a card as a PDF file, which `format=pdf` leads to. */
export function cardFileHref({ pathname, searchParams }: Pick<URL, 'pathname' | 'searchParams'>): string {
  return pageAddress(`${pathname}/file`, searchParams, { format: null });
}

/** The calculation in a URL with its address, or the messages about what is wrong with it. */
function readCardInput(ctx: Ctx, search: URLSearchParams) {
  const parsed = parseCalculationForm(withMeantUnit(search), syringesOf(ctx));
  if (!parsed.ok) return { messages: [...new Set(Object.values(parsed.fields).flat())] };
  return { input: parsed.input, query: calculationQuery(parsed.input).toString() };
}

const linkOf = (ctx: Ctx, query: string): string => new URL(`/calculator?${query}`, ctx.appUrl).href;

/** What the page of a card shows: the card of the calculation in its URL, or with 400 what is wrong there. */
export function readCardPage(ctx: Ctx, search: URLSearchParams) {
  const path = ctx.actor.kind === 'user' ? CALCULATOR_PATH : '/calculator';
  const { input, query, messages } = readCardInput(ctx, search);
  if (input === undefined) {
    const calculatorHref = pageAddress(path, search, { format: null });
    return data({ card: null, messages, calculatorHref }, { status: 400 });
  }
  return data({
    card: resultCard(input),
    qr: cardQr(linkOf(ctx, query)),
    fileHref: `${CARD_PATH}/file?${query}`,
    back: { href: `${path}?${query}`, text: 'Back to the calculator' },
  });
}

/**
 * The same card as a PDF file.
 * @throws AppError INVALID_INPUT with the messages, RATE_LIMITED
 */
export function readCardFile(ctx: Ctx, search: URLSearchParams): Promise<Readable> {
  const { input, query, messages } = readCardInput(ctx, search);
  if (input === undefined) throw new AppError('INVALID_INPUT', messages.join(' '));
  return cardFile(ctx, resultCard(input), linkOf(ctx, query));
}

const FIELDS = { peptideAmount: '5', waterVolume: '2', desiredDose: '250', desiredDoseUnit: 'mcg' };

/** The example that the empty public calculator shows in place of a result, calculated like any other. */
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

/** The saved calculations below the calculator, as the URL selects them. */
interface HistoryView {
  count: number;
  toggleHref: string;
  /** Saved calculations are deleted with this session. */
  sessionOnly: boolean;
  /** Show the hint about the free tier. */
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

/** URL parameters of the list. */
const OWN = ['search', 'sort', 'page', 'cursor'];

async function readList(ctx: Ctx, path: string, search: URLSearchParams): Promise<HistoryView['list']> {
  const { items, ...list } = await listCalculations(
    ctx,
    Object.fromEntries(OWN.flatMap((name) => (search.has(name) ? [[name, search.get(name)]] : []))),
  );
  const turn = (cursor: string | null, page: number) =>
    cursor === null ? null : `${pageAddress(path, search, { cursor, page: String(page) })}#history`;
  // Rows of components are passed as one text, because a list of hidden fields has each name only once.
  const rows = typedComponents(search);
  const otherFields = [...search].filter(
    ([name]) => ![...OWN, ...ROWS, 'dialog', 'components'].includes(name),
  );
  const keep = rows.length > 0 ? [...otherFields, ['components', rowsText(rows)]] : otherFields;
  return {
    ...list,
    rows: items.map((entry) => historyRow(entry, ctx.timeZone)),
    keep: Object.fromEntries(keep),
    clearHref: `${pageAddress(path, search, { search: null, page: null, cursor: null })}#history`,
    previousHref: turn(list.previous, list.page - 1),
    nextHref: turn(list.next, list.page + 1),
  };
}

/** Reads the history from a calculator URL. */
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
