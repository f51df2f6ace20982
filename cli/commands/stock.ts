import { stockView, type StockView } from '#app/domain/vials/stock-view.ts';
import type { stockReport } from '#app/features/vials/index.server.ts';
import { action, type Session, userOption, withCommonOptions } from '../command.ts';
import { type Io, write } from '../io.ts';
import { readLocally } from '../local.ts';
import type { ServerLogin } from '../server/login-file.ts';
import { EXIT, paint, writeJson, writeNote } from '../output.ts';

interface StockOptions {
  user: string;
  json?: boolean;
}

type Report = Awaited<ReturnType<typeof stockReport>>;

const label = (field: string): string => (field === 'email' ? '--user' : field);

/** Without control characters: text typed by users must not move the terminal's cursor. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

const textsById = ({ details }: StockView) => new Map(details.map(({ id, text }) => [id, text]));

async function writeReport(io: Io, report: StockView): Promise<void> {
  const texts = textsById(report);
  if (report.forecasts.length === 0) await writeNote(io, 'There are no vials in stock.\n');
  for (const { name, compoundIds, text } of report.forecasts) {
    await write(io.stdout, `${paint(io).bold(plain(name))}\n`);
    for (const id of compoundIds) await write(io.stdout, `  ${plain(texts.get(id) ?? id)}\n`);
    await write(io.stdout, `  ${text}\n`);
  }
  for (const { id, name } of report.supplies)
    await write(io.stdout, `${paint(io).bold(plain(name))}\n  ${texts.get(id) ?? ''}\n`);
  for (const { message } of report.alerts)
    await write(io.stdout, `${paint(io).yellow(`! ${plain(message)}`)}\n`);
}

/** The report as JSON, without the owner, whom the caller named. */
function toJson({ day, compounds, details, forecasts, supplies, alerts }: StockView): object {
  const byId = new Map(details.map((detail) => [detail.id, detail]));
  const stocked = compounds.map(({ userId: _owner, ...compound }) => {
    const { id: _id, text: _text, ...more } = byId.get(compound.id) ?? { id: '', text: '' };
    return { ...compound, ...more };
  });
  return { day, compounds: stocked, forecasts, supplies, alerts };
}

async function stockHere(io: Io, user: string): Promise<StockView> {
  const report = await readLocally<Report>(io, 'stock', user, async () => {
    const [{ findOwner }, { stockReport }] = await Promise.all([
      import('#app/platform/access/owner.server.ts'),
      import('#app/features/vials/index.server.ts'),
    ]);
    return async (ctx) => stockReport(ctx, (await findOwner(ctx, user)).id);
  });
  return stockView(report);
}

async function stockFrom(login: ServerLogin): Promise<StockView> {
  const { call } = await import('../server/server-api.ts');
  return call<StockView>(login, 'GET', '/api/stock');
}

async function run(io: Io, { user, json }: StockOptions): Promise<number> {
  const report = io.login ? await stockFrom(io.login) : await stockHere(io, user);
  if (json) await writeJson(io, toJson(report));
  else await writeReport(io, report);
  return report.alerts.length > 0 ? EXIT.overdueOrLow : EXIT.done;
}

const HELP = `
Examples:
  vialbook stock --user ada@example.org
  vialbook stock --user ada@example.org --json | jq .alerts`;

/** Adds `vialbook stock`. */
export function register(session: Session): void {
  const command = session.program
    .command('stock')
    .description(
      'Show what is in stock. Exits with code 3 if something is running low, must be used soon or is past its date.',
    )
    .addOption(userOption('whose stock'));
  command.addHelpText('after', HELP);
  withCommonOptions(command).action(
    action<StockOptions>(session, (options) => run(session.io, options), label),
  );
}
