import { describe, expect, it } from 'vitest';

const modules = import.meta.glob<Record<string, unknown>>('/app/domain/**/*.ts', { eager: true });

/** Every sentence in a list of messages, with the way to it: `DOSE_MESSAGES.taken`. */
function sentencesIn(messages: unknown, at: string): [path: string, text: string][] {
  if (typeof messages === 'string') return [[at, messages]];
  if (typeof messages !== 'object' || messages === null) return [];
  return Object.entries(messages).flatMap(([name, inner]) => sentencesIn(inner, `${at}.${name}`));
}

/** Every sentence of every list of messages in the domain. */
const sentences = () =>
  Object.values(modules)
    .flatMap((exports) => Object.entries(exports))
    .filter(([name]) => /^[A-Z_]+_(MESSAGES|WORDS|TEXTS|ERRORS|FAILED)$/.test(name))
    .flatMap(([name, messages]) => sentencesIn(messages, name));

/** What was specified word by word. */
const SPECIFIED = [
  'Invalid email or password',
  'Registration failed. Please try again.',
  'Access denied. Admin privileges required.',
  'Network Error',
  'Failed to connect to server',
  'Schedule created successfully',
  'Schedule updated successfully',
  'Schedule deleted successfully',
  'Schedule activated',
  'Schedule paused',
  'Dose marked as taken',
  'Dose marked as missed',
  'Dose marked as skipped',
  'Failed to create schedule',
  'Failed to update schedule',
  'Failed to update dose',
  'Export failed. Please try again.',
  'No data found for the selected criteria and date range.',
  'Something went wrong',
  'Component Loading Error',
  'Working offline',
];

describe('the messages', () => {
  it.each(SPECIFIED)('say as the specification does: %s', (sentence) => {
    expect(sentences().map(([, text]) => text)).toContain(sentence);
  });
});
