import { Command, CommanderError } from 'commander';
import { version } from '../package.json';
import type { CommandModule, Session } from './command.ts';
import { type Io, isOutputClosed } from './io.ts';
import { EXIT } from './output.ts';

interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

/** One line for each command. Modules are loaded only when their command is called: `calc` never sees a database. */
const COMMANDS: readonly Entry[] = [
  {
    name: 'calc',
    summary: 'work out a reconstitution, or a whole file of them',
    load: () => import('./commands/calc.ts'),
  },
  {
    name: 'export',
    summary: "write an account's data to a file",
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'import',
    summary: 'bring an export or a table of doses into an account',
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'due',
    summary: 'list the doses that are due, for cron',
    load: () => import('./commands/due.ts'),
  },
  {
    name: 'worker',
    summary: 'do the background jobs in a process of their own',
    load: () => import('./commands/worker.ts'),
  },
  {
    name: 'keys',
    summary: 'make keys for pushes and a session secret',
    load: () => import('./commands/keys.ts'),
  },
  {
    name: 'stock',
    summary: 'what is in stock, what runs low and what must be used',
    load: () => import('./commands/stock.ts'),
  },
  {
    name: 'log',
    summary: 'log a dose as taken',
    load: () => import('./commands/log.ts'),
  },
  {
    name: 'admin',
    summary: 'look after accounts',
    load: () => import('./commands/admin.ts'),
  },
  {
    name: 'db',
    summary: 'serve, check or move the embedded database',
    load: () => import('./commands/db.ts'),
  },
  {
    name: 'completion',
    summary: 'make a shell complete command lines',
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'reference',
    summary: 'print every command with its options',
    load: () => import('./commands/reference.ts'),
  },
];

/** Adds every command, for what speaks of all of them. */
export async function loadAll(session: Session): Promise<void> {
  for (const entry of COMMANDS) (await entry.load()).register(session);
}

/** Commands that speak of all others. */
const OF_ALL = ['completion', 'reference'];

function emptyProgram(io: Io): Command {
  return new Command('vialbook')
    .description(
      'Reconstitution calculator and dose notebook. For research reference only, not medical advice. 18+.',
    )
    .version(version)
    .exitOverride()
    .showHelpAfterError('(--help lists what is accepted)')
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHasColors: () => io.colour,
      getErrHasColors: () => false,
    });
}

/** The command that the arguments call, also after `help`. */
function calledName(args: readonly string[]): string | undefined {
  const words = args.filter((argument) => !argument.startsWith('-'));
  return words[0] === 'help' ? words[1] : words[0];
}

/**
 * Runs one command line.
 * @param args without node and script
 * @returns the exit code (see `EXIT`)
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const session: Session = { program: emptyProgram(io), io, exitCode: EXIT.done };
  const called = calledName(args);
  const isOfAll = called !== undefined && OF_ALL.includes(called);
  for (const entry of COMMANDS) {
    if (isOfAll || entry.name === called) (await entry.load()).register(session);
    else session.program.command(entry.name).description(entry.summary);
  }
  try {
    await session.program.parseAsync([...args], { from: 'user' });
    return session.exitCode;
  } catch (error) {
    if (isOutputClosed(error)) return EXIT.done;
    // commander has told the user already; `--help` and `--version` end this way too, with 0
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.invalid;
    throw error;
  }
}
