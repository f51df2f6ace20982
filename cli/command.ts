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

/** The options that every command takes. */
export function withCommonOptions(command: Command): Command {
  return command
    .option('--json', 'print JSON instead of text')
    .option('-y, --yes', 'answer yes to every question');
}

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
export function action<Options extends { json?: boolean }>(
  session: Session,
  perform: (options: Options, ...operands: string[]) => Promise<number>,
  label?: (field: string) => string,
): (...received: unknown[]) => Promise<void> {
  return async (...received) => {
    // commander passes the operands, then the options, then the command itself
    const options = received.at(-2) as Options;
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
