import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { pageBrowser, PATIENCE_MS } from '#tests/support/browser.ts';
import { freePort } from '#tests/support/server.ts';
import { isFullSize } from '#tests/support/size.ts';

/** What `npm run dev` needs of the repository, beside its packages. */
const SOURCES = [
  'app',
  'cli',
  'models',
  'public',
  'scripts',
  'package.json',
  'remix.config.js',
  'vite.config.ts',
];

/** Runs `npm run dev` in a copy of the sources, in which a test may write. */
async function developing(work: (copy: { folder: string; url: string }) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vialbook-dev-'));
  for (const name of SOURCES) await cp(name, path.join(folder, name), { recursive: true });
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: { dev: string } };
  const [command = '', ...args] = scripts.dev.split(' ');
  const port = await freePort();
  const { PATH } = process.env;
  const server = spawn(command, args, {
    cwd: folder,
    env: { PATH, HOME: os.tmpdir(), TMPDIR: os.tmpdir(), PORT: String(port), NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(server, 'exit');
  try {
    await expect.poll(() => output).toContain('Vialbook is running');
    await work({ folder, url: `http://localhost:${port}` });
  } finally {
    if (server.kill('SIGTERM')) await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

/** Changes a source as an editor does. */
async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  expect(text).toContain(from);
  await writeFile(file, text.replaceAll(from, to));
}

it.runIf(isFullSize)(
  'npm run dev puts a saved source into the open page, and keeps what is typed there',
  () =>
    developing(async ({ folder, url }) => {
      const context = await (await pageBrowser()).newContext({ baseURL: url, serviceWorkers: 'block' });
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', ({ message }) => problems.push(message));
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      const connected = page.waitForEvent('console', (message) => message.text() === '[vite] connected.');
      await page.goto('/calculator');
      await connected;
      const name = page.getByLabel('Peptide amount');
      await name.fill('7.5');
      await edit(path.join(folder, 'cli/main.ts'), '\n', '\n\n');
      await edit(
        path.join(folder, 'app/routes/calculator.tsx'),
        '<PageTitle>Reconstitution',
        '<PageTitle>Edited',
      );
      await page.getByRole('heading', { name: 'Edited Calculator' }).waitFor();
      expect(await name.inputValue()).toBe('7.5');
      await edit(path.join(folder, 'app/routes/healthz.ts'), "'ok\\n'", "'edited\\n'");
      await expect.poll(async () => (await fetch(`${url}/healthz`)).text()).toBe('edited\n');
      expect(problems).toEqual([]);
      expect(existsSync(path.join(folder, 'build'))).toBe(false);
      await context.close();
    }),
);
