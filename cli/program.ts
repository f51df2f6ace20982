import { Command, CommanderError } from 'commander';
import { version } from '../package.json';
import { AppError, isAppError } from '#app/domain/errors.ts';
import { type CommandModule, type Session, UserOption } from './command.ts';
import { settingsText } from './help-texts.ts';
import { type Io, isOutputClosed, write } from './io.ts';
import { EXIT, exitCodeOf, reportError } from './output.ts';

interface Entry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

/** A module is loaded only when its command is called: `calc` never loads database code. */
const COMMANDS: readonly Entry[] = [
  {
    name: 'calc',
    summary: 'calculate one reconstitution, or a file of them',
    load: () => import('./commands/calc.ts'),
  },
  {
    name: 'card',
    summary: 'print a dose card of a calculation or a vial',
    load: () => import('./commands/card.ts'),
  },
  {
    name: 'export',
    summary: "write an account's data to a file",
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'import',
    summary: 'import an export or a table of doses into an account',
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'due',
    summary: 'list the doses that are due, for example from cron',
    load: () => import('./commands/due.ts'),
  },
  {
    name: 'mcp',
    summary: 'connect an assistant to an account through the Model Context Protocol',
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'serve',
    summary: 'start the web server',
    load: () => import('./commands/serve.ts'),
  },
  {
    name: 'worker',
    summary: 'run the background jobs in a separate process',
    load: () => import('./commands/worker.ts'),
  },
  {
    name: 'keys',
    summary: 'generate push keys and a session secret',
    load: () => import('./commands/keys.ts'),
  },
  {
    name: 'stock',
    summary: 'show what is in stock, running low or near its date',
    load: () => import('./commands/stock.ts'),
  },
  {
    name: 'lot',
    summary: 'list the doses drawn from a lot, and what is left of it',
    load: () => import('./commands/lot.ts'),
  },
  {
    name: 'log',
    summary: 'log a dose as taken',
    load: () => import('./commands/log.ts'),
  },
  {
    name: 'move',
    summary: 'move a planned dose to another time',
    load: () => import('./commands/move.ts'),
  },
  {
    name: 'schedule',
    summary: 'list, pause, change or repeat schedules',
    load: () => import('./commands/schedule.ts'),
  },
  {
    name: 'ceiling',
    summary: 'list or set an account’s ceilings for a compound',
    load: () => import('./commands/ceiling.ts'),
  },
  {
    name: 'supplies',
    summary: 'list, count, add or delete syringes and other supplies',
    load: () => import('./commands/supplies.ts'),
  },
  {
    name: 'profile',
    summary: 'show or change an account’s time zone, units, syringe and dead space',
    load: () => import('./commands/profile.ts'),
  },
  {
    name: 'webhooks',
    summary: 'notify other programs about doses and stock',
    load: () => import('./commands/webhooks.ts'),
  },
  {
    name: 'login',
    summary: 'log in to a server, so that commands work on it',
    load: () => import('./commands/login.ts'),
  },
  {
    name: 'logout',
    summary: 'forget the login to a server',
    load: () => import('./commands/logout.ts'),
  },
  {
    name: 'api',
    summary: 'call the API of the server you are logged in to',
    load: () => import('./commands/api.ts'),
  },
  {
    name: 'admin',
    summary: 'manage accounts and the server',
    load: () => import('./commands/admin.ts'),
  },
  {
    name: 'db',
    summary: 'serve, check, back up or move the embedded database',
    load: () => import('./commands/db.ts'),
  },
  {
    name: 'completion',
    summary: 'print a completion script for your shell',
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'man',
    summary: 'print the manual page',
    load: () => import('./commands/man.ts'),
  },
  {
    name: 'reference',
    summary: 'list every command and its options',
    load: () => import('./commands/reference.ts'),
  },
];

/** Registers every command, for the commands that describe all of them. */
export async function loadAll(session: Session): Promise<void> {
  for (const entry of COMMANDS) (await entry.load()).register(session);
}

/** The options that name the account, of a command and those below it. */
const userOptions = (command: Command): UserOption[] => [
  ...command.options.filter((option) => option instanceof UserOption),
  ...command.commands.flatMap(userOptions),
];

const isUserOption = (argument: string) => argument === '--user' || argument.startsWith('--user=');

/**
 * Decides where a command works: on the server that the user is logged in to, unless the command line or the environment names
 * an account or a database here. On the server, the login says whose data are meant.
 * @returns undefined for the database here
 * @throws AppError INVALID_INPUT for a damaged login
 */
async function chooseDoor({ env }: Io, args: readonly string[], command: Command) {
  const options = userOptions(command);
  if (options.length === 0 && command.name() !== 'admin') return undefined;
  const { VIALBOOK_USER, DATA_DIR, MONGODB_URI } = env;
  if (VIALBOOK_USER || DATA_DIR || MONGODB_URI || args.some(isUserOption)) return undefined;
  const login = await (await import('./server/login-file.ts')).readLogin(env);
  if (login === null) return undefined;
  for (const option of options) option.makeOptionMandatory(false);
  return login;
}

/** Commands that describe all the others. */
const OF_ALL = ['completion', 'man', 'reference'];

/** Commander's own messages are reported like all other errors. With `--json` its help is silenced, too, when it is an error. */
function emptyProgram(io: Io, { json }: { json: boolean }): Command {
  return new Command('vialbook')
    .description(
      'Reconstitution calculator and dose notebook. For research reference only, not medical advice. 18+.',
    )
    .version(version)
    .addHelpText('after', `\n${settingsText()}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void (json || io.stderr.write(text)),
      outputError: () => undefined,
      getOutHasColors: () => io.colour,
      getErrHasColors: () => false,
    });
}

/**
 * Turns a usage error of commander into an `AppError`: its message without "error:", on one line. Every command takes
 * `--json`, so when commander doesn't know it, a group was called without naming one of its commands.
 */
function usageError(error: CommanderError, called: Command): AppError {
  const message =
    error.code === 'commander.unknownOption' && error.message.includes("'--json'")
      ? `Name a command: ${called.commands.map((command) => command.name()).join(', ')}.`
      : error.message.replace(/^error: /, '').replace(/\s+/g, ' ');
  return new AppError('INVALID_INPUT', message, { cause: error });
}

/** The command group named by the first argument. */
function groupOf(program: Command, args: readonly string[]): Command {
  const [first] = args.filter((argument) => !argument.startsWith('-'));
  return program.commands.find((command) => command.name() === first) ?? program;
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
  const json = args.includes('--json');
  const session: Session = { program: emptyProgram(io, { json }), io, exitCode: EXIT.done };
  const called = calledName(args);
  const isOfAll = called !== undefined && OF_ALL.includes(called);
  for (const entry of COMMANDS) {
    if (isOfAll || entry.name === called) (await entry.load()).register(session);
    else session.program.command(entry.name).description(entry.summary);
  }
  try {
    if (!isOfAll) io.login = await chooseDoor(io, args, groupOf(session.program, args));
    await session.program.parseAsync([...args], { from: 'user' });
    return session.exitCode;
  } catch (error) {
    if (isOutputClosed(error)) return EXIT.done;
    if (isAppError(error)) {
      await reportError(io, error, { json });
      return exitCodeOf(error);
    }
    // `--help` and `--version` end this way too, with 0.
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    // A group without a command has shown its help.
    if (!json && error.code === 'commander.help') return EXIT.invalid;
    await reportError(io, usageError(error, groupOf(session.program, args)), { json });
    if (!json) await write(io.stderr, '(use --help to see what is accepted)\n');
    return EXIT.invalid;
  }
}
