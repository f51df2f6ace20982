import { WEBHOOK_EVENTS, type WebhookEvent } from '#app/domain/webhooks/webhook.ts';
import { action, examples, type Session, userOption, withCommonOptions } from '../command.ts';
import { throughDoor } from '../doors/door.ts';
import { type Delivery, type WebhookDoor, webhookDoors } from '../doors/webhooks.ts';
import type { Io } from '../io.ts';
import { EXIT, writeJson, writeOutcome } from '../output.ts';

interface WebhookOptions {
  user: string;
  url?: string;
  events?: string;
  endOld?: boolean;
  json?: boolean;
}

const LABELS: Readonly<Record<string, string>> = { url: 'address', email: '--user', events: '--events' };
const label = (field: string): string => LABELS[field] ?? field;

const eventsOf = (text: string): WebhookEvent[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '') as WebhookEvent[];

/** A command's output: JSON, or lines of text. */
interface Answer {
  json: object;
  lines: readonly string[];
  /** The lines only say what was done; a list and a secret are data. */
  isOutcome?: boolean;
}

const deliveryText = ({ id, type, state, status, reason, createdAt }: Delivery): string =>
  `${id}  ${createdAt.toISOString()}  ${type}  ${state}${status === null ? '' : ` (${status})`}${reason === null ? '' : `: ${reason}`}`;

async function perform(
  io: Io,
  { user, json }: WebhookOptions,
  work: (door: WebhookDoor) => Promise<Answer>,
): Promise<number> {
  const answer = await throughDoor(io, webhookDoors(user), work, { opensSecrets: true });
  if (json) await writeJson(io, answer.json);
  else for (const line of answer.lines) await writeOutcome(io, `${line}\n`, answer.isOutcome === true);
  return EXIT.done;
}

const secretLines = (id: string, secret: string) => [id, secret];

const ACTS = {
  async list(door: WebhookDoor): Promise<Answer> {
    const webhooks = await door.list();
    return {
      json: { webhooks },
      lines: webhooks.map(
        ({ id, url, events, failingSince }) =>
          `${id}  ${url}  ${events.join(',')}${failingSince === null ? '' : '  failing'}`,
      ),
    };
  },
  async add(
    door: WebhookDoor,
    { events = WEBHOOK_EVENTS.join(',') }: WebhookOptions,
    url: string,
  ): Promise<Answer> {
    const made = await door.add({ url, events: eventsOf(events) });
    return { json: made, lines: secretLines(made.webhook.id, made.secret) };
  },
  async change(door: WebhookDoor, { url, events }: WebhookOptions, id: string): Promise<Answer> {
    const changes = {
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events: eventsOf(events) }),
    };
    const webhook = await door.change(id, changes);
    const lines = [`${webhook.id}  ${webhook.url}  ${webhook.events.join(',')}`];
    return { json: { webhook }, lines, isOutcome: true };
  },
  async delete(door: WebhookDoor, _options: WebhookOptions, id: string): Promise<Answer> {
    await door.delete(id);
    return { json: {}, lines: [] };
  },
  async rotate(door: WebhookDoor, { endOld = false }: WebhookOptions, id: string): Promise<Answer> {
    const made = await door.rotate(id, { endOld });
    return { json: made, lines: secretLines(made.webhook.id, made.secret) };
  },
  async test(door: WebhookDoor, _options: WebhookOptions, id: string): Promise<Answer> {
    const delivery = await door.test(id);
    return { json: { delivery }, lines: [deliveryText(delivery)], isOutcome: true };
  },
  async deliveries(door: WebhookDoor, _options: WebhookOptions, id: string): Promise<Answer> {
    const deliveries = await door.deliveries(id);
    return { json: { deliveries }, lines: deliveries.map(deliveryText) };
  },
  async again(door: WebhookDoor, _options: WebhookOptions, id: string, deliveryId: string): Promise<Answer> {
    const delivery = await door.again(id, deliveryId);
    return { json: { delivery }, lines: [deliveryText(delivery)], isOutcome: true };
  },
} as const;

const EVENTS_HELP = `events, separated by commas: ${WEBHOOK_EVENTS.join(', ')}`;

/** Adds `vialbook webhooks …`. */
export function register(session: Session): void {
  const group = session.program
    .command('webhooks')
    .description('Notify other programs about doses and stock.');
  const add = (usage: string, description: string, act: keyof typeof ACTS, example: string) => {
    const command = group.command(usage).description(description).addOption(userOption('whose webhooks'));
    if (act === 'add') command.option('--events <list>', `${EVENTS_HELP}; all by default`);
    if (act === 'change')
      command.option('--url <address>', 'the new address').option('--events <list>', EVENTS_HELP);
    if (act === 'rotate') command.option('--end-old', 'stop signing with the old secret at once');
    command.addHelpText('after', examples(`vialbook webhooks ${example}`));
    const run = (options: WebhookOptions, first = '', second = '') =>
      perform(session.io, options, (door) => ACTS[act](door, options, first, second));
    withCommonOptions(command).action(action<WebhookOptions>(session, run, label));
  };
  const who = '--user ada@example.org';
  add('list', 'List webhooks.', 'list', `list ${who} --json`);
  add(
    'add <address>',
    'Add an address that receives events. Prints its id and, only this once, its secret.',
    'add',
    `add https://example.org/hook ${who} --events dose.due,stock.low`,
  );
  add(
    'change <id>',
    'Change a webhook’s address or events.',
    'change',
    `change hook_1 ${who} --events dose.due`,
  );
  add('delete <id>', 'Delete a webhook and its deliveries.', 'delete', `delete hook_1 ${who}`);
  add(
    'rotate <id>',
    'Give a webhook a new secret, and print it. The old one signs messages, too, for 24 hours.',
    'rotate',
    `rotate hook_1 ${who}`,
  );
  add('test <id>', 'Send a test event now.', 'test', `test hook_1 ${who}`);
  add(
    'deliveries <id>',
    'List the last 50 deliveries of a webhook.',
    'deliveries',
    `deliveries hook_1 ${who}`,
  );
  add('again <id> <delivery>', 'Send a delivery again now.', 'again', `again hook_1 whd_1 ${who}`);
}
