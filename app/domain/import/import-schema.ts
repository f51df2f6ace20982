import * as z from 'zod';

/** The form for a file. The file is checked while it arrives, and the check's id becomes the field's value. */
export const importFileSchema = z.object({ file: z.string({ error: 'Choose a file.' }) });

/** The form that imports a checked file. */
export const applyImportSchema = z.object({
  confirm: z
    .string()
    .optional()
    .transform((text) => text === 'true'),
});
