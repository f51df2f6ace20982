import { hoursText } from '#app/domain/tracking/side-effect-statistics.ts';
import type { ReportEffect } from './report-row-groups.ts';
import type { ReportColumn } from './report-types.ts';
import { HOUR_MS } from '#app/domain/time/calendar.ts';

/** Kinds that are told apart; what goes beyond is one kind more. */
const MOST_KINDS = 200;

const OTHERS = 'All others';

interface Kind {
  name: string;
  count: number;
  least: number;
  most: number;
  lasting: number;
  longestHours: number | null;
}

export const KIND_COLUMNS: readonly ReportColumn[] = [
  { label: 'Side effect', width: 26 },
  { label: 'Times', width: 10, numeric: true },
  { label: 'Severity of 5', width: 14, numeric: true },
  { label: 'Ongoing', width: 14, numeric: true },
  { label: 'Longest', width: 14, numeric: true },
];

const between = (least: number, most: number) => (least === most ? `${most}` : `${least} to ${most}`);

const hoursOf = (effect: ReportEffect): number | null =>
  effect.resolvedAt === null ? null : (effect.resolvedAt.getTime() - effect.startedAt.getTime()) / HOUR_MS;

/** Sums side effects up by name, as they come, in any order; names alike but for capitals are one. */
export function effectKinds() {
  const kinds = new Map<string, Kind>();
  const kindOf = (name: string): Kind => {
    const known = kinds.get(name.toLowerCase());
    if (known) return known;
    const [key, shown] = kinds.size < MOST_KINDS ? [name.toLowerCase(), name] : ['', OTHERS];
    const kind = kinds.get(key) ?? {
      name: shown,
      count: 0,
      least: 5,
      most: 1,
      lasting: 0,
      longestHours: null,
    };
    kinds.set(key, kind);
    return kind;
  };
  return {
    add(effect: ReportEffect): void {
      const kind = kindOf(effect.name);
      const hours = hoursOf(effect);
      kind.count += 1;
      kind.least = Math.min(kind.least, effect.severity);
      kind.most = Math.max(kind.most, effect.severity);
      if (hours === null) kind.lasting += 1;
      else kind.longestHours = Math.max(kind.longestHours ?? 0, hours);
    },
    /** The most frequent first; none when every kind was there once, since the list then says the same. */
    rows(): string[][] {
      const all = [...kinds.values()];
      if (all.every(({ count }) => count === 1)) return [];
      return all
        .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
        .map(({ name, count, least, most, lasting, longestHours }) => [
          name,
          String(count),
          between(least, most),
          String(lasting),
          longestHours === null ? '–' : hoursText(longestHours),
        ]);
    },
  };
}
