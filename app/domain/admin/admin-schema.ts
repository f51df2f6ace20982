import * as z from 'zod';
import { normaliseEmail, ROLES } from '#app/domain/accounts/account.ts';
import { emailSchema, passwordSchema } from '#app/domain/accounts/account-schema.ts';

/** Messages of the admin area; the specification's are exact. */
export const ADMIN_MESSAGES = {
  signInFailed: 'Login failed. Please try again.',
  reason: 'Give a reason. It is kept in the audit trail, and the account’s owner can read it.',
  reasonLong: 'Reason must be at most 500 characters',
  stale: 'Somebody else changed this account in the meantime. Review it before you confirm.',
  role: 'Role must be user, admin or super_admin',
  sessionOver: 'This session has already ended. Nothing was changed.',
  confirmEmail: 'Type the account’s email address to delete it',
  deleteSuperAdmin: 'A super admin cannot be deleted. Change the role first.',
  lastSuperAdmin: 'This is the only super admin. Promote somebody else first.',
} as const;

/** Why an administrator changes something: asked for at every door. */
export const adminReason = z
  .string({ error: ADMIN_MESSAGES.reason })
  .trim()
  .min(1, { error: ADMIN_MESSAGES.reason })
  .max(500, { error: ADMIN_MESSAGES.reasonLong });

/** A new admin account. Without `role` it is `super_admin` when there is none yet, else `admin`. */
export const createAdminSchema = z.object({
  email: emailSchema,
  password: passwordSchema,
  role: z.enum(['admin', 'super_admin'], { error: 'Role must be admin or super_admin' }).optional(),
});

export type CreateAdminInput = z.input<typeof createAdminSchema>;

/**
 * The account that a change is about, by its address or by its id. `revision` is that of the account as it was shown
 * when the change was decided on; a change by another administrator in between refuses this one.
 */
export const changeSubjectSchema = z.object({
  email: emailSchema.optional(),
  id: z.string().max(200).optional(),
  revision: z.coerce.number({ error: ADMIN_MESSAGES.stale }).int({ error: ADMIN_MESSAGES.stale }).optional(),
});

/**
 * A change of an account. `role` goes with the change of a role, `confirmEmail` (the address typed once more) with a
 * deletion, `session` (its id) with the end of one session.
 */
export const userChangeSchema = changeSubjectSchema.extend({
  reason: adminReason,
  role: z
    .string()
    .pipe(z.enum(ROLES, { error: ADMIN_MESSAGES.role }))
    .optional(),
  confirmEmail: z
    .string({ error: ADMIN_MESSAGES.confirmEmail })
    .max(400, { error: ADMIN_MESSAGES.confirmEmail })
    .transform(normaliseEmail)
    .optional(),
  session: z.string().max(100).optional(),
});

export type UserChangeInput = z.input<typeof userChangeSchema>;
