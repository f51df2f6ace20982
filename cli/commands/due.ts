import type { DueDose, getDaySummary } from '#app/features/doses/index.server.ts';
import { action, type Session, userOption, withCommonOptions } from '../command.ts';
import { type Io, write } from '../io.ts';
import { readLocally } from '../local.ts';
import type { ServerLogin } from '../server/login-file.ts';
import { EXIT, paint, writeJson, writeNote } from '../output.ts';

interface DueOptions {
  user: string;
  json?: boolean;
}

type Summary = Awaited<ReturnType<typeof getDaySummary>>;

/** Without control characters: text typed by users must not move the terminal's cursor. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

function line({ name, amount, due, isOverdue }: DueDose, io: Io): string {
  const state = isOverdue ? paint(io).yellow('overdue') : 'due    ';
  return `${state}  ${due}  ${plain(`${name}, ${amount}`)}\n`;
}

const summaryHere = (io: Io, user: string): Promise<Summary> =>
  readLocally<Summary>(io, 'due', user, async () => {
    const { getDaySummary } = await import('#app/features/doses/index.server.ts');
    return (ctx) => getDaySummary(ctx, user);
  });

async function summaryFrom(login: ServerLogin): Promise<Summary> {
  const { call } = await import('../server/server-api.ts');
  return call<Summary>(login, 'GET', '/api/today');
}

async function run(io: Io, options: DueOptions): Promise<number> {
  const found = io.login ? await summaryFrom(io.login) : await summaryHere(io, options.user);
  if (options.json) await writeJson(io, found);
  else for (const dose of found.doses) await write(io.stdout, line(dose, io));
  if (!options.json && found.doses.length === 0) await writeNote(io, 'Nothing is due.\n');
  return found.overdue > 0 ? EXIT.overdueOrLow : EXIT.done;
}

const HELP = `
Examples:
  vialbook due --user ada@example.org
  vialbook due --user ada@example.org; [ $? -eq 3 ] && notify-send 'A dose is overdue'
  vialbook due --user ada@example.org --json | jq -r '.nextDose | "\\(.name) at \\(.due)"'`;

/** Adds `vialbook due`. */
export function register(session: Session): void {
  const command = session.program
    .command('due')
    .description('List the doses that are due. Exits with code 3 if one is overdue, for use in cron jobs.')
    .addOption(userOption('the account'));
  command.addHelpText('after', HELP);
  withCommonOptions(command).action(
    action<DueOptions>(
      session,
      (options) => run(session.io, options),
      (field) => (field === 'email' ? '--user' : `--${field}`),
    ),
  );
}
