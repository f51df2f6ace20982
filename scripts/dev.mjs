// `npm run dev`: rebuilds when a source changes and restarts the server. There is only the built server,
// so developers see what users get.
import { spawn, spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
let server;
let timer;

function restart() {
  const built = spawnSync(process.execPath, [path.join(root, 'scripts/prepare.mjs')], {
    cwd: root,
    stdio: 'inherit',
  });
  if (built.status !== 0) return;
  const start = () => {
    const env = { STYLEGUIDE: 'on', ...process.env };
    server = spawn(process.execPath, ['build/web/server.js'], { cwd: root, env, stdio: 'inherit' });
  };
  if (!server || server.exitCode !== null) return start();
  server.once('exit', start);
  server.kill('SIGTERM');
}

restart();
for (const folder of ['app', 'models', 'cli', 'public']) {
  watch(path.join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(restart, 200);
  });
}
