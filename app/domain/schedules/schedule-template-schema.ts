import * as z from 'zod';
import { MAX_NAME_LENGTH } from '#app/domain/forms/text-fields.ts';
import { lineField, saveKeyField } from '#app/domain/forms/fields.ts';

/** Maximum number of a user's own templates. */
export const MAX_TEMPLATES = 100;

export const TEMPLATE_MESSAGES = {
  title: `Enter a name of at most ${MAX_NAME_LENGTH} characters`,
  tooMany: `You can have up to ${MAX_TEMPLATES} templates. Delete one first.`,
  notFound: 'Template not found.',
  saved: 'Template saved',
  deleted: 'Template deleted',
} as const;

/** Input for saving a schedule as a template. */
export const saveTemplateSchema = z.object({
  title: lineField(TEMPLATE_MESSAGES.title, MAX_NAME_LENGTH).transform((text, context): string => {
    if (text !== null) return text;
    context.issues.push({ code: 'custom', message: TEMPLATE_MESSAGES.title, input: text });
    return z.NEVER;
  }),
  saveKey: saveKeyField,
});

export type SaveTemplateInput = z.input<typeof saveTemplateSchema>;
