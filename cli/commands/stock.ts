import { compoundView } from '#app/domain/vials/compound-view.ts';
import { forecastText } from '#app/domain/vials/forecast-texts.ts';
import { supplyText, supplyView } from '#app/domain/supplies/supply.ts';
import { stockKey } from '#app/domain/vials/contents.ts';
import type { Vial } from '#app/domain/vials/vial.ts';
import { contentsText, vialRow } from '#app/domain/vials/vial-texts.ts';
import type { stockReport } from '#app/features/vials/index.server.ts';
import { action, type Session, userOption, withCommonOptions } from '../command.ts';
import { type Io, write } from '../io.ts';
import { readLocally } from '../local.ts';
import { EXIT, paint, writeJson, writeNote } from '../output.ts';

interface StockOptions {
  user: string;
  json?: boolean;
}

type Report = Awaited<ReturnType<typeof stockReport>>;

const label = (field: string): string => (field === 'email' ? '--user' : field);

/** Without control characters: text typed by users must not move the terminal's cursor. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

function vialLine(vial: Vial, day: string): string {
  const row = vialRow(vial, day);
  const facts = [row.statusText, row.date?.text, row.lot === null ? undefined : `lot ${row.lot}`, vial.id];
  const about = plain(facts.filter(Boolean).join(', '));
  return `  ${plain(contentsText(row))}  (${about})\n`;
}

async function writeReport(io: Io, report: Report): Promise<void> {
  if (report.forecasts.length === 0) await writeNote(io, 'There are no vials in stock.\n');
  for (const forecast of report.forecasts) {
    const { text, reorder } = forecastText(forecast, report.day);
    await write(io.stdout, `${paint(io).bold(plain(forecast.name))}\n`);
    for (const vial of report.vials.filter((one) => stockKey(one) === forecast.nameKey))
      await write(io.stdout, vialLine(vial, report.day));
    await write(io.stdout, `  ${text}${reorder === null ? '' : ` ${reorder}.`}\n`);
  }
  for (const supply of report.supplies)
    await write(
      io.stdout,
      `${paint(io).bold(plain(supply.supply.name))}\n  ${supplyText(supply, report.day)}\n`,
    );
  for (const { message } of report.alerts)
    await write(io.stdout, `${paint(io).yellow(`! ${plain(message)}`)}\n`);
}

/** The report as JSON, without the owner, whom the caller named. */
function toJson({ day, vials, forecasts, supplies, alerts }: Report): object {
  const compounds = vials.map((vial) => {
    const { userId: _owner, ...compound } = compoundView(vial, day);
    const { percent, date } = vialRow(vial, day);
    return { ...compound, percent, expiry: date?.state ?? null };
  });
  return { day, compounds, forecasts, supplies: supplies.map(supplyView), alerts };
}

async function run(io: Io, { user, json }: StockOptions): Promise<number> {
  const report = await readLocally<Report>(io, 'stock', user, async () => {
    const [{ findOwner }, { stockReport }] = await Promise.all([
      import('#app/platform/access/owner.server.ts'),
      import('#app/features/vials/index.server.ts'),
    ]);
    return async (ctx) => stockReport(ctx, (await findOwner(ctx, user)).id);
  });
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
