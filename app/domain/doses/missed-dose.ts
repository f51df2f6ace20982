import type { ScheduleRule } from '#app/domain/schedules/schedule-rule.ts';
import { plural } from '#app/domain/text/plural.ts';

/**
 * What the schedule's own rule means for a missed dose, and what can be done with the dose. Explains the consequences, never
 * recommends anything.
 * @param frequency of its schedule; null if that was deleted
 * @param next when the schedule's next dose is due, in words; null if it has none
 */
export function missedDoseTexts(frequency: ScheduleRule['frequency'] | null, next: string | null): string[] {
  return [
    ruleText(frequency, next),
    'You can log it with the time you took it, mark it as skipped so that it doesn’t count, or leave it as missed.',
  ];
}

function ruleText(frequency: ScheduleRule['frequency'] | null, next: string | null): string {
  if (frequency === null) return 'Its schedule was deleted, so no other dose depends on it.';
  if (frequency.kind === 'as-needed') return 'Its schedule is now as needed, so no other dose depends on it.';
  if (frequency.kind === 'once') return 'Its schedule has no other dose.';
  if (frequency.kind === 'after-last') {
    const now = next === null ? '' : ` Otherwise the next one is due ${next}.`;
    return `Its schedule counts from the last dose: if you log this one as taken, the next one is due ${plural(frequency.everyHours, 'hour')} after the latest one you took.${now}`;
  }
  return next === null
    ? 'Its schedule has no later dose.'
    : `Its schedule keeps its times: whatever you do with this dose, the next one is due ${next}.`;
}
