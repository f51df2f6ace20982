import type { Command } from 'commander';
import { describeSchedule, doseSummary, vialEndText } from '#app/domain/schedules/describe-schedule.ts';
import { describedAnswer, partWords } from '#app/domain/schedules/schedule-answer.ts';
import { PAUSE_MESSAGES, pauseText } from '#app/domain/schedules/plan-changes.ts';
import { AGAIN_MESSAGES, SWAP_MESSAGES } from '#app/domain/schedules/plan-change-schema.ts';
import { localDateTime } from '#app/domain/time/zoned-time.ts';
import { action, examples, type Session, userOption, withCommonOptions } from '../command.ts';
import { throughDoor } from '../doors/door.ts';
import { scheduleDoors } from '../doors/schedule.ts';
import { type Io, write } from '../io.ts';
import { EXIT, writeJson, writeNote, writeOutcome } from '../output.ts';

interface OwnerOptions {
  user: string;
  json?: boolean;
}

const plain = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

async function list(io: Io, options: OwnerOptions): Promise<number> {
  const schedules = await throughDoor(io, scheduleDoors(options.user), (door) => door.list());
  if (options.json) await writeJson(io, { schedules });
  else
    for (const answer of schedules) {
      const schedule = describedAnswer(answer);
      const vialEnd = vialEndText(schedule, null);
      const about = vialEnd === null ? [] : [vialEnd];
      const what = plain(
        [schedule.name, describeSchedule(schedule), doseSummary(schedule), ...about].join(', '),
      );
      await write(io.stdout, `${answer.id}  ${what}${answer.isActive ? '' : ' (paused)'}\n`);
    }
  return EXIT.done;
}

interface PauseOptions extends OwnerOptions {
  from: string;
  to?: string;
  end?: boolean;
}

async function pause(io: Io, { user, from, to = '', end, json }: PauseOptions, id: string): Promise<number> {
  const { name, pauses } = await throughDoor(io, scheduleDoors(user), (door) =>
    door.pause(id, from, end === true ? null : to),
  );
  if (json) await writeJson(io, { id, name, pauses });
  else {
    for (const one of pauses) await writeOutcome(io, `${pauseText(one)}\n`);
    await writeNote(io, `${end === true ? PAUSE_MESSAGES.ended : PAUSE_MESSAGES.saved}\n`);
  }
  return EXIT.done;
}

interface SwapOptions extends OwnerOptions {
  from?: string;
  name?: string;
  vial?: string;
  dose?: string;
  undo?: string;
  dryRun?: boolean;
  confirm?: boolean;
}

async function swap(io: Io, options: SwapOptions, id: string): Promise<number> {
  const { user, from = '', name, vial, dose, undo, confirm } = options;
  const isWritten = options.dryRun !== true;
  const input = {
    fromDay: from,
    ...(name !== undefined && { name }),
    ...(vial !== undefined && { compoundId: vial === 'any' ? '' : vial }),
    ...(dose !== undefined && { doseAmount: dose }),
    ...(confirm === true && { confirm }),
  };
  await throughDoor(io, scheduleDoors(user), async (door) => {
    if (undo !== undefined) {
      const { swaps } = await door.undoSwap(id, undo);
      if (options.json) return writeJson(io, { id, swaps });
      return writeNote(io, `${SWAP_MESSAGES.undone}\n`);
    }
    const { schedule, doses } = await door.swap(id, input, !isWritten);
    if (options.json) return writeJson(io, { id, isWritten, swaps: schedule.swaps, doses });
    const part = (of: (typeof doses)[number]['after']) => plain(partWords(of, schedule.doseUnit));
    for (const { dueDate, before, after } of doses)
      await writeOutcome(
        io,
        `${localDateTime(dueDate, schedule.timeZone)}  ${part(before)}  ->  ${part(after)}\n`,
        isWritten,
      );
    await writeNote(io, `${isWritten ? SWAP_MESSAGES.saved : 'Nothing was changed.'}\n`);
  });
  return EXIT.done;
}

interface EndOptions extends OwnerOptions {
  withVial?: boolean;
}

async function end(io: Io, { user, withVial, json }: EndOptions, id: string): Promise<number> {
  const schedule = await throughDoor(io, scheduleDoors(user), (door) =>
    door.endWithVial(id, withVial !== false),
  );
  const { name, endsWithVial, stopsAt } = schedule;
  if (json) await writeJson(io, { id, name, endsWithVial, stopsAt });
  else {
    const text = vialEndText(schedule, null);
    await writeOutcome(io, `${plain(name)}: ${text ?? 'does not end with the vial'}\n`);
  }
  return EXIT.done;
}

interface AgainOptions extends OwnerOptions {
  from?: string;
  dryRun?: boolean;
  confirm?: boolean;
}

async function again(io: Io, options: AgainOptions, id: string): Promise<number> {
  const { user, from, confirm } = options;
  const input = { ...(from !== undefined && { startDate: from }), ...(confirm === true && { confirm }) };
  await throughDoor(io, scheduleDoors(user), async (door) => {
    const isWritten = options.dryRun !== true;
    const answer = await door.again(id, input, !isWritten);
    const newId = isWritten ? answer.id : null;
    if (options.json) return writeJson(io, { schedule: { ...answer, id: newId } });
    const schedule = describedAnswer(answer);
    const { startDate, endDate } = schedule;
    const days = endDate === null ? `from ${startDate}` : `from ${startDate} to ${endDate}`;
    const what = plain([schedule.name, describeSchedule(schedule), doseSummary(schedule), days].join(', '));
    await writeOutcome(io, `${newId === null ? what : `${newId}  ${what}`}\n`, isWritten);
    await writeNote(io, `${isWritten ? AGAIN_MESSAGES.created : 'No schedule was created.'}\n`);
  });
  return EXIT.done;
}

const LABELS: Readonly<Record<string, string>> = {
  email: '--user',
  firstDay: '--from',
  fromDay: '--from',
  startDate: '--from',
  lastDay: '--to',
  compoundId: '--vial',
  doseAmount: '--dose',
};
const label = (field: string): string => LABELS[field] ?? `--${field}`;

/** Adds `vialbook schedule` and its commands. */
export function register(session: Session): void {
  const { io } = session;
  const group = session.program.command('schedule').description('List, pause, change or repeat schedules.');
  const add = (line: string, description: string): Command =>
    withCommonOptions(group.command(line).description(description)).addOption(userOption('the account'));

  add('list', 'List the schedules of an account with their ids.')
    .addHelpText('after', examples('vialbook schedule list --user ada@example.org'))
    .action(action<OwnerOptions>(session, (options) => list(io, options), label));

  add('pause <schedule>', 'Plan a pause with dates, or end one.')
    .requiredOption('--from <day>', 'first day of the pause, YYYY-MM-DD in the schedule’s time zone')
    .option('--to <day>', 'last day of the pause; changes a pause that begins on the same first day')
    .option('--end', 'end the pause that begins on this day, or remove it if it has not begun')
    .addHelpText(
      'after',
      examples(
        'vialbook schedule pause --user ada@example.org sched_0123 --from 2027-05-03 --to 2027-05-17',
        'vialbook schedule pause --user ada@example.org sched_0123 --from 2027-05-03 --end',
      ),
    )
    .action(action<PauseOptions>(session, (options, id = '') => pause(io, options, id), label));

  add('swap <schedule>', 'Change the compound, vial or dose of a schedule from a given day.')
    .option('--from <day>', 'first day of the change, YYYY-MM-DD, today or later')
    .option('--name <compound>', 'new compound; by default the vial’s')
    .option('--vial <id>', 'vial to draw from first; "any" for any open vial of the compound')
    .option('--dose <amount>', 'new dose, for example "500 mcg"')
    .option('--dry-run', 'only list what would change')
    .option('--confirm', 'save an unusual amount anyway')
    .option('--undo <id>', 'undo a change')
    .addHelpText(
      'after',
      examples(
        'vialbook schedule swap --user ada@example.org sched_0123 --from 2027-05-03 --vial comp_0123 --dry-run',
        'vialbook schedule swap --user ada@example.org sched_0123 --undo 0123456789abcdef01234567',
      ),
    )
    .action(action<SwapOptions>(session, (options, id = '') => swap(io, options, id), label));

  add('end <schedule>', 'End a schedule together with the vial it draws from, or let it continue.')
    .option('--no-with-vial', 'let it continue when the vial is empty or discarded')
    .addHelpText(
      'after',
      examples(
        'vialbook schedule end --user ada@example.org sched_0123',
        'vialbook schedule end --user ada@example.org sched_0123 --no-with-vial',
      ),
    )
    .action(action<EndOptions>(session, (options, id = '') => end(io, options, id), label));

  add('again <schedule>', 'Start an ended or paused schedule again, as a new schedule.')
    .option('--from <day>', 'first day, YYYY-MM-DD; by default today')
    .option('--dry-run', 'only show the new schedule')
    .option('--confirm', 'save an unusual amount anyway')
    .addHelpText(
      'after',
      examples('vialbook schedule again --user ada@example.org sched_0123 --from 2027-06-01'),
    )
    .action(action<AgainOptions>(session, (options, id = '') => again(io, options, id), label));
}
