import { Argument } from 'commander';
import { AppError } from '#app/domain/errors.ts';
import { action, type Session, withCommonOptions } from '../command.ts';
import { completionScript, placesOf, SHELLS, type Shell } from '#cli/completion.ts';
import { write } from '../io.ts';
import { EXIT, writeJson } from '../output.ts';

const HELP = `
Examples:
  source <(vialbook completion bash)   # for this shell only
  vialbook completion bash > ~/.local/share/bash-completion/completions/vialbook
  vialbook completion zsh > "\${fpath[1]}/_vialbook"
  vialbook completion fish > ~/.config/fish/completions/vialbook.fish`;

const isShell = (name: string): name is Shell => (SHELLS as readonly string[]).includes(name);

async function run(session: Session, { json }: { json?: boolean }, shell: string): Promise<number> {
  if (!isShell(shell)) throw new AppError('INVALID_INPUT', `Name a shell: ${SHELLS.join(', ')}.`);
  const script = completionScript(shell, placesOf(session.program));
  if (json) await writeJson(session.io, { shell, script });
  else await write(session.io.stdout, script);
  return EXIT.done;
}

/** Adds `vialbook completion`. It names every command, so all of them have to be there when it runs. */
export function register(session: Session): void {
  const shells = new Argument('<shell>', 'whose completion');
  shells.argChoices = [...SHELLS];
  const command = session.program
    .command('completion')
    .description('Print the script by which a shell completes command lines of vialbook.')
    .addArgument(shells)
    .addHelpText('after', HELP);
  withCommonOptions(command).action(
    action<{ json?: boolean }>(session, (options, shell = '') => run(session, options, shell)),
  );
}
