import * as z from 'zod';
import { saveKeyField, reasonSchema } from '#app/domain/forms/fields.ts';

const TEMPLATES = ['payment_failed', 'card_expired', 'dispute', 'refund_request'] as const;

/** What an administrator has made of a billing issue. */
export const changeIssueSchema = z.object({
  /** The state that the administrator saw: another one means that somebody else was here. */
  seen: z.enum(['open', 'escalated'], { error: 'This issue has changed. Look at it again.' }),
  reason: reasonSchema,
});

export type ChangeIssueInput = z.input<typeof changeIssueSchema>;

/** A mail to the owner of an issue. */
export const contactUserSchema = z.object({
  template: z.enum(TEMPLATES, { error: 'Choose a template' }),
  note: z.string().trim().max(2000, { error: 'The note must be at most 2000 characters' }).optional(),
  saveKey: saveKeyField,
});

export type ContactUserInput = z.input<typeof contactUserSchema>;
