// `npm run stock-server`: the build behind the real `remix-serve`, installed into a temporary folder: headers, origin check,
// limits and the journeys of the browser. Needs a registry, which `npm test` does without.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(path.join(os.tmpdir(), 'vialbook-remix-serve-'));
const run = (command, args, options) =>
  spawnSync(command, args, { stdio: 'inherit', ...options }).status ?? 1;

/** The tests whose subject is the transport, and the journey a user makes first. */
const TESTS = [
  'tests/integration/server/stock-server.test.ts',
  'tests/integration/routes/headers.test.ts',
  'tests/integration/routes/origin.test.ts',
  'tests/integration/routes/hostile-requests.test.ts',
  'tests/integration/routes/logs.test.ts',
  'tests/integration/routes/stopping.test.ts',
  'tests/browser/main-journey.spec.ts',
];

let status = 1;
try {
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  const wanted = `@remix-run/serve@${dependencies['@remix-run/express']}`;
  status = run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', wanted], { cwd: folder });
  if (status === 0) {
    const REMIX_SERVE = path.join(folder, 'node_modules/@remix-run/serve/dist/cli.js');
    const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
    const projects = ['--project', 'integration', '--project', 'browser'];
    status = run(process.execPath, [vitest, 'run', ...projects, ...TESTS], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'test', REMIX_SERVE },
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);
