import { hoursText, type EffectStatistics } from '#app/domain/tracking/side-effect-statistics.ts';
import { severityText } from '#app/domain/tracking/side-effect-templates.ts';
import { shownInstant } from '#app/domain/time/format-instant.ts';

interface Effect {
  id: string;
  name: string;
  severity: number;
  startedAt: Date;
  resolvedAt: Date | null;
  notes: string | null;
  images: readonly unknown[];
}

const HOUR_MS = 3_600_000;

/** How long a side effect lasted; null while it does. */
export function lastedText({
  startedAt,
  resolvedAt,
}: Pick<Effect, 'startedAt' | 'resolvedAt'>): string | null {
  if (resolvedAt === null) return null;
  return `lasted ${hoursText((resolvedAt.getTime() - startedAt.getTime()) / HOUR_MS)}`;
}

/** A side effect as its list shows it. */
export function effectRow(effect: Effect, timeZone: string) {
  const { id, name, severity, startedAt, notes, images } = effect;
  return {
    id,
    name,
    severity,
    severityText: severityText(severity),
    startedAt: startedAt.toISOString(),
    when: shownInstant(startedAt, timeZone),
    lasted: lastedText(effect),
    notes,
    pictures: images.length,
  };
}

const orDash = (value: number | null, show: (value: number) => string) =>
  value === null ? '–' : show(value);

/** Figures as they are shown. */
export function statsTexts(stats: EffectStatistics) {
  return {
    count: String(stats.count),
    meanSeverity: orDash(stats.meanSeverity, (mean) => mean.toFixed(1)),
    medianDuration: orDash(stats.medianDurationHours, hoursText),
    medianOnset: orDash(stats.medianOnsetHours, hoursText),
  };
}
