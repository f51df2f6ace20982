import { HOUR_MS } from '#app/domain/time/calendar.ts';

/** Common side effects, offered as names. */
export const SIDE_EFFECT_TEMPLATES = [
  'Injection-site reaction',
  'Nausea',
  'Headache',
  'Fatigue',
  'Flushing',
  'Water retention',
  'Appetite change',
  'Stomach upset',
  'Dizziness',
  'Tingling',
  'Irritability',
  'Sleep change',
] as const;

/** How many templates a user can add. */
export const MAX_OWN_TEMPLATES = 50;

/** Severity in words, shown with the number. */
export const SEVERITY_WORDS = ['', 'very mild', 'mild', 'moderate', 'severe', 'very severe'] as const;

/** "3 of 5, moderate" */
export function severityText(severity: number): string {
  return `${severity} of 5, ${SEVERITY_WORDS[severity] ?? ''}`;
}

/** The fields of a side effect that the statistics use. */
export interface CountedEffect {
  name: string;
  severity: number;
  startedAt: Date;
  /** When it ended; null while ongoing. */
  resolvedAt: Date | null;
}

/** Statistics of some side effects. */
export interface EffectStatistics {
  count: number;
  /** How many are ongoing. */
  open: number;
  /** Sum of the severities ÷ count; null if there are none. */
  meanSeverity: number | null;
  maxSeverity: number | null;
  /** Hours from start to end of the resolved ones; null if there are none. */
  medianDurationHours: number | null;
  /** Hours from the last dose before the start to the start; null when none of them has such a dose. */
  medianOnsetHours: number | null;
  /** How many have a dose before them. */
  withOnset: number;
}

/** Statistics of the side effects with one name. */
export interface NamedStatistics extends EffectStatistics {
  name: string;
}

/** Doses longer ago than this are ignored for the onset. */
export const ONSET_WINDOW_HOURS = 14 * 24;

/** The median of a list; null if it is empty. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/**
 * Hours from the last dose at or before a start to that start.
 * @param takenAt when doses were taken, oldest first
 * @returns null when none was taken in the {@link ONSET_WINDOW_HOURS} before
 */
export function onsetHours(startedAt: Date, takenAt: readonly Date[]): number | null {
  let [low, high] = [0, takenAt.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((takenAt[middle] as Date).getTime() <= startedAt.getTime()) low = middle + 1;
    else high = middle;
  }
  const last = takenAt[low - 1];
  if (last === undefined) return null;
  const hours = (startedAt.getTime() - last.getTime()) / HOUR_MS;
  return hours <= ONSET_WINDOW_HOURS ? hours : null;
}

/** The statistics of some side effects. @param takenAt when doses were taken, oldest first */
export function summariseEffects(
  effects: readonly CountedEffect[],
  takenAt: readonly Date[],
): EffectStatistics {
  const severities = effects.map(({ severity }) => severity);
  const durations = effects.flatMap(({ startedAt, resolvedAt }) =>
    resolvedAt === null ? [] : [(resolvedAt.getTime() - startedAt.getTime()) / HOUR_MS],
  );
  const onsets = effects
    .map(({ startedAt }) => onsetHours(startedAt, takenAt))
    .filter((hours) => hours !== null);
  const { length: count } = effects;
  return {
    count,
    open: count - durations.length,
    meanSeverity: count === 0 ? null : severities.reduce((sum, severity) => sum + severity, 0) / count,
    maxSeverity: count === 0 ? null : Math.max(...severities),
    medianDurationHours: median(durations),
    medianOnsetHours: median(onsets),
    withOnset: onsets.length,
  };
}

/** The statistics by name, most frequent first. Names that differ only in case are counted together. */
export function summariseByName(
  effects: readonly CountedEffect[],
  takenAt: readonly Date[],
): NamedStatistics[] {
  const groups = new Map<string, CountedEffect[]>();
  for (const effect of effects) {
    const key = effect.name.toLowerCase();
    const group = groups.get(key);
    if (group) group.push(effect);
    else groups.set(key, [effect]);
  }
  return [...groups.values()]
    .map((group) => ({ name: group[0]?.name ?? '', ...summariseEffects(group, takenAt) }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

/** Hours as people say them: "40 min", "6.5 h", "3 days". */
export function hoursText(hours: number): string {
  if (hours < 1) return `${Math.round(hours * 60)} min`;
  if (hours < 48) return `${Math.round(hours * 10) / 10} h`;
  return `${Math.round(hours / 2.4) / 10} days`;
}
