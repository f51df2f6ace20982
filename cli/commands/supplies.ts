import type { Command } from 'commander';
import { SUPPLY_KINDS, type SupplyKind } from '#app/domain/supplies/supply.ts';
import { action, choiceOption, examples, type Session, userOption, withCommonOptions } from '../command.ts';
import { throughDoor } from '../doors/door.ts';
import { type ShownSupply, type SupplyDoor, supplyDoors } from '../doors/supplies.ts';
import type { Io } from '../io.ts';
import { EXIT, writeJson, writeNote, writeOutcome } from '../output.ts';

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

/** What a command does; it returns the supplies to print. */
type Act = (door: SupplyDoor, options: SupplyOptions, operand: string) => Promise<readonly ShownSupply[]>;

const ACTS = {
  list: (door) => door.list(),
  async add(door, { kind = 'other', count, perInjection }, name) {
    const fields = { kind, name, count: count ?? '', ...(perInjection !== undefined && { perInjection }) };
    return [await door.add(fields)];
  },
  async change(door, { name, kind, counted, received, perInjection }, typedName) {
    const changes = {
      ...(name !== undefined && { name }),
      ...(kind !== undefined && { kind }),
      ...(counted !== undefined && { counted }),
      ...(received !== undefined && { received }),
      ...(perInjection !== undefined && { perInjection }),
    };
    return [await door.change(typedName, changes)];
  },
  async delete(door, _options, typedName) {
    await door.delete(typedName);
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
  await throughDoor(io, supplyDoors(options.user), async (door) => {
    const supplies = await act(door, options, operand);
    if (options.json) return writeJson(io, { supplies: supplies.map(({ view }) => view) });
    for (const { view, text } of supplies)
      await writeOutcome(io, `${view.id}  ${plain(view.name)}: ${text}\n`, act !== ACTS.list);
    if (act === ACTS.list && supplies.length === 0) await writeNote(io, 'No supplies yet.\n');
  });
  return EXIT.done;
}

const KIND_HELP = 'kind of supply';
const PER_INJECTION = ['--per-injection <number>', 'pieces each injection uses'] as const;

/** The options of each subcommand. */
const OPTIONS: Readonly<Record<keyof typeof ACTS, (command: Command) => void>> = {
  list: () => undefined,
  add: (command) =>
    void command
      .requiredOption('--count <number>', 'pieces you have now')
      .addOption(choiceOption('--kind <kind>', `${KIND_HELP}; by default other`, SUPPLY_KINDS))
      .option(PER_INJECTION[0], `${PER_INJECTION[1]}; by default 1`),
  change: (command) =>
    void command
      .option('--counted <number>', 'pieces you just counted')
      .option('--received <number>', 'pieces you received')
      .option('--name <name>', 'new name')
      .addOption(choiceOption('--kind <kind>', KIND_HELP, SUPPLY_KINDS))
      .option(...PER_INJECTION),
  delete: () => undefined,
};

/** Adds `vialbook supplies …`. */
export function register(session: Session): void {
  const group = session.program
    .command('supplies')
    .description('Count syringes, needles, swabs and other supplies that each logged injection uses.');
  const add = (usage: string, description: string, act: keyof typeof ACTS, example: string) => {
    const command = group.command(usage).description(description).addOption(userOption('whose supplies'));
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
  add('list', 'List supplies and what is left of each.', 'list', 'list --user ada@example.org');
  add(
    'add <name>',
    'Start counting a supply.',
    'add',
    'add "0.5 ml syringes" --kind syringe --count 100 --user ada@example.org',
  );
  add(
    'change <supply>',
    'Change a supply, given by its name or id.',
    'change',
    'change "0.5 ml syringes" --received 100 --user ada@example.org',
  );
  add(
    'delete <supply>',
    'Stop counting a supply and delete it.',
    'delete',
    'delete "0.5 ml syringes" --user ada@example.org',
  );
}
