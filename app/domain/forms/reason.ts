import * as z from 'zod';

/** Why an administrator does something, kept in the audit trail. */
export const reasonSchema = z
  .string({ error: 'Say why; it is kept in the audit trail' })
  .trim()
  .min(1, { error: 'Say why; it is kept in the audit trail' })
  .max(500, { error: 'Reason must be at most 500 characters' });
