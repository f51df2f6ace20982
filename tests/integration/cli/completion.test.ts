import { readFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '#cli/command.ts';
import { placesOf, type Place } from '#cli/completion/words.ts';
import { processIo } from '#cli/io.ts';
import { loadAll } from '#cli/program.ts';
import { BRIEF_IN_README, referenceOf } from '#cli/reference.ts';
import { runCli, spawnShell } from '#tests/support/cli.ts';

let places: Place[];
const leaves = () => places.filter(({ path, commands }) => path !== '' && commands.length === 0);

beforeAll(async () => {
  const session: Session = { program: new Command('vialbook'), io: processIo(), exitCode: 0 };
  await loadAll(session);
  places = placesOf(session.program);
});

/** What bash offers after some words. */
async function offered(...words: string[]): Promise<string[]> {
  const { stdout: script } = await runCli(['completion', 'bash']);
  const line = `${script}\nCOMP_WORDS=(vialbook ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _vialbook; echo "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await spawnShell(line);
  expect(stderr).toBe('');
  return stdout.trim().split(' ');
}

describe('the completion', () => {
  it('in bash offers commands, subcommands and their options', async () => {
    expect(await offered('')).toEqual(
      expect.arrayContaining(['calc', 'import', 'db', 'completion', '--help']),
    );
    expect(await offered('imp')).toEqual(['import']);
    expect(await offered('import', '--d')).toEqual(['--dry-run']);
    expect(await offered('import', '--user', 'ada@example.org', '--un')).toEqual(['--undo']);
    expect(await offered('db', 'ver')).toEqual(['verify']);
    expect(await offered('calc', '--syr')).toEqual(['--syringe']);
  });

  it.each(['bash', 'zsh', 'fish'])('for %s names every command and option', async (shell) => {
    const { code, stdout } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    for (const { path, options } of places) {
      for (const word of path.split(' ')) expect(stdout).toContain(word);
      for (const { long } of options)
        expect(stdout).toContain(shell === 'fish' ? `-l ${long.slice(2)}` : long);
    }
    if (spawnSync(shell, ['-c', 'true']).status === 0) {
      const checked = spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' });
      expect([checked.status, checked.stderr]).toEqual([0, '']);
    }
  });

  it('is refused for another shell', async () => {
    expect(await runCli(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: 'vialbook: Name a shell: bash, zsh, fish.\n',
    });
  });
});

describe('every command', () => {
  it('takes --json and --yes', () => {
    const without = leaves().filter(
      ({ options }) => !['--json', '--yes'].every((name) => options.some(({ long }) => long === name)),
    );
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  it('has a help with an example of its own', async () => {
    const without: string[] = [];
    for (const { path } of leaves().filter(
      ({ path: name }) => !BRIEF_IN_README.includes(name.split(' ')[0] ?? ''),
    )) {
      const { code, stdout } = await runCli([...path.split(' '), '--help']);
      expect(code).toBe(0);
      if (!stdout.includes(`  vialbook ${path}`)) without.push(path);
    }
    expect(without).toEqual([]);
  });

  it('stands in the README as the program says it itself', async () => {
    const readme = await readFile('README.md', 'utf8');
    const session: Session = { program: new Command('vialbook'), io: processIo(), exitCode: 0 };
    await loadAll(session);
    const written = /<!-- cli-reference -->\n\n```text\n([\s\S]*?)\n```/.exec(readme)?.[1];
    // `npm run cli-reference` writes it anew.
    expect(written).toBe(referenceOf(session.program, { brief: BRIEF_IN_README }));
    expect((await runCli(['reference'])).stdout).toContain('vialbook import [options] [file]');
  });
});
