import type { Command } from 'commander';
import { action, type Session, withCommonOptions } from '#cli/command.ts';
import { ENVIRONMENT, EXIT_CODES } from '#cli/help-texts.ts';
import { write } from '#cli/io.ts';
import { EXIT, writeJson } from '#cli/output.ts';
import { type CommandEntry, commandEntries } from './reference.ts';

/** Text as roff: in ASCII, a backslash and hyphens as they are typed, and no line that begins like a request. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
    .replace(/[^\n -~]/gu, (character) => `\\[u${codeOf(character)}]`);

const codeOf = (character: string): string =>
  (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** Text as the argument of a request. */
const argument = (text: string): string => `"${roff(text).replaceAll('"', '\\(dq')}"`;

/** A term in bold with its description. */
const item = (term: string, about: string): string => `.TP\n.B ${roff(term)}\n${roff(about)}\n`;

const entryRoff = ({ usage, description, options }: CommandEntry): string =>
  `.SS ${argument(usage)}\n${roff(description)}\n${options.map(({ flags, about }) => item(flags, about)).join('')}`;

/** The manual page of the program, in the language of man(7). */
export function manualOf(program: Command): string {
  const name = program.name();
  return [
    `.TH ${argument(name.toUpperCase())} 1 "" ${argument(`${name} ${program.version() ?? ''}`)} "User Commands"\n`,
    `.SH NAME\n${name} \\- reconstitution calculator and dose notebook\n`,
    `.SH SYNOPSIS\n.B ${name}\n.I command\n[\n.I options\n]\n`,
    `.SH DESCRIPTION\n${roff(program.description())}\n`,
    `.PP\n${roff('Data goes to standard output, everything else to standard error. With --json, errors are JSON, too. Without a terminal, nothing prompts. Every command has a --help with examples.')}\n`,
    `.SH COMMANDS\n${commandEntries(program).map(entryRoff).join('')}`,
    `.SH ENVIRONMENT\n${ENVIRONMENT.map(([variable, about]) => item(variable, about)).join('')}`,
    `.SH "EXIT STATUS"\n${EXIT_CODES.map(([code, about]) => item(String(code), about)).join('')}`,
  ].join('');
}

const HELP = `
Examples:
  vialbook man | man -l -
  vialbook man > ~/.local/share/man/man1/vialbook.1   # then: man vialbook`;

/** Adds `vialbook man`. It describes every command, so all must be registered when it runs. */
export function register(session: Session): void {
  const { program, io } = session;
  const command = program.command('man').description('Print the manual page.').addHelpText('after', HELP);
  withCommonOptions(command, { quiet: false }).action(
    action<{ json?: boolean }>(session, async ({ json }) => {
      const manual = manualOf(program);
      if (json) await writeJson(io, { manual });
      else await write(io.stdout, manual);
      return EXIT.done;
    }),
  );
}
