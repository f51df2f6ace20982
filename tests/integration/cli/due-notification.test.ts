import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '#tests/support/cli.ts';

describe('vialbook due', () => {
  it('has an example, in its help and in the guide, that notifies only about overdue doses', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'vialbook-notify-'));
    const program = (name: string, line: string) =>
      writeFile(path.join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
    await program('vialbook', 'exit "$ANSWER"');
    await program('notify-send', 'echo "$1"');
    const { stdout: help } = await runCli(['due', '--help']);
    for (const text of [help, await readFile('docs/terminal.md', 'utf8')]) {
      const shown = text.match(/^ *vialbook due .*notify-send.*$/gm) ?? [];
      expect(shown).toHaveLength(1);
      const answers = [0, 1, 2, 3, 4, 5].map((code) => {
        const shellEnv = { NODE_ENV: 'test', PATH: folder, ANSWER: String(code) } as const;
        return spawnSync('/bin/sh', ['-c', shown.join('')], { env: shellEnv, encoding: 'utf8' }).stdout;
      });
      expect(answers).toEqual(['', '', '', 'A dose is overdue\n', '', '']);
    }
    await rm(folder, { recursive: true, force: true });
  });
});
