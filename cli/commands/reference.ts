import type { Command, Option } from 'commander';
import { action, type Session, UserOption, withCommonOptions } from '#cli/command.ts';
import { settingsText } from '#cli/help-texts.ts';
import { write } from '#cli/io.ts';
import { columnsText, EXIT, writeJson } from '#cli/output.ts';

/** A command as the reference and the manual page describe it. */
export interface CommandEntry {
  /** "vialbook calc [options]" */
  usage: string;
  description: string;
  options: readonly { flags: string; about: string }[];
}

/** What an option does, whether it is required, and its values if they can be listed. */
function aboutOption(option: Option): string {
  const { description, mandatory, envVar, argChoices = [] } = option;
  const needs = [
    ...(mandatory ? ['required'] : []),
    ...(envVar === undefined ? [] : [`or ${envVar}`]),
    ...(mandatory && option instanceof UserOption ? ['or a login'] : []),
  ];
  const values = argChoices.length > 0 ? `; one of ${argChoices.join(', ')}` : '';
  return `${description}${needs.length > 0 ? ` (${needs.join(', ')})` : ''}${values}`;
}

/** Every command with the options it lists, groups replaced by their commands. */
export function commandEntries(command: Command, path = command.name()): CommandEntry[] {
  const children = command.commands.filter((child) => child.name() !== 'help');
  if (children.length > 0 && command.registeredArguments.length === 0)
    return children.flatMap((child) => commandEntries(child, `${path} ${child.name()}`));
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map((option) => ({ flags: option.flags, about: aboutOption(option) }));
  return [{ usage: `${path} ${command.usage()}`, description: command.description(), options }];
}

const entryText = ({ usage, description, options }: CommandEntry): string =>
  `${usage}\n    ${description}\n${columnsText(options.map(({ flags, about }) => [`    ${flags}`, about]))}`;

/** A reference of all commands and their options, the environment and the exit codes. */
export function referenceOf(program: Command): string {
  return [...commandEntries(program).map(entryText), settingsText()].join('\n');
}

const HELP = `
Examples:
  vialbook reference | less
  vialbook reference --json | jq -r .reference`;

interface ReferenceChoices {
  json?: boolean;
}

async function run({ program, io }: Session, { json }: ReferenceChoices): Promise<number> {
  const reference = referenceOf(program);
  if (json) await writeJson(io, { reference });
  else await write(io.stdout, `${reference}\n`);
  return EXIT.done;
}

/** Adds `vialbook reference`. It lists every command, so all must be registered when it runs. */
export function register(session: Session): void {
  const command = session.program
    .command('reference')
    .description('List every command and its options.')
    .addHelpText('after', HELP);
  withCommonOptions(command, { quiet: false }).action(
    action<ReferenceChoices>(session, (options) => run(session, options)),
  );
}
