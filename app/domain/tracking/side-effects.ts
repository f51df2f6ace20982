import { HOUR_MS } from '#app/domain/time/calendar.ts';

/**
 * Names that side effects are given most often.
 */
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

/** How many templates of their own somebody can have. */
export const MAX_OWN_TEMPLATES = 50;

/** Severity in a word, beside the number. */
export const SEVERITY_WORDS = ['', 'very mild', 'mild', 'moderate', 'severe', 'very severe'] as const;

/** "3 of 5, moderate" */
export function severityText(severity: number): string {
  return `${severity} of 5, ${SEVERITY_WORDS[severity] ?? ''}`;
}

/** What of a side effect is counted. */
export interface CountedEffect {
  name: string;
  severity: number;
  startedAt: Date;
  /** When it was over; null while it lasts. */
  resolvedAt: Date | null;
}

/** Figures of some side effects. */
export interface EffectStatistics {
  count: number;
  /** Those that last. */
  open: number;
  /** Sum of the severities ÷ count; null without any. */
  meanSeverity: number | null;
  maxSeverity: number | null;
  /** Hours from start to end, of those that are over; null without any. */
  medianDurationHours: number | null;
  /** Hours from the last dose taken before the start to the start; null when no dose came before any of them. */
  medianOnsetHours: number | null;
  /** How many of them have a dose before. */
  withOnset: number;
}

/** The same for those of one name. */
export interface NamedStatistics extends EffectStatistics {
  name: string;
}

/** A dose longer ago than this says nothing about when an effect set in. */
export const ONSET_WINDOW_HOURS = 14 * 24;

/** The value in the middle of a list, the mean of the two middle ones of an even number; null of none. */
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

/** The figures of some side effects. @param takenAt when doses were taken, oldest first */
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

/** The figures by name, the most frequent first, names alike but for capitals together. */
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
