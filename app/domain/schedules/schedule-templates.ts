import { RESEARCH_TABLE } from '#app/domain/calculator/research-table.ts';
import { dosageHints, type DosageHint } from '#app/domain/calculator/research-reference.ts';
import type { Frequency, ScheduleRule } from './schedule-rule.ts';

/** The contents of a template: a schedule without its days, zone and vial. */
export interface TemplateFacts extends Pick<
  ScheduleRule,
  'doseAmount' | 'doseUnit' | 'times' | 'ramp' | 'course'
> {
  name: string;
  /** Null if the source does not say how often; the user of the template has to choose. */
  frequency: Frequency | null;
  route: string | null;
  notes: string | null;
  /** Null for the user's own default. */
  reminderLeadMinutes: number | null;
}

/** A protocol from the research reference, never a recommendation for a person. */
export interface BuiltInTemplate {
  id: string;
  facts: TemplateFacts;
  /** Its summary, including what it leaves open. */
  words: string;
}

const WEEKLY: Frequency = { kind: 'interval', every: 7 };

const base = {
  times: ['08:00'],
  ramp: null,
  course: null,
  route: null,
  notes: null,
  reminderLeadMinutes: null,
} as const;

const NOT_STATED = 'The source doesn’t say how often: choose it yourself.';

/** Based on the dosage hints of the reference; their sources are shown next to them (see `templateSources`). */
export const BUILT_IN_TEMPLATES: readonly BuiltInTemplate[] = [
  {
    id: 'semaglutide',
    facts: {
      ...base,
      name: 'Semaglutide',
      doseAmount: '0.25',
      doseUnit: 'mg',
      frequency: WEEKLY,
      ramp: { start: '0.25', step: '0.25', everyWeeks: 4, target: '0.5' },
    },
    words: '0.25 mg once a week for 4 weeks, then 0.5 mg.',
  },
  {
    id: 'tirzepatide',
    facts: {
      ...base,
      name: 'Tirzepatide',
      doseAmount: '2.5',
      doseUnit: 'mg',
      frequency: WEEKLY,
      ramp: { start: '2.5', step: '2.5', everyWeeks: 4, target: '5' },
    },
    words: '2.5 mg once a week for 4 weeks, then 5 mg.',
  },
  {
    id: 'bpc-157',
    facts: { ...base, name: 'BPC-157', doseAmount: '250', doseUnit: 'mcg', frequency: null },
    words: `250 mcg. ${NOT_STATED}`,
  },
  {
    id: 'tb-500',
    facts: { ...base, name: 'TB-500', doseAmount: '2', doseUnit: 'mg', frequency: null },
    words: `2 mg. ${NOT_STATED}`,
  },
  {
    id: 'ipamorelin',
    facts: { ...base, name: 'Ipamorelin', doseAmount: '200', doseUnit: 'mcg', frequency: null },
    words: `200 mcg. ${NOT_STATED}`,
  },
];

/** The dosage hints that a built-in template is based on. */
export function templateHints({ facts }: BuiltInTemplate): readonly DosageHint[] {
  return dosageHints(facts.name);
}

/** The sources of a built-in template: "starter: 0.25 mg, weekly, 4 weeks (source)". */
export function templateSources(template: BuiltInTemplate): string[] {
  const hints = templateHints(template);
  if (hints.length === 0)
    return RESEARCH_TABLE.filter(({ compound }) => compound === template.facts.name).map(
      ({ doses }) => `${doses} (Research dosages; no published label)`,
    );
  return hints.map(({ category, dosageRange, frequency, notes, source }) => {
    const note = notes === '' ? '' : `; ${notes}`;
    return `${category}: ${dosageRange}, ${frequency}${note} (${source})`;
  });
}
