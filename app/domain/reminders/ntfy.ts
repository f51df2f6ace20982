import * as z from 'zod';
import type { ReminderType } from './reminder-stages.ts';

export const NTFY_MESSAGES = {
  url: 'Enter the public address of a topic, such as https://ntfy.sh/your-topic',
  slow: 'The name server of this address does not answer. Try again later.',
  token: 'A token can have at most 200 letters, digits and underscores',
  none: 'No ntfy topic is set.',
  saved: 'Reminders will be sent to your ntfy topic',
  removed: 'The ntfy topic was removed',
  sent: 'The test message was sent',
} as const;

/** Topic names that ntfy servers accept. */
const TOPIC = /^[-_A-Za-z0-9]{1,64}$/;

/** Splits a topic's address into the server that messages are posted to, and the topic. Null if it is not one. */
export function topicOf(address: string): { server: string; topic: string } | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.search !== '' || url.hash !== '') return null;
  const parts = url.pathname.replace(/\/$/, '').split('/');
  const topic = parts.pop() ?? '';
  return TOPIC.test(topic) ? { server: `${url.origin}${parts.join('/')}/`, topic } : null;
}

const url = z
  .string({ error: NTFY_MESSAGES.url })
  .trim()
  .max(500, { error: NTFY_MESSAGES.url, abort: true })
  .refine((text) => topicOf(text) !== null, { error: NTFY_MESSAGES.url });

/** Where reminders go. Without `token` the stored one is kept unless the server changes; an empty one removes it. */
export const ntfyTopicSchema = z.object({
  url,
  token: z
    .string({ error: NTFY_MESSAGES.token })
    .trim()
    .regex(/^\w{0,200}$/, { error: NTFY_MESSAGES.token })
    .optional(),
});

/** The forms of the page of the topic. */
export const ntfyFormSchema = z.discriminatedUnion('intent', [
  ntfyTopicSchema.extend({ intent: z.literal('save').optional() }),
  z.object({ intent: z.enum(['test', 'remove']) }),
]);

/** The same for programs; without an address the stored one is kept. */
export const ntfyChangesSchema = ntfyTopicSchema.partial();

export type NtfyChangesInput = z.input<typeof ntfyChangesSchema>;

/** ntfy priorities, from 1 to 5. */
const PRIORITIES: Record<ReminderType, number> = { upcoming: 2, due: 3, overdue: 4, other: 3 };

const HIGHEST_PRIORITY = 5;

/** A reminder as ntfy shows it. */
interface NtfyReminder {
  topic: string;
  type: ReminderType;
  /** It has the highest priority, because nobody has seen it elsewhere. */
  isEscalation?: boolean;
  title: string;
  message: string;
  /** The page where the dose can be logged; opening it changes nothing. */
  link: string;
  /** The label of the button that opens the link. */
  label: string;
  /** At most 64 letters and digits. A later message with the same one replaces this message. */
  sequenceId: string;
}

/** The body of a message, for the server's own address (docs.ntfy.sh, "Publish as JSON"). */
export function ntfyBody({
  topic,
  type,
  isEscalation,
  title,
  message,
  link,
  label,
  sequenceId,
}: NtfyReminder): string {
  return JSON.stringify({
    topic,
    title,
    message,
    priority: isEscalation ? HIGHEST_PRIORITY : PRIORITIES[type],
    click: link,
    actions: [{ action: 'view', label, url: link, clear: true }],
    sequence_id: sequenceId,
  });
}
