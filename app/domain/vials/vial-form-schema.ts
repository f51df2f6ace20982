import * as z from 'zod';
import { remainingSchema, spillSchema, vialSchema } from './vial-schema.ts';

const hidden = (most: number) => z.string().max(most).optional().catch(undefined);

/** The vial's form: the description, and what the page sends along with it. */
export const vialFormSchema = vialSchema.safeExtend({
  /** Names one showing of the form. */
  idempotencyKey: hidden(100),
  /** What the fields held when the form was shown, as JSON. */
  original: hidden(20_000),
});

/** Beginnings of the form's fields. */
export type VialFormValues = Partial<Record<string, string>>;

export const remainingFormSchema = remainingSchema.extend({ idempotencyKey: hidden(100) });
export const spillFormSchema = spillSchema.extend({ idempotencyKey: hidden(100) });
