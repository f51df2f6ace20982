import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '#cli/command.ts';
import { placesOf, type Place, SHELLS } from '#cli/commands/completion.ts';
import { ENVIRONMENT, EXIT_CODES } from '#cli/help-texts.ts';
import { processIo } from '#cli/io.ts';
import { loadAll } from '#cli/program.ts';
import { referenceOf } from '#cli/commands/reference.ts';
import { runCli } from '#tests/support/cli.ts';
import { missingShell, offeredBy } from '#tests/support/shells.ts';

let program: Command;
let places: Place[];
const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
const leaves = () => places.filter(({ path, commands }) => path !== '' && commands.length === 0);

const folder = mkdtempSync(path.join(tmpdir(), 'vialbook-completion-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  const session: Session = { program: new Command('vialbook'), io: processIo(), exitCode: 0 };
  await loadAll(session);
  ({ program } = session);
  places = placesOf(program);
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
    // The unit and the user of a server have the name, too.
    if (start < 0 || ['systemctl', 'useradd', 'install', 'exec'].includes(words[0] ?? '')) return [];
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

describe('the completion', () => {
  it.for(SHELLS)('in %s offers commands, options, and their values', async (shell, { skip }) => {
    const missing = missingShell(shell);
    skip(missing !== null, missing ?? '');
    const { code, stdout: script } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    const offered = (line: string) => offeredBy(shell, script, line);
    expect(offered('vialbook ')).toEqual(expect.arrayContaining(['calc', 'import', 'db', 'completion']));
    expect(offered('vialbook imp')).toEqual(['import']);
    expect(offered('vialbook db ver')).toEqual(['verify']);
    expect(offered('vialbook import --d')).toEqual(['--dry-run']);
    expect(offered('vialbook import --user ada@example.org --un')).toEqual(['--undo']);
    expect(offered('vialbook calc --syringe u100')).toEqual(['u100-0.3ml', 'u100-0.5ml', 'u100-1ml']);
    expect(offered('vialbook export --format ')).toEqual(['csv', 'json', 'pdf']);
    expect(offered('vialbook completion ')).toEqual(expect.arrayContaining([...SHELLS]));
    expect(offered('vialbook admin users --status past')).toEqual(['past_due']);
    // Accepted, but without effect, so not offered.
    expect(offered('vialbook keys --y')).toEqual([]);
  });

  it.for(['zsh', 'fish'] as const)('in %s offers files where one is asked for', async (shell, { skip }) => {
    const missing = missingShell(shell);
    skip(missing !== null, missing ?? '');
    const { stdout: script } = await runCli(['completion', shell]);
    const file = path.join(folder, 'saved.backup');
    writeFileSync(file, '');
    for (const command of ['db restore', 'admin backup --out', 'calc --batch']) {
      const [offered = ''] = offeredBy(shell, script, `vialbook ${command} ${file.slice(0, -3)}`);
      expect(file.endsWith(offered) && offered !== '', `${command}: ${offered}`).toBe(true);
    }
    expect(offeredBy(shell, script, `vialbook log --compound ${file.slice(0, -3)}`)).toEqual([]);
  });

  it('in bash leaves files to readline', async ({ skip }) => {
    const missing = missingShell('bash');
    skip(missing !== null, missing ?? '');
    const { stdout: script } = await runCli(['completion', 'bash']);
    expect(script).toContain('complete -o default -F _vialbook vialbook');
    for (const line of ['admin backup --out ', 'db restore ', 'log --compound '])
      expect(offeredBy('bash', script, `vialbook ${line}`)).toEqual([]);
    expect(offeredBy('bash', script, 'vialbook db restore --js')).toEqual(['--json']);
  });

  it.each(SHELLS)('for %s names every command and option', async (shell) => {
    const { code, stdout } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    for (const { path, options } of places) {
      for (const word of path.split(' ')) expect(stdout).toContain(word);
      for (const { long } of options)
        expect(stdout).toContain(shell === 'fish' ? `-l ${long.slice(2)}` : long);
    }
  });

  it('for powershell has no quote that ends a text in its middle, curly ones included', async () => {
    const { stdout } = await runCli(['completion', 'powershell']);
    expect(stdout).toMatch(/[\u2018-\u201b]/);
    const line = /^(?:[^'\u2018-\u201b]|'(?:[^'\u2018-\u201b]|(['\u2018-\u201b])\1)*')*$/;
    expect(stdout.split('\n').filter((text) => !text.startsWith('#') && !line.test(text))).toEqual([]);
  });

  it('is rejected for an unknown shell', async () => {
    expect(await runCli(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: 'vialbook: Choose a shell: bash, zsh, fish, powershell.\n',
    });
  });
});

describe('the manual page', () => {
  it('has every command and option, the environment and the exit codes, in ASCII', async () => {
    const { code, stdout } = await runCli(['man']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\.TH "VIALBOOK" 1 /);
    expect(stdout).toMatch(/^[\n -~]*$/);
    const shown = stdout.replaceAll('\\-', '-');
    for (const { path: name, options } of leaves()) {
      expect(shown).toContain(`.SS "vialbook ${name} `);
      for (const { long } of options.filter((option) => option.long !== '--help'))
        expect(shown).toContain(long);
    }
    for (const [name] of ENVIRONMENT) expect(shown).toContain(`.B ${name}\n`);
    for (const [exitCode, about] of EXIT_CODES) expect(shown).toContain(`.B ${exitCode}\n${about}\n`);
  });

  it.for([
    ['groff', ['-man', '-Tutf8', '-ww']],
    ['mandoc', ['-Tlint', '-Wwarning']],
  ] as const)('is accepted by %s', async ([program, args], { skip }) => {
    skip(
      spawnSync(program, ['-T', 'ascii'], { input: '' }).error !== undefined,
      `${program} is not installed`,
    );
    const { stdout } = await runCli(['man']);
    const checked = spawnSync(program, [...args], { encoding: 'utf8', input: stdout });
    // Mandoc prints what it finds as its output. The page has no date, so that it is the same for each build.
    const found = program === 'mandoc' ? checked.stdout.replace(/^.*missing date.*\n/m, '') : '';
    expect([checked.stderr, found]).toEqual(['', '']);
  });
});

describe('the help', () => {
  it('names the environment and the exit codes', async () => {
    const { stdout } = await runCli(['--help']);
    for (const [name] of ENVIRONMENT) expect(stdout).toContain(name);
    for (const [code, about] of EXIT_CODES) expect(stdout).toContain(`${code}  ${about}`);
  });
});

describe('every command', () => {
  it('takes --json, --quiet and --yes, and lists them where they do something', () => {
    const commands = leavesOf(program);
    expect(commands).toHaveLength(leaves().length);
    const names = ['--json', '--quiet', '--yes'];
    const accepted = (command: Command) => command.options.map(({ long }) => long);
    const without = commands.filter((command) => !names.every((name) => accepted(command).includes(name)));
    expect(without.map((command) => command.name())).toEqual([]);
    const listing = (name: string) =>
      leaves()
        .filter(({ options }) => options.some(({ long }) => long === name))
        .map(({ path: place }) => place);
    expect(leaves().length - listing('--json').length).toBe(3);
    expect(listing('--json')).not.toContain('serve');
    expect(listing('--yes')).toEqual([
      ...['upgrade', 'downgrade', 'suspend', 'reinstate', 'promote', 'demote'].map((name) => `admin ${name}`),
      ...['admin restore', 'admin purge'],
    ]);
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
