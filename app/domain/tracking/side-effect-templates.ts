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
