import { countDays, shownDay } from '#app/domain/time/format-day.ts';
import { expiryOf } from './beyond-use.ts';
import type { StockForecast } from './forecast.ts';
import { isLow } from './low-stock.ts';
import { vialNameKey } from './vial-name-key.ts';
import { isFinal } from './vial-status.ts';
import type { Vial } from './vial.ts';

/** Something about the stock that its owner should know. */
export interface StockAlert {
  /** The same for as long as it is the same news: who has been told once need not be told again. */
  readonly key: string;
  readonly kind: 'low' | 'expiring' | 'expired';
  /** The vial it is about; null when it is about all of a compound. */
  readonly compoundId: string | null;
  readonly name: string;
  /** One sentence. */
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
  return [{ key: `${kind}:${vial.id}:${lastDay}`, kind, compoundId: vial.id, name: vial.name, message }];
}

/** The vial that came last: with it, an old warning is over and a new one is news. */
const newest = (vials: readonly Vial[]): string =>
  vials.reduce((last, { createdAt, id }) => {
    const stamp = `${createdAt.getTime()}-${id}`;
    return stamp > last ? stamp : last;
  }, '');

function runOutAlert(
  { name, nameKey, level, runOutDay, daysOfSupply }: StockForecast,
  vials: readonly Vial[],
): StockAlert[] {
  if (runOutDay === null || (level !== 'amber' && level !== 'red')) return [];
  const when =
    daysOfSupply === 0
      ? 'The stock does not cover today’s doses.'
      : `It lasts ${countDays(daysOfSupply ?? 0)}, until ${shownDay(runOutDay)}.`;
  const key = `low:${nameKey}:${level}:${newest(vials)}`;
  return [{ key, kind: 'low', compoundId: null, name, message: `${name} is running low. ${when}` }];
}

/** Without doses to come nobody knows how long it lasts; the last open vial being nearly empty is worth a word then. */
function remainderAlert({ level }: StockForecast, vials: readonly Vial[]): StockAlert[] {
  const [only] = vials;
  if (level !== 'unknown' || only === undefined || vials.length > 1 || !isLow(only)) return [];
  const { id, name, remaining } = only;
  return [
    {
      key: `low:${id}`,
      kind: 'low',
      compoundId: id,
      name,
      message: `${name} is running low. ${remaining} mg are left.`,
    },
  ];
}

/** All alerts: by name what runs low, then by date what must be used or is past its date. */
export function stockAlertsOf(
  vials: readonly Vial[],
  forecasts: readonly StockForecast[],
  day: string,
): StockAlert[] {
  const active = vials.filter((vial) => !isFinal(vial));
  const low = forecasts.flatMap((forecast) => {
    const own = active.filter(({ name }) => vialNameKey(name) === forecast.nameKey);
    return [...runOutAlert(forecast, own), ...remainderAlert(forecast, own)];
  });
  const dated = active.flatMap((vial) => dateAlert(vial, day)).sort((a, b) => (a.key < b.key ? -1 : 1));
  return [...low, ...dated];
}
