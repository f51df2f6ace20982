import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { javascriptOf, readBrowserManifest } from '../../../scripts/javascript-size.mjs';
import { useWeb } from './web.ts';

/** What a page loads before it can be used, after gzip. */
const web = useWeb();
const CLIENT = 'build/client';
/** The limit for what a phone on a slow connection must load first: React, Remix and the list of all routes are 84 kB and 10 kB of it. */
const FIRST_PAGE_BYTES = 135_000;
const CALCULATOR_BYTES = 20_000;
/** What every day's pages of an account load: no form library and no schema. A tenth of it is that forty small files compress badly, and
 *  4 kB are zod's own way to be told what not to try. */
const EVERYDAY_BYTES = 150_000;
/** Forms that are checked while they are filled in bring their schema along. */
const ANY_PAGE_BYTES = 200_000;
const STYLES_BYTES = 15_000;

/** The scripts that a page loads at once. */
async function scriptsOf(path: string): Promise<string[]> {
  const { body } = await web.visitor().get(path);
  const loads = body.matchAll(
    /(?:rel="modulepreload" href=|import(?: \* as \w+ from)? )"(\/assets\/[^"]+)"/g,
  );
  return [...new Set([...loads].map(([, file = '']) => file))];
}

it.each([
  ['/', 'routes/_index'],
  ['/calculator', 'routes/calculator'],
  ['/login', 'routes/login'],
  ['/register', 'routes/register'],
])('%s loads no more than its budget, and nothing that the budget does not count', async (path, routeId) => {
  const { totalBytes, files } = javascriptOf(CLIENT, routeId);
  expect(totalBytes).toBeLessThanOrEqual(FIRST_PAGE_BYTES);
  expect((await scriptsOf(path)).toSorted()).toEqual([...new Set(files)].toSorted());
});

it('the calculator adds little to what every page loads', () => {
  expect(javascriptOf(CLIENT, 'routes/calculator').ownBytes).toBeLessThanOrEqual(CALCULATOR_BYTES);
});

it.each([
  'routes/dashboard._index',
  'routes/dashboard.schedule._index',
  'routes/dashboard.schedule_.all',
  'routes/dashboard.schedule.calendar',
  'routes/dashboard.vials',
  'routes/dashboard.calculator',
  'routes/dashboard.analytics',
  'routes/dashboard.reminders._index',
])('%s loads what it shows, and no schema for a form that it has not', (routeId) => {
  expect(javascriptOf(CLIENT, routeId).totalBytes).toBeLessThanOrEqual(EVERYDAY_BYTES);
});

it('no page loads more than a form with its schema has to', () => {
  const routes = Object.keys(readBrowserManifest(CLIENT).routes);
  const over = routes
    .map((id) => [id, javascriptOf(CLIENT, id).totalBytes] as const)
    .filter(([, bytes]) => bytes > ANY_PAGE_BYTES);
  expect(routes.length).toBeGreaterThan(100);
  expect(over).toEqual([]);
});

it('all pages share one file of styles, within its budget', async () => {
  const { body } = await web.visitor().get('/calculator');
  const files = [...body.matchAll(/rel="stylesheet" href="([^"]+)"/g)].map(([, file = '']) => file);
  expect(files).toHaveLength(1);
  const bytes = gzipSync(readFileSync(`${CLIENT}${files[0]}`), { level: 9 }).byteLength;
  expect(bytes).toBeLessThanOrEqual(STYLES_BYTES);
  const { entry, routes } = readBrowserManifest(CLIENT);
  expect([entry, ...Object.values(routes)].flatMap(({ css = [] }) => css)).toEqual([]);
});

it('scripts are sent compressed', async () => {
  const scripts = await scriptsOf('/calculator');
  // Below a kilobyte, compression gains nothing.
  const large = scripts.filter((file) => readFileSync(`${CLIENT}${file}`).byteLength >= 1024);
  expect(large.length).toBeGreaterThan(2);
  for (const file of large) {
    const { headers } = await web.visitor().get(file, { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding'], file).toBe('gzip');
  }
});
