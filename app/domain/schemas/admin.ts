import * as z from 'zod';
import { emailSchema, passwordSchema } from './account.ts';

/** A new admin account. Without `role` it is `super_admin` when there is none yet, else `admin`. */
export const createAdminSchema = z.object({
  email: emailSchema,
  password: passwordSchema,
  role: z.enum(['admin', 'super_admin'], { error: 'Role must be admin or super_admin' }).optional(),
});

export type CreateAdminInput = z.input<typeof createAdminSchema>;

/** Suspend or reinstate, by address. */
export const changeStatusSchema = z.object({
  email: emailSchema,
  reason: z.string().trim().max(500, { error: 'Reason must be at most 500 characters' }).optional(),
});

export type ChangeStatusInput = z.input<typeof changeStatusSchema>;
