import type { Command, Option } from 'commander';

/** An option as a shell completes it. */
export interface OptionWord {
  long: string;
  short: string | null;
  takesValue: boolean;
  about: string;
}

/** What may follow after some words of a command line. */
export interface Place {
  /** "", "calc", "db backup" */
  path: string;
  commands: { name: string; about: string }[];
  options: OptionWord[];
  takesFile: boolean;
  /** Long names of the options without which the command does nothing. */
  required: string[];
  /** How many operands it needs at least and takes at most. */
  operandsRequired: number;
  operandsAllowed: number;
}

const HELP: OptionWord = {
  long: '--help',
  short: '-h',
  takesValue: false,
  about: 'display help for command',
};

const optionWord = ({ long, short, description, required, optional }: Option): OptionWord => ({
  long: long ?? short ?? '',
  short: short ?? null,
  takesValue: required || optional,
  about: description,
});

const joined = (path: string, name: string) => (path === '' ? name : `${path} ${name}`);

/** Every command of a program with what can follow it, parents first. */
export function placesOf(command: Command, path = ''): Place[] {
  const commands = command.commands.filter((each) => each.name() !== 'help');
  const own: Place = {
    path,
    commands: commands.map((each) => ({ name: each.name(), about: each.summary() || each.description() })),
    options: [...command.options.map(optionWord), HELP],
    required: command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long ?? ''),
    operandsRequired: command.registeredArguments.filter(({ required }) => required).length,
    operandsAllowed: command.registeredArguments.length,
    takesFile: command.registeredArguments.some((argument) => /file/i.test(argument.name())),
  };
  return [own, ...commands.flatMap((each) => placesOf(each, joined(path, each.name())))];
}
