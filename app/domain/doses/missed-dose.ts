import type { ScheduleRule } from '#app/domain/schedules/schedule-rule.ts';
import { plural } from '#app/domain/text/plural.ts';

/**
 * What a plan's own rule says about a dose that was missed, and what can be done with it. Says what follows, never what to
 * do.
 * @param frequency of its plan; null when the plan is gone
 * @param next when the plan's next dose is due, in words; null when it has none
 */
export function missedDoseTexts(frequency: ScheduleRule['frequency'] | null, next: string | null): string[] {
  return [
    ruleText(frequency, next),
    'You can log it as taken with the time you took it, mark it as skipped so that it does not count, or leave it: then it counts as missed.',
  ];
}

function ruleText(frequency: ScheduleRule['frequency'] | null, next: string | null): string {
  if (frequency === null) return 'Its plan was deleted, so nothing follows from it.';
  if (frequency.kind === 'as-needed') return 'Its plan is taken as needed now, so nothing follows from it.';
  if (frequency.kind === 'once') return 'Its plan has no other dose.';
  if (frequency.kind === 'after-last') {
    const now = next === null ? '' : ` As it is, the next one is due ${next}.`;
    return `Its plan counts from the last dose: logged as taken, the next one is due ${plural(frequency.everyHours, 'hour')} after the latest you took.${now}`;
  }
  return next === null
    ? 'Its plan has no later dose.'
    : `Its plan keeps its times: whatever you do with this dose, the next one is due ${next}.`;
}
