import { randomUUID } from 'node:crypto';
import { data, redirect } from '@remix-run/node';
import { isAppError, type FieldErrors } from '#app/domain/errors.ts';
import { CALCULATION_FIELDS, parseCalculationForm } from '#app/domain/calculator/calculation-schema.ts';
import { saveCalculation } from './calculations.server.ts';
import { calculatorStatus, KEPT_FIELDS, readCalculatorPage } from './calculator-page.ts';
import { flash } from '#app/platform/http/toast.server.ts';
import { readForm } from '#app/platform/http/forms.server.ts';
import { readHistoryView } from './history-pages.server.ts';
import { pageAddress } from '#app/platform/http/addresses.ts';
import type { UserPageArgs } from '#app/platform/http/route-handlers.server.ts';

/** `/dashboard` shows the same page; its forms always lead here. */
export const CALCULATOR_PATH = '/dashboard/calculator';

/** What the calculator page of a signed-in user shows. */
export async function readDashboardCalculator({ url, ctx, user }: UserPageArgs) {
  const page = readCalculatorPage(CALCULATOR_PATH, url.searchParams);
  // Only an empty form begins with the profile's unit: an address without a unit means mg.
  if (!page.result && !page.errors) page.values.desiredDoseUnit ??= user.doseUnit;
  const history = await readHistoryView(ctx, user, CALCULATOR_PATH, url.searchParams);
  return data({ page, history, saveKey: randomUUID() }, { status: calculatorStatus(page) });
}

/** All that the saving form sends; whatever else comes along would only make the addresses of the answer long. */
const SENT = [...CALCULATION_FIELDS, ...KEPT_FIELDS, 'mode', 'saveKey'];

/** The form's fields as an address would hold them; of a repeated one so many that it is seen to be repeated. */
function asSearch(form: FormData): URLSearchParams {
  const search = new URLSearchParams();
  for (const name of SENT) {
    const texts = form.getAll(name).filter((value) => typeof value === 'string');
    for (const text of texts.slice(0, 2)) search.append(name, text);
  }
  return search;
}

function rejected(search: URLSearchParams, errors: FieldErrors | null) {
  const page = readCalculatorPage(CALCULATOR_PATH, search, true);
  page.saveMode = true;
  return data({ page: errors ? { ...page, errors } : page }, { status: 400 });
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
    throw error;
  }
  const next = pageAddress(CALCULATOR_PATH, search, { mode: null, saveKey: null, notes: null, history: '1' });
  throw redirect(`${next}#history`, {
    headers: { 'Set-Cookie': await flash('success', 'Calculation saved') },
  });
}
