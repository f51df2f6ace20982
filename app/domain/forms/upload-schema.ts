import * as z from 'zod';

/** The form that adds a document. The operation says what is wrong with it, once it knows that the caller may add one. */
export const documentFormSchema = z.object({ paper: z.file().optional() });

/** The form that adds a picture, likewise. */
export const imageFormSchema = z.object({ image: z.file().optional() });
