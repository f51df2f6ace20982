import { SUBSCRIPTION_EVENT_TYPES } from '#app/domain/billing/subscription-events.ts';

/** A name of the billing record as words: "Payment succeeded". */
export function recordWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What the list of events can be narrowed to. */
export const EVENT_TYPES = [
  { value: '', label: 'All' },
  ...SUBSCRIPTION_EVENT_TYPES.map((value) => ({ value, label: recordWords(value) })).sort((a, b) =>
    a.label.localeCompare(b.label),
  ),
];
