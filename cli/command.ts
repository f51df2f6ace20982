import { type Command, Option } from 'commander';
import type { Io } from './io.ts';
import { exitCodeOf, reportError } from './output.ts';

/** What a command module gets: the program to add itself to, its streams, and a place for its exit code. */
export interface Session {
  readonly program: Command;
  readonly io: Io;
  exitCode: number;
}

/** A command module exports `register`, which adds its command to the program. */
export interface CommandModule {
  readonly register: (session: Session) => void;
}

/** What the common options do for a command; each is listed only where it does something, and accepted everywhere. */
interface CommonOptions {
  /** The command prints something that can be JSON. */
  json?: boolean;
  /** The command tells what it has done, or adds remarks to its data. */
  quiet?: boolean;
  /** The command asks a question. */
  yes?: boolean;
}

/** The options that every command takes. */
export function withCommonOptions(
  command: Command,
  { json = true, quiet = true, yes = false }: CommonOptions = {},
): Command {
  const add = (flags: string, description: string, isListed: boolean) =>
    command.addOption(new Option(flags, description).hideHelp(!isListed));
  add('--json', 'print JSON instead of text', json);
  add('-q, --quiet', 'print nothing but errors and the data you asked for', quiet);
  return add('-y, --yes', 'answer yes to every question', yes);
}

/** The option that names the account. A login to a server stands in for it, and so does `VIALBOOK_USER`. */
export class UserOption extends Option {
  constructor(description: string) {
    super('--user <email>', description);
    this.env('VIALBOOK_USER').makeOptionMandatory();
  }
}

/** The required option that names the account. `VIALBOOK_USER` stands in for it, or a login to a server. */
export const userOption = (description: string): Option => new UserOption(description);

/**
 * An option whose values the help lists and a shell completes. Commander doesn't check them: the operation does, with its
 * own messages.
 */
export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  const option = new Option(flags, description);
  option.argChoices = [...choices];
  return option;
}

/**
 * Wraps a command's work: the number it returns is the exit code, and errors are reported on stderr.
 * @param label turns a field name of an `AppError` into what the user typed
 */
export function action<Options extends { json?: boolean; quiet?: boolean }>(
  session: Session,
  perform: (options: Options, ...operands: string[]) => Promise<number>,
  label?: (field: string) => string,
): (...received: unknown[]) => Promise<void> {
  return async (...received) => {
    // commander passes the operands, then the options, then the command itself
    const options = received.at(-2) as Options;
    session.io.isQuiet = options.quiet === true;
    try {
      session.exitCode = await perform(options, ...(received.slice(0, -2) as string[]));
    } catch (error) {
      session.exitCode = exitCodeOf(error);
      await reportError(session.io, error, { json: options.json === true, ...(label ? { label } : {}) });
    }
  };
}

/** Example command lines, shown below a command's help. */
export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
