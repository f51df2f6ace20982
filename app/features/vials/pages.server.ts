import { SYRINGE_IDS } from '#app/domain/calculator/syringes.ts';
import { Decimal, readDecimalText } from '#app/domain/decimal/decimal.ts';
import { doseOfVial, vialDetail } from '#app/domain/vials/vial-texts.ts';
import { forecastText } from '#app/domain/vials/forecast.ts';
import { isFinal, vialNameKey, type Vial } from '#app/domain/vials/vial.ts';
import { massInMg } from '#app/domain/units/quantity.ts';
import { calendarDay } from '#app/domain/time/days.ts';
import type { Ctx, SignedInUser } from '#app/platform/access/context.server.ts';
import { stockForecast } from './stock-forecast.server.ts';
import { getVial } from './vials.server.ts';

/** Entries of the ledger that a page shows at first. */
const SHOWN_ENTRIES = 25;

const WRONG_DOSE = 'Enter a dose above 0';

/** The dose that was asked for, and what it takes out of the vial. */
function readDraw(vial: Vial, search: URLSearchParams, preferredUnit: string) {
  // So much that one that is too long stays too long.
  const typed = (search.get('dose') ?? '').slice(0, 60);
  const unit = [search.get('unit'), preferredUnit].find((known) => known === 'mg' || known === 'mcg') ?? 'mg';
  const syringe = SYRINGE_IDS.find((id) => id === search.get('syringe')) ?? 'u100-1ml';
  const question = { dose: typed, unit, syringe };
  if (typed === '') return { ...question, error: null, answer: null };
  const text = readDecimalText(typed);
  const mg = text === null ? new Decimal(0) : massInMg(text, unit as 'mg' | 'mcg');
  if (mg.lte(0)) return { ...question, error: WRONG_DOSE, answer: null };
  return { ...question, error: null, answer: doseOfVial(vial, mg.toFixed(), syringe) };
}

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
    draw: readDraw(found, search, user.doseUnit),
  };
}
