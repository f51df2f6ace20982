import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const app = new URL('../../../app', import.meta.url).pathname;
const files = (folder: string, end: RegExp) =>
  readdirSync(path.join(app, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => end.test(name))
    .map((name) => path.join(folder, name));
const read = (name: string) => readFileSync(path.join(app, name), 'utf8');

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
  'Server is starting up. Please wait a moment and try again. This only happens on the first login of the day.',
  'Registration failed. Please try again.',
  'Login failed. Please try again.',
  'Access denied. Admin privileges required.',
  'Server Timeout',
  'Server is taking too long to respond. It may be starting up. Please try again in a few moments.',
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
  'Error loading admin data',
  'Export failed. Please try again.',
  'No data found for the selected criteria and date range.',
  'App installation not available',
  'Failed to install app',
  'Failed to encrypt data',
  'Failed to decrypt data - possibly corrupted or wrong key',
  'Something went wrong',
  'Application Error: Something went wrong. Please refresh the page.',
  'Component Loading Error',
  'New app version available. Refresh to update.',
  'Back online',
  'Working offline',
];

/** The code of all rooms, without comments and on one line, so that no line's end is inside a sentence. */
const sources = ['domain', 'features', 'ui', 'offline', 'routes'].flatMap((folder) =>
  files(folder, /\.tsx?$/).map((name) => {
    const code = read(name).replaceAll(/\/\*[^]*?\*\/|(?<!:)\/\/[^\n]*/g, '');
    return { name, code: code.replaceAll(/\s+/g, ' ') };
  }),
);

describe('the messages', () => {
  it.each(SPECIFIED)('say as the specification does: %s', (sentence) => {
    const isSaid = sentences().some(([, text]) => text === sentence);
    expect(isSaid || sources.some(({ code }) => code.includes(sentence))).toBe(true);
  });

  it('are in one place each', () => {
    const shared = sentences()
      .filter(([at]) => /^(ERROR_WORDS|MODULE_FAILED|NETWORK_TEXTS|OFFLINE_WORDS|EXPORT_FAILED)/.test(at))
      .map(([, text]) => text);
    // Single words are said about other things, too.
    const long = [...new Set([...SPECIFIED, ...shared])].filter((text) => text.split(' ').length > 2);
    expect(long.length).toBeGreaterThan(10);
    const again = long.flatMap((text) => {
      // A sentence inside a longer one is not said again.
      const around = long.filter((other) => other !== text && other.includes(text));
      const places = sources.filter(({ code }) =>
        around.reduce((rest, other) => rest.replaceAll(other, ''), code).includes(text),
      );
      return places.length > 1 ? [`${text}: ${places.map(({ name }) => name).join(', ')}`] : [];
    });
    expect(again).toEqual([]);
  });
});
