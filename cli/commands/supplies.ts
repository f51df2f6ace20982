import type { Command } from 'commander';
import { SUPPLY_KINDS, supplyText, supplyView, type SupplyKind } from '#app/domain/supplies/supply.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import {
  addSupply,
  deleteSupply,
  findSupply,
  listSupplies,
  updateSupply,
} from '#app/features/supplies/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { findOwner } from '#app/platform/access/owner.server.ts';
import { action, choiceOption, examples, type Session, withCommonOptions } from '../command.ts';
import { withContext } from '../context.ts';
import { type Io, write } from '../io.ts';
import { EXIT, writeJson } from '../output.ts';

interface SupplyOptions {
  user: string;
  name?: string;
  kind?: SupplyKind;
  count?: string;
  counted?: string;
  received?: string;
  perInjection?: string;
  json?: boolean;
}

type Forecast = Awaited<ReturnType<typeof findSupply>>;

/** What a command answers: the supplies that it was about. */
type Act = (ctx: Ctx, options: SupplyOptions, operand: string) => Promise<readonly Forecast[]>;

const ACTS = {
  list: (ctx, { user }) => listSupplies(ctx, user),
  async add(ctx, { user, kind = 'other', count, perInjection }, name) {
    const fields = { kind, name, count: count ?? '', ...(perInjection !== undefined && { perInjection }) };
    return [await addSupply(ctx, fields, undefined, user)];
  },
  async change(ctx, { user, name, kind, counted, received, perInjection }, asked) {
    const { supply } = await findSupply(ctx, asked, user);
    const changes = {
      ...(name !== undefined && { name }),
      ...(kind !== undefined && { kind }),
      ...(counted !== undefined && { counted }),
      ...(received !== undefined && { received }),
      ...(perInjection !== undefined && { perInjection }),
    };
    // What came is added once: to the pieces that were there when this command looked.
    return [await updateSupply(ctx, supply.id, { ...changes, version: supply.version }, user)];
  },
  async delete(ctx, { user }, asked) {
    const { supply } = await findSupply(ctx, asked, user);
    await deleteSupply(ctx, supply.id, user);
    return [];
  },
} as const satisfies Record<string, Act>;

const LABELS: Readonly<Record<string, string>> = {
  email: '--user',
  count: '--count',
  counted: '--counted',
  received: '--received',
  perInjection: '--per-injection',
  kind: '--kind',
};
const label = (field: string): string => LABELS[field] ?? field;

const plain = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

async function run(io: Io, options: SupplyOptions, act: Act, operand = ''): Promise<number> {
  await withContext(io, async (ctx) => {
    const supplies = await act(ctx, options, operand);
    if (options.json) return writeJson(io, { supplies: supplies.map(supplyView) });
    const day = calendarDay(ctx.now(), (await findOwner(ctx, options.user)).timeZone);
    for (const forecast of supplies) {
      const { id, name } = forecast.supply;
      await write(io.stdout, `${id}  ${plain(name)}: ${supplyText(forecast, day)}\n`);
    }
    if (act === ACTS.list && supplies.length === 0) await write(io.stderr, 'No supplies are counted.\n');
  });
  return EXIT.done;
}

const KIND_HELP = `what it is: ${SUPPLY_KINDS.join(', ')}`;
const PER_INJECTION = ['--per-injection <number>', 'pieces that one injection uses'] as const;

/** The options of each subcommand. */
const OPTIONS: Readonly<Record<keyof typeof ACTS, (command: Command) => void>> = {
  list: () => undefined,
  add: (command) =>
    void command
      .requiredOption('--count <number>', 'pieces that are there now')
      .addOption(choiceOption('--kind <kind>', `${KIND_HELP}; other unless given`, SUPPLY_KINDS))
      .option(PER_INJECTION[0], `${PER_INJECTION[1]}; 1 unless given`),
  change: (command) =>
    void command
      .option('--counted <number>', 'pieces that were counted now')
      .option('--received <number>', 'pieces that came')
      .option('--name <name>', 'another name')
      .addOption(choiceOption('--kind <kind>', KIND_HELP, SUPPLY_KINDS))
      .option(...PER_INJECTION),
  delete: () => undefined,
};

/** Adds `vialbook supplies …`. */
export function register(session: Session): void {
  const group = session.program
    .command('supplies')
    .description('Syringes, needles, swabs and the like: each injection that is logged uses some.');
  const add = (usage: string, description: string, act: keyof typeof ACTS, example: string) => {
    const command = group
      .command(usage)
      .description(description)
      .requiredOption('--user <email>', 'whose supplies');
    OPTIONS[act](command);
    command.addHelpText('after', examples(`vialbook supplies ${example}`));
    withCommonOptions(command).action(
      action<SupplyOptions>(
        session,
        (options, operand) => run(session.io, options, ACTS[act], operand),
        label,
      ),
    );
  };
  add('list', 'List supplies with what is left of each.', 'list', 'list --user ada@example.org');
  add(
    'add <name>',
    'Count a supply from now on.',
    'add',
    'add "0.5 ml syringes" --kind syringe --count 100 --user ada@example.org',
  );
  add(
    'change <supply>',
    'Change a supply, named by its name or id.',
    'change',
    'change "0.5 ml syringes" --received 100 --user ada@example.org',
  );
  add(
    'delete <supply>',
    'Count a supply no longer.',
    'delete',
    'delete "0.5 ml syringes" --user ada@example.org',
  );
}
