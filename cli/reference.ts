import type { Command } from 'commander';

const isShown = (command: Command) => command.name() !== 'help';

function optionLines(command: Command): string[] {
  const width = Math.max(0, ...command.options.map(({ flags }) => flags.length)) + 2;
  return command.options.map(
    ({ flags, description, mandatory }) =>
      `    ${flags.padEnd(width)}${description}${mandatory ? ' (required)' : ''}`,
  );
}

/** The program's own words of a command that has subcommands are its subcommands. */
function linesOf(command: Command, path: string): string[] {
  const children = command.commands.filter(isShown);
  if (children.length > 0 && command.registeredArguments.length === 0)
    return children.flatMap((child) => linesOf(child, `${path} ${child.name()}`));
  return [`${path} ${command.usage()}`, `    ${command.description()}`, ...optionLines(command), ''];
}

/** A reference of all commands with their options, as a manual page has it. */
export function referenceOf(program: Command): string {
  return linesOf(program, program.name()).join('\n').trimEnd();
}
