import { lotDetail } from '#app/domain/lots/lot-texts.ts';
import { lotSum, recalledDoseView, takenText } from '#app/domain/lots/recalled-dose.ts';
import { doseWords } from '#app/domain/vials/contents.ts';
import { shownInstant, calendarDay } from '#app/domain/time/zoned-time.ts';
import { compoundView } from '#app/domain/vials/compound-view.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { findOwner, type Owner } from '#app/platform/access/owner.server.ts';
import { allRecalledDoses, findRecall } from '#app/features/lots/index.server.ts';
import { action, type Session, userOption, withCommonOptions } from '../command.ts';
import { withContext } from '../context.ts';
import { type Io, write } from '../io.ts';
import { EXIT, paint, writeJson } from '../output.ts';

interface LotOptions {
  user: string;
  json?: boolean;
}

type Recall = Awaited<ReturnType<typeof findRecall>>;

const label = (field: string): string => (field === 'email' ? '--user' : field);

/** Without control characters: text typed by users must not move the terminal's cursor. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

async function writeLots(io: Io, { lots, vials }: Recall, day: string): Promise<void> {
  for (const lot of lots) {
    const own = vials.filter(({ lotId }) => lotId === lot.id);
    const { number, product, facts, certificate, left, warning, vialRows } = lotDetail(lot, own, day);
    await write(io.stdout, `${paint(io).bold(plain(`Lot ${number}, ${product}`))}\n`);
    for (const [name, text] of [...facts, ...certificate])
      await write(io.stdout, `  ${name}: ${plain(text)}\n`);
    if (warning !== null) await write(io.stdout, `${paint(io).yellow(`  ! ${warning}`)}\n`);
    await write(io.stdout, `  Left: ${left ?? 'no vials'}\n`);
    for (const { id, statusText, remainingText, totalText } of vialRows)
      await write(io.stdout, `    ${remainingText} of ${totalText} mg  (${statusText}, ${id})\n`);
  }
}

async function writeDoses(io: Io, ctx: Ctx, owner: Owner, recall: Recall): Promise<void> {
  const sum = lotSum();
  for await (const batch of allRecalledDoses(ctx, owner.id, recall)) {
    for (const recalled of batch) {
      const { dose, mg } = recalled;
      const when = shownInstant(dose.takenAt ?? dose.dueDate, owner.timeZone);
      await write(
        io.stdout,
        `${when}  ${plain(`${dose.name}  ${doseWords(mg, 'mg', dose.drawn)}`)}  (${dose.id})\n`,
      );
      sum.add(recalled);
    }
  }
  const { doses, parts } = sum.sum();
  await write(
    io.stdout,
    doses === 0
      ? 'No dose was drawn from this lot.\n'
      : `Taken from this lot: ${plain(takenText({ doses, parts }))}.\n`,
  );
}

/** Everything as JSON, without the owner, whom the caller named. */
async function toJson(ctx: Ctx, owner: Owner, recall: Recall, day: string): Promise<object> {
  const doses = [];
  for await (const batch of allRecalledDoses(ctx, owner.id, recall))
    doses.push(...batch.map(recalledDoseView));
  const lots = recall.lots.map(
    ({ formerVials: _former, numberKey: _n, productKey: _p, supplierKey: _s, ...lot }) => lot,
  );
  const compounds = recall.vials.map((vial) => {
    const { userId: _owner, ...compound } = compoundView(vial, day);
    return compound;
  });
  return { lots, compounds, doses, total: doses.length };
}

async function run(io: Io, options: LotOptions, number: string): Promise<number> {
  await withContext(io, async (ctx) => {
    const owner = await findOwner(ctx, options.user);
    const recall = await findRecall(ctx, owner.id, number);
    const day = calendarDay(ctx.now(), owner.timeZone);
    if (options.json) return writeJson(io, await toJson(ctx, owner, recall, day));
    await writeLots(io, recall, day);
    await writeDoses(io, ctx, owner, recall);
  });
  return EXIT.done;
}

const HELP = `
Lists every dose drawn from a vial of the lot, the latest first, including from deleted vials. If several compounds or
suppliers share the number, all their lots are included. Exits with code 4 if the account never had the lot.

Examples:
  vialbook lot L-2207 --user ada@example.org
  vialbook lot L-2207 --user ada@example.org --json | jq '.doses[].takenAt'`;

/** Adds `vialbook lot`. */
export function register(session: Session): void {
  const command = session.program
    .command('lot')
    .description('List the doses drawn from a lot, its certificate, and what is left of it.')
    .argument('<number>', 'number of the lot, or its id')
    .addOption(userOption('whose lot'));
  command.addHelpText('after', HELP);
  withCommonOptions(command).action(
    action<LotOptions>(session, (options, number) => run(session.io, options, number ?? ''), label),
  );
}
