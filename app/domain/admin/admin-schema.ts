import * as z from 'zod';
import { normaliseEmail } from '#app/domain/accounts/email.ts';
import { ROLES } from '#app/domain/accounts/roles.ts';
import { emailSchema, passwordSchema } from '#app/domain/accounts/account-schema.ts';

/** Messages of the admin area; the specification's are exact. */
export const ADMIN_MESSAGES = {
  denied: 'Access denied. Admin privileges required.',
  signInFailed: 'Login failed. Please try again.',
  reason: 'Give a reason. It is kept in the audit trail, and the owner of the account reads it.',
  reasonLong: 'Reason must be at most 500 characters',
  stale: 'Somebody changed this account meanwhile. Look at it again before you confirm.',
  role: 'Role must be user, admin or super_admin',
  confirmEmail: 'Type the address of the account to delete it',
  deleteSuperAdmin: 'A super admin cannot be deleted. Change the role first.',
  lastSuperAdmin: 'This is the only super admin. Make another one first.',
} as const;

/** A new admin account. Without `role` it is `super_admin` when there is none yet, else `admin`. */
export const createAdminSchema = z.object({
  email: emailSchema,
  password: passwordSchema,
  role: z.enum(['admin', 'super_admin'], { error: 'Role must be admin or super_admin' }).optional(),
});

export type CreateAdminInput = z.input<typeof createAdminSchema>;

/**
 * A change of an account, which is named by its address or by its id. `revision` is that of the account as it was shown
 * when the change was decided on; a change by another administrator in between refuses this one.
 */
export const changeStatusSchema = z.object({
  email: emailSchema.optional(),
  id: z.string().max(200).optional(),
  reason: z.string().trim().max(500, { error: ADMIN_MESSAGES.reasonLong }).optional(),
  revision: z.coerce.number({ error: ADMIN_MESSAGES.stale }).int({ error: ADMIN_MESSAGES.stale }).optional(),
});

export type ChangeStatusInput = z.input<typeof changeStatusSchema>;

/** Another role for an account. */
export const changeRoleSchema = changeStatusSchema.extend({
  role: z.enum(ROLES, { error: ADMIN_MESSAGES.role }),
});

export type ChangeRoleInput = z.input<typeof changeRoleSchema>;

/** The deletion of an account, whose address is typed once more. */
export const deleteUserSchema = changeStatusSchema.extend({
  confirmEmail: z
    .string({ error: ADMIN_MESSAGES.confirmEmail })
    .max(400, { error: ADMIN_MESSAGES.confirmEmail })
    .transform(normaliseEmail),
});

export type DeleteUserInput = z.input<typeof deleteUserSchema>;
