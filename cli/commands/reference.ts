import { action, type Session, withCommonOptions } from '../command.ts';
import { write } from '../io.ts';
import { EXIT, writeJson } from '../output.ts';
import { referenceOf } from '../reference.ts';

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

/** Adds `vialbook reference`. It names every command, so all of them have to be there when it runs. */
export function register(session: Session): void {
  const command = session.program
    .command('reference')
    .description('Print a reference of every command with its options.')
    .addHelpText('after', HELP);
  withCommonOptions(command).action(action<ReferenceChoices>(session, (options) => run(session, options)));
}
