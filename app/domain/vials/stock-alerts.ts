import { shownDay } from '#app/domain/time/calendar.ts';
import { dayAfter, daysBefore } from '#app/domain/time/zoned-time.ts';
import { AMBER_DAYS, RED_DAYS, type StockForecast } from './forecast.ts';
import { amountInStock, lastsText, wasteNote } from './forecast-texts.ts';
import { leftTexts, stockKey } from './contents.ts';
import { EXPIRING_DAYS, isLow, isFinal, measureOf, type Vial, expiryOf } from './vial.ts';

/** An alert about the owner's stock. */
export interface StockAlert {
  /** Stays the same while the situation does, so that nobody is notified twice. */
  readonly key: string;
  readonly kind: 'low' | 'expiring' | 'expired';
  /** The vial it is about; null if it is about all stock of a compound. */
  readonly compoundId: string | null;
  readonly name: string;
  /** YYYY-MM-DD: the last day to use the vial, or the day stock runs out; null if unknown. */
  readonly lastDay: string | null;
  readonly message: string;
}

function dateAlert(vial: Vial, day: string): StockAlert[] {
  const { state, lastDay } = expiryOf(vial, day);
  if (lastDay === null || (state !== 'soon' && state !== 'past')) return [];
  const kind = state === 'past' ? 'expired' : 'expiring';
  const message =
    state === 'past'
      ? `A vial of ${vial.name} is past its beyond-use date (${shownDay(lastDay)}).`
      : `A vial of ${vial.name} can be used until ${shownDay(lastDay)}.`;
  return [
    { key: `${kind}:${vial.id}:${lastDay}`, kind, compoundId: vial.id, name: vial.name, lastDay, message },
  ];
}

/** Identifies the vial added last. It is part of the alert's key, so that a new vial allows a new alert. */
const newest = (vials: readonly Vial[]): string =>
  vials.reduce((last, { createdAt, id }) => {
    const stamp = `${createdAt.getTime()}-${id}`;
    return stamp > last ? stamp : last;
  }, '');

function runOutAlert(forecast: StockForecast, vials: readonly Vial[]): StockAlert[] {
  const { name, nameKey, level, runOutDay, daysOfSupply } = forecast;
  if (runOutDay === null || (level !== 'amber' && level !== 'red')) return [];
  const when =
    daysOfSupply === 0
      ? 'Your stock does not cover today’s doses.'
      : `It ${lastsText(runOutDay, daysOfSupply ?? 0)}.${wasteNote(forecast)}`;
  const key = `low:${nameKey}:${level}:${newest(vials)}`;
  return [
    {
      key,
      kind: 'low',
      compoundId: null,
      name,
      lastDay: runOutDay,
      message: `${name} is running low. ${when}`,
    },
  ];
}

/** Without planned doses there is no forecast; then the only vial causes an alert when it is nearly empty. */
function remainderAlert({ level }: StockForecast, vials: readonly Vial[]): StockAlert[] {
  const [only] = vials;
  if (level !== 'unknown' || only === undefined || vials.length > 1 || !isLow(only)) return [];
  const { id, name } = only;
  const left = leftTexts(only).map((mg, at) => {
    const what = only.components?.[at]?.name;
    return amountInStock(mg, measureOf(only), what);
  });
  return [
    {
      key: `low:${id}`,
      kind: 'low',
      compoundId: id,
      name,
      lastDay: null,
      message: `${name} is running low. ${left.join(', ')} left.`,
    },
  ];
}

/** All alerts: first what runs low, by name; then what expires soon or has expired. */
export function stockAlertsOf(
  vials: readonly Vial[],
  forecasts: readonly StockForecast[],
  day: string,
): StockAlert[] {
  const active = vials.filter((vial) => !isFinal(vial));
  const low = forecasts.flatMap((forecast) => {
    const own = active.filter((vial) => stockKey(vial) === forecast.nameKey);
    return [...runOutAlert(forecast, own), ...remainderAlert(forecast, own)];
  });
  const dated = active.flatMap((vial) => dateAlert(vial, day)).sort((a, b) => (a.key < b.key ? -1 : 1));
  return [...low, ...dated];
}

/** What decides when time alone brings an alert. */
interface StockOutlook {
  /** Today, YYYY-MM-DD. */
  day: string;
  /** The last days of use of vials and lots; null where unknown. */
  lastDays: readonly (string | null)[];
  /** The days on which stock or supplies run out; null if they last longer than the forecast. */
  runOuts: readonly (string | null)[];
  /** Some doses are estimated from those of the last weeks, so every day may change the forecast. */
  isEstimate: boolean;
}

/** The days for which nothing is checked, at most: later, the forecast reaches further, and plans may have become others. */
const UNCHECKED_DAYS = 7;

/** The next day on which there can be an alert that there is not today, if nothing is changed until then. */
export function nextStockDay({ day, lastDays, runOuts, isEstimate }: StockOutlook): string {
  const tomorrow = dayAfter(day, 1);
  if (isEstimate) return tomorrow;
  const turns = [
    ...lastDays.flatMap((last) =>
      last === null ? [] : [daysBefore(last, EXPIRING_DAYS), dayAfter(last, 1)],
    ),
    ...runOuts.flatMap((last) =>
      last === null ? [] : [daysBefore(last, AMBER_DAYS - 1), daysBefore(last, RED_DAYS - 1)],
    ),
  ];
  const ahead = turns.filter((turn) => turn >= tomorrow);
  return [...ahead, dayAfter(day, UNCHECKED_DAYS)].sort()[0] ?? tomorrow;
}
