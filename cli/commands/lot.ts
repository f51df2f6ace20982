import { lotDetail } from '#app/domain/lots/lot-texts.ts';
import { lotOfView } from '#app/domain/lots/lot-view.ts';
import { lotSum, takenOfView, takenText, takenWords } from '#app/domain/lots/recalled-dose.ts';
import { shownInstant } from '#app/domain/time/zoned-time.ts';
import { vialOfView } from '#app/domain/vials/compound-view.ts';
import { action, type Session, userOption, withCommonOptions } from '../command.ts';
import { throughDoor } from '../doors/door.ts';
import { type FoundLots, lotDoors, type LotDose } from '../doors/lot.ts';
import { type Io, write } from '../io.ts';
import { EXIT, paint, writeJson } from '../output.ts';

interface LotOptions {
  user: string;
  json?: boolean;
}

const label = (field: string): string => (field === 'email' ? '--user' : field);

/** Without control characters: text typed by users must not move the terminal's cursor. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

async function writeLots(io: Io, { lots, compounds, day }: FoundLots): Promise<void> {
  for (const lot of lots) {
    const own = compounds.filter(({ lotId }) => lotId === lot.id);
    const vials = own.map((compound) => vialOfView({ userId: '', ...compound }));
    const { number, product, facts, certificate, left, warning, vialRows } = lotDetail(
      lotOfView(lot),
      vials,
      day,
    );
    await write(io.stdout, `${paint(io).bold(plain(`Lot ${number}, ${product}`))}\n`);
    for (const [name, text] of [...facts, ...certificate])
      await write(io.stdout, `  ${name}: ${plain(text)}\n`);
    if (warning !== null) await write(io.stdout, `${paint(io).yellow(`  ! ${warning}`)}\n`);
    await write(io.stdout, `  Left: ${left ?? 'no vials'}\n`);
    for (const { id, statusText, remainingText, totalText, unit } of vialRows)
      await write(io.stdout, `    ${remainingText} of ${totalText} ${unit}  (${statusText}, ${id})\n`);
  }
}

async function writeDoses(io: Io, { doses, timeZone }: FoundLots): Promise<void> {
  const sum = lotSum();
  for await (const batch of doses) {
    for (const dose of batch) {
      const taken = takenOfView(dose);
      const when = shownInstant(new Date(dose.takenAt ?? dose.dueDate), timeZone);
      await write(io.stdout, `${when}  ${plain(`${dose.name}  ${takenWords(taken)}`)}  (${dose.id})\n`);
      sum.add(taken);
    }
  }
  const found = sum.sum();
  await write(
    io.stdout,
    found.doses === 0
      ? 'No dose was drawn from this lot.\n'
      : `Taken from this lot: ${plain(takenText(found))}.\n`,
  );
}

async function toJson({ lots, compounds, doses: batches }: FoundLots): Promise<object> {
  const doses: LotDose[] = [];
  for await (const batch of batches) doses.push(...batch);
  return { lots, compounds, doses, total: doses.length };
}

async function run(io: Io, options: LotOptions, number: string): Promise<number> {
  await throughDoor(io, lotDoors(options.user), async (find) => {
    const found = await find(number);
    if (options.json) return writeJson(io, await toJson(found));
    await writeLots(io, found);
    await writeDoses(io, found);
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
