import { supplyText, supplyView, type SupplyForecast } from '#app/domain/supplies/supply.ts';
import { compoundView } from './compound-view.ts';
import { stockKey } from './contents.ts';
import { forecastText } from './forecast-texts.ts';
import type { StockForecast } from './forecast.ts';
import type { StockAlert } from './stock-alerts.ts';
import type { Vial } from './vial.ts';
import { contentsText, vialRow } from './vial-texts.ts';

/** What is in stock, how long it lasts, and what needs attention. */
export interface StockReport {
  /** Today in the owner's zone. */
  day: string;
  /** The active vials. */
  vials: readonly Vial[];
  forecasts: readonly StockForecast[];
  supplies: readonly SupplyForecast[];
  alerts: readonly StockAlert[];
}

function vialDetail(vial: Vial, day: string) {
  const row = vialRow(vial, day);
  const facts = [row.statusText, row.date?.text, row.lot === null ? undefined : `lot ${row.lot}`, vial.id];
  const text = `${contentsText(row)}  (${facts.filter(Boolean).join(', ')})`;
  return { id: vial.id, text, percent: row.percent, expiry: row.date?.state ?? null };
}

function forecastView(forecast: StockForecast, vials: readonly Vial[], day: string) {
  const { text, reorder } = forecastText(forecast, day);
  const compoundIds = vials.filter((one) => stockKey(one) === forecast.nameKey).map(({ id }) => id);
  const { stockMg, expiredMg, wasted, deadSpaceMl } = forecast;
  return {
    ...forecast,
    compoundIds,
    stockMg: Number(stockMg),
    expiredMg: Number(expiredMg),
    wasted: wasted && { ...wasted, mg: Number(wasted.mg) },
    deadSpaceMl: deadSpaceMl === undefined ? undefined : Number(deadSpaceMl),
    text: reorder === null ? text : `${text} ${reorder}.`,
  };
}

/** The report for the API and the terminal. Each vial and supply has its `text` in `details`. */
export function stockView({ day, vials, forecasts, supplies, alerts }: StockReport) {
  return {
    day,
    compounds: vials.map((vial) => compoundView(vial, day)),
    forecasts: forecasts.map((forecast) => forecastView(forecast, vials, day)),
    supplies: supplies.map(supplyView),
    details: [
      ...vials.map((vial) => vialDetail(vial, day)),
      ...supplies.map((forecast) => ({ id: forecast.supply.id, text: supplyText(forecast, day) })),
    ],
    alerts: [...alerts],
  };
}

export type StockView = ReturnType<typeof stockView>;
