import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '#cli/command.ts';
import { placesOf, type Place } from '#cli/commands/completion.ts';
import { processIo } from '#cli/io.ts';
import { loadAll } from '#cli/program.ts';
import { referenceOf } from '#cli/commands/reference.ts';
import { runCli, spawnShell } from '#tests/support/cli.ts';

let places: Place[];
const leaves = () => places.filter(({ path, commands }) => path !== '' && commands.length === 0);

const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  const session: Session = { program: new Command('vialbook'), io: processIo(), exitCode: 0 };
  await loadAll(session);
  places = placesOf(session.program);
});

/** The example command lines in a help text. */
const exampleLines = (help: string): string[] =>
  (/\nExamples?:\n([\s\S]*)$/.exec(help)?.[1] ?? '').split('\n').map((line) => line.trim());

/** The words of a command line; a quoted part is one word. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replace(/["']/g, ''));

/** Each call of `vialbook` in a shell line: the command's path, and the words after it. */
function commandsOf(line: string): [path: string, words: string[]][] {
  const plain = line.replace(/\s#\s.*$/, '').replace(/\d?>{1,2}&?\s*\S+|<\(|\$\(|\)/g, ' ');
  return plain.split(/\|\|?|&&?|;/).flatMap((part): [string, string[]][] => {
    const words = wordsOf(part).filter((word) => !/^[A-Z_]+=/.test(word));
    const start = words.indexOf('vialbook');
    if (start < 0) return [];
    const rest = words.slice(start + 1);
    const called = places.findLast(({ path }) => path === rest.slice(0, path.split(' ').length).join(' '));
    const path = called?.path ?? '';
    return [[path, path === '' ? rest : rest.slice(path.split(' ').length)]];
  });
}

/** Errors in the words after a command: unknown or missing options, or too many operands. */
function problemsOf(path: string, words: string[]): string[] {
  const place = places.find((one) => one.path === path);
  if (path === '' || !place) return words.every((word) => word === '--help') ? [] : ['no such command'];
  if (place.commands.length > 0) return words.includes('--help') ? [] : ['a group alone'];
  const problems: string[] = [];
  const given = new Set<string>();
  let operands = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '-' || !word.startsWith('-')) operands += 1;
    else {
      const [name = ''] = word.split('=');
      const option = place.options.find(({ long, short }) => long === name || short === name);
      if (!option) problems.push(`no option ${word}`);
      given.add(option?.long ?? '');
      if (option?.takesValue && !word.includes('=')) at += 1;
    }
  }
  const { required, operandsRequired, operandsAllowed } = place;
  for (const long of required) if (!given.has(long)) problems.push(`lacks ${long}`);
  if (operands < operandsRequired || operands > operandsAllowed) problems.push(`${operands} operands`);
  return problems;
}

/** Bash's completions after some words. */
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

  it('in bash offers the values of options, and files where a file is asked for', async () => {
    expect(await offered('calc', '--syringe', 'u100')).toEqual(['u100-1ml', 'u100-0.5ml', 'u100-0.3ml']);
    expect(await offered('calc', '--solve-for', '')).toEqual(['volume', 'water', 'dose']);
    expect(await offered('export', '--format', '')).toEqual(['csv', 'json', 'pdf']);
    expect(await offered('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
    expect(await offered('log', '--site', 'abdomen-u')).toEqual([
      'abdomen-upper-left',
      'abdomen-upper-right',
    ]);
    expect(await offered('admin', 'users', '--status', 'past')).toEqual(['past_due']);
    // Nothing from us, so readline completes file names.
    expect(await offered('admin', 'backup', '--out', '')).toEqual(['']);
    expect(await offered('db', 'restore', '')).toEqual(['']);
    expect(await offered('db', 'restore', '--js')).toEqual(['--json']);
    expect(await offered('log', '--compound', '')).toEqual(['']);
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
      // Not all versions of fish check what comes from standard input.
      const file = path.join(folder, `completion.${shell}`);
      writeFileSync(file, stdout);
      const checked = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
      expect([checked.status, checked.stderr]).toEqual([0, '']);
    }
  });

  it('is rejected for an unknown shell', async () => {
    expect(await runCli(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: 'vialbook: Choose a shell: bash, zsh, fish.\n',
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

  it('has its own example in its help', async () => {
    const without: string[] = [];
    for (const { path } of leaves()) {
      const { code, stdout } = await runCli([...path.split(' '), '--help']);
      expect(code).toBe(0);
      if (!exampleLines(stdout).some((line) => commandsOf(line).some(([called]) => called === path)))
        without.push(path);
    }
    expect(without).toEqual([]);
  });

  it('has examples, in its help and in the docs, that name only commands and options that exist', async () => {
    const lines: string[] = [];
    for (const { path } of leaves())
      lines.push(...exampleLines((await runCli([...path.split(' '), '--help'])).stdout));
    const pages = readdirSync('docs').filter((name) => name.endsWith('.md'));
    for (const page of ['README.md', ...pages.map((name) => `docs/${name}`)])
      for (const [, block = ''] of readFileSync(page, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g))
        lines.push(...block.split('\n'));
    const calls = lines.flatMap(commandsOf);
    expect(calls.length).toBeGreaterThan(60);
    for (const [path, words] of calls)
      expect(problemsOf(path, words), `${path} ${words.join(' ')}`).toEqual([]);
  });

  it('is in docs/terminal.md as the program prints it', async () => {
    const page = readFileSync('docs/terminal.md', 'utf8');
    const session: Session = { program: new Command('vialbook'), io: processIo(), exitCode: 0 };
    await loadAll(session);
    const written = /<!-- cli-reference -->\n\n```text\n([\s\S]*?)\n```/.exec(page)?.[1];
    // `node scripts/write-cli-reference.mjs` updates it.
    expect(written).toBe(referenceOf(session.program));
    expect((await runCli(['reference'])).stdout).toContain('vialbook import [options] [file]');
  });
});
