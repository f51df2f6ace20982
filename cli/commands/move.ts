import { MOVE_MESSAGES } from '#app/domain/schedules/plan-changes.ts';
import { localDateTime } from '#app/domain/time/zoned-time.ts';
import { action, type Session, userOption, withCommonOptions } from '../command.ts';
import { throughDoor } from '../doors/door.ts';
import { moveDoors } from '../doors/move.ts';
import type { Io } from '../io.ts';
import { EXIT, writeJson, writeNote, writeOutcome } from '../output.ts';

interface MoveOptions {
  user: string;
  to: string;
  following?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

const LABELS: Readonly<Record<string, string>> = { dueDate: '--to', email: '--user' };

async function run(io: Io, options: MoveOptions, id: string): Promise<number> {
  const scope = options.following === true ? ('following' as const) : ('this' as const);
  const input = { dueDate: options.to, scope };
  await throughDoor(io, moveDoors(options.user), async (door) => {
    const timeZone = await door.timeZone();
    const { name, doses, tooCloseTo } = await door.move(id, input, options.dryRun === true);
    if (options.json) {
      const isMoved = options.dryRun !== true;
      return writeJson(io, { id, name, scope, isMoved, moves: doses, tooCloseTo });
    }
    const shown = (at: Date) => localDateTime(at, timeZone);
    for (const { from, to } of doses)
      await writeOutcome(io, `${shown(from)}  ->  ${shown(to)}\n`, options.dryRun !== true);
    if (tooCloseTo !== null)
      await writeNote(io, `Another dose of this schedule is due at ${shown(tooCloseTo)}.\n`);
    const moved = scope === 'following' ? MOVE_MESSAGES.movedAll : MOVE_MESSAGES.moved;
    await writeNote(io, `${options.dryRun === true ? 'Nothing was moved.' : moved}\n`);
  });
  return EXIT.done;
}

const HELP = `
Lists the first doses that move, with their old and new times. Undo a move with "vialbook log --undo ID".

Examples:
  vialbook move --user ada@example.org dose_0123456789abcdef01234567 --to "2026-03-10 09:00"
  vialbook move --user ada@example.org dose_0123456789abcdef01234567 --to 09:00 --following --dry-run`;

/** Adds `vialbook move`. */
export function register(session: Session): void {
  const command = session.program
    .command('move')
    .description('Move a planned dose to another time, alone or together with all later doses.')
    .argument('<dose>', 'id of a dose that is not logged yet')
    .addOption(userOption('the account'))
    .requiredOption(
      '--to <time>',
      'when: "09:00" or "2026-03-10 09:00" in the account\'s time zone, or with an offset; at most 35 days ahead',
    )
    .option('--following', 'move all later doses of the schedule by the same amount of time')
    .option('--dry-run', 'only list the doses that would move');
  command.addHelpText('after', HELP);
  withCommonOptions(command).action(
    action<MoveOptions>(
      session,
      (options, id) => run(session.io, options, id),
      (field) => LABELS[field] ?? `--${field}`,
    ),
  );
}
