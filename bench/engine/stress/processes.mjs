// Shared by the stress tests: processes, and the verdict.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./child.mjs', import.meta.url));

export const temporary = (name) => mkdtempSync(path.join(tmpdir(), `stress-${name}-`));

/** Starts a task of `child.mjs`, with the lines it has printed so far. */
export function start(url, dir, task, name = '') {
  const child = spawn(process.execPath, [CHILD, url, dir, task, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  return {
    get lines() {
      return output.split('\n').slice(0, -1);
    },
    ended,
    kill: async () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

/** Prints a number of failures, which must be 0. */
export function verdict(what, failures) {
  console.log(
    `${what.padEnd(72)} ${String(failures).padStart(6)}   to reach 0   ${failures === 0 ? 'ok' : 'MISSED'}`,
  );
  if (failures > 0) process.exitCode = 1;
}
