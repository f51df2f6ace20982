import * as z from 'zod';
import { MAX_NAME_LENGTH } from '#app/domain/forms/text-fields.ts';
import { requiredLine, saveKeyField } from '#app/domain/forms/fields.ts';

/** Maximum number of a user's own templates. */
export const MAX_TEMPLATES = 100;

export const TEMPLATE_MESSAGES = {
  title: 'Enter a name',
  titleLong: `Name can have at most ${MAX_NAME_LENGTH} characters`,
  tooMany: `You can have up to ${MAX_TEMPLATES} templates. Delete one first.`,
  notFound: 'Template not found.',
  saved: 'Template saved',
  deleted: 'Template deleted',
} as const;

/** Input for saving a schedule as a template. */
export const saveTemplateSchema = z.object({
  title: requiredLine(TEMPLATE_MESSAGES.title, TEMPLATE_MESSAGES.titleLong, MAX_NAME_LENGTH),
  saveKey: saveKeyField,
});

export type SaveTemplateInput = z.input<typeof saveTemplateSchema>;
