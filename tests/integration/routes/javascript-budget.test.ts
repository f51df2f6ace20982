import { expect, it } from 'vitest';
import { javascriptOf } from '../../../bench/javascript-size.mjs';
import { useWeb } from './web.ts';

/** quality.md section 2: what a page loads before it can be used, after gzip. */
const web = useWeb();
const CLIENT = 'build/client';
const FIRST_PAGE_BYTES = 110_000;
const CALCULATOR_BYTES = 15_000;

/** The scripts that a page loads at once. */
async function scriptsOf(path: string): Promise<string[]> {
  const { body } = await web.visitor().get(path);
  const loads = body.matchAll(
    /(?:rel="modulepreload" href=|import(?: \* as \w+ from)? )"(\/assets\/[^"]+)"/g,
  );
  return [...new Set([...loads].map(([, file = '']) => file))].filter((file) => !file.includes('/manifest-'));
}

it.each([
  ['/', 'routes/_index'],
  ['/calculator', 'routes/calculator'],
])('%s loads no more than its budget, and nothing that the budget does not count', async (path, routeId) => {
  const { totalBytes, files } = javascriptOf(CLIENT, routeId);
  expect(totalBytes).toBeLessThanOrEqual(FIRST_PAGE_BYTES);
  expect((await scriptsOf(path)).toSorted()).toEqual([...new Set(files)].toSorted());
});

it('the calculator adds little to what every page loads', () => {
  expect(javascriptOf(CLIENT, 'routes/calculator').ownBytes).toBeLessThanOrEqual(CALCULATOR_BYTES);
});

it('scripts are sent compressed', async () => {
  const [script = ''] = await scriptsOf('/calculator');
  const { headers } = await web.visitor().get(script, { 'accept-encoding': 'gzip' });
  expect(headers['content-encoding']).toBe('gzip');
});
