import type { Command } from 'commander';
import { action, type Session, withCommonOptions } from '#cli/command.ts';
import { write } from '#cli/io.ts';
import { columnsText, EXIT, writeJson } from '#cli/output.ts';

const isShown = (command: Command) => command.name() !== 'help';

function optionLines(command: Command): string[] {
  const lines = columnsText(
    command.options.map(({ flags, description, mandatory, argChoices = [] }) => [
      `    ${flags}`,
      `${description}${mandatory ? ' (required)' : ''}${argChoices.length > 0 ? `; one of ${argChoices.join(', ')}` : ''}`,
    ]),
  );
  return lines.split('\n').filter((line) => line !== '');
}

/** A command that only groups subcommands is replaced by them. */
function linesOf(command: Command, path: string): string[] {
  const children = command.commands.filter(isShown);
  if (children.length > 0 && command.registeredArguments.length === 0)
    return children.flatMap((child) => linesOf(child, `${path} ${child.name()}`));
  return [`${path} ${command.usage()}`, `    ${command.description()}`, ...optionLines(command), ''];
}

/** A reference of all commands and their options, like a manual page. */
export function referenceOf(program: Command): string {
  return linesOf(program, program.name()).join('\n').trimEnd();
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
  withCommonOptions(command).action(action<ReferenceChoices>(session, (options) => run(session, options)));
}
