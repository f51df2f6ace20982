import { aggregateCommands } from './aggregate.ts';
import { catalogCommands } from './catalog.ts';
import type { Command } from './command.ts';
import { diagnosticCommands } from './diagnostics.ts';
import { explainCommands } from './explain.ts';
import { findAndModifyCommands } from './find-and-modify.ts';
import { readCommands } from './find.ts';
import { handshakeCommands } from './handshake.ts';
import { indexCommands } from './indexes.ts';
import { sessionCommands } from './session-commands.ts';
import { signInCommands } from './sign-in.ts';
import { transactionCommands } from './transaction-commands.ts';
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
  transactionCommands,
  statisticsCommands,
  diagnosticCommands,
];

const BY_NAME = new Map<string, Command>();
for (const command of FAMILIES.flat()) {
  for (const name of [command.name, ...(command.aliases ?? [])]) BY_NAME.set(name, command);
}

/** Finds a command by name, which is case-sensitive as on a server. */
export function findCommand(name: string): Command | undefined {
  return BY_NAME.get(name);
}
