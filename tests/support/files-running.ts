import { Session } from 'node:inspector/promises';
import path from 'node:path';

const ROOT = new URL('../../', import.meta.url).pathname;

/**
 * The product's files that are executed while `act` runs. Leaves out the embedded engine, and index files, which only re-export
 * names.
 */
export async function filesRunning(act: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const ran = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
  const files = ran.map(({ url }) => path.relative(ROOT, url.replace(/^file:\/\//, '').replace(/\?.*$/, '')));
  return [...new Set(files)]
    .filter((file) => /^(?:app|models)\/(?!engine\/)/.test(file) && !file.endsWith('/index.server.ts'))
    .sort();
}
