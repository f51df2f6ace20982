import { aggregateCommands } from './aggregate-command.ts';
import { catalogCommands } from './catalog.ts';
import { looseCommand, type Command } from './command.ts';
import { diagnosticCommands } from './diagnostics.ts';
import { explainCommands } from './explain.ts';
import { findAndModifyCommands } from './find-and-modify.ts';
import { readCommands } from './find.ts';
import { handshakeCommands } from './handshake.ts';
import { indexCommands } from './indexes.ts';
import { sessionCommands } from './session-commands.ts';
import { signInCommands } from './sign-in.ts';
import { statisticsCommands } from './statistics.ts';
import { writeCommands } from './write-commands.ts';

const FAMILIES: Command[][] = [
  handshakeCommands,
  signInCommands,
  readCommands,
  writeCommands,
  findAndModifyCommands,
  aggregateCommands,
  explainCommands,
  catalogCommands,
  indexCommands,
  sessionCommands,
  statisticsCommands,
  diagnosticCommands,
  [looseCommand('listCommands', {}, () => ({ commands: Object.fromEntries(commandNames().map(described)) }))],
];

const BY_NAME = new Map<string, Command>();
for (const command of FAMILIES.flat()) {
  for (const name of [command.name, ...(command.aliases ?? [])]) BY_NAME.set(name, command);
}

/** The command with this name, which is case-sensitive as on a server. */
export function findCommand(name: string): Command | undefined {
  return BY_NAME.get(name);
}

/** All commands by their own names. */
function commandNames(): string[] {
  return [...new Set([...BY_NAME.values()].map(({ name }) => name))].sort();
}

function described(name: string): [string, object] {
  const { adminOnly = false, open = false } = BY_NAME.get(name) ?? {};
  return [name, { help: '', requiresAuth: !open, secondaryOk: true, adminOnly }];
}
