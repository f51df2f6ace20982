import * as z from 'zod';
import { normaliseEmail, ROLES } from '#app/domain/accounts/account.ts';
import { ISSUE_STATUSES } from '#app/domain/billing/billing-state.ts';
import { emailSchema, passwordSchema } from '#app/domain/accounts/account-schema.ts';
import { saveKeyField, reasonSchema } from '#app/domain/forms/fields.ts';
import { LOG_LEVELS } from '#app/domain/system/log-line.ts';
import { ROLE_FILTERS, STATUS_FILTERS, SUBSCRIPTION_FILTERS, USER_SORTS } from './user-search.ts';
import { searchField } from '#app/domain/forms/paging.ts';
import { FLAGS } from '#app/domain/flags/flags.ts';

/** Messages of the admin area. */
export const ADMIN_MESSAGES = {
  noPlans: 'On this server every account has everything, so there is no plan to change.',
  stale: 'Someone else changed this account in the meantime. Review it before you confirm.',
  role: 'Role must be user, admin or super_admin',
  sessionOver: 'This session has already ended. Nothing was changed.',
  confirmEmail: 'Type the account’s email address to delete it',
  deleteSuperAdmin: 'A super admin cannot be deleted. Change the role first.',
  lastSuperAdmin: 'This is the only super admin. Promote somebody else first.',
} as const;

/** A new admin account. Without `role` it is `super_admin` when there is none yet, else `admin`. */
export const createAdminSchema = z.object({
  email: emailSchema,
  password: passwordSchema,
  role: z.enum(['admin', 'super_admin'], { error: 'Role must be admin or super_admin' }).optional(),
});

export type CreateAdminInput = z.input<typeof createAdminSchema>;

/**
 * The account to change, by email or by id. `revision` is the one that the administrator saw: if another administrator
 * has changed the account since, this change is refused.
 */
export const changeSubjectSchema = z.object({
  email: emailSchema.optional(),
  id: z.string().max(200).optional(),
  revision: z.coerce.number({ error: ADMIN_MESSAGES.stale }).int({ error: ADMIN_MESSAGES.stale }).optional(),
});

/**
 * A change of an account. Changing a role needs `role`, deleting needs `confirmEmail` (the email typed again), and ending
 * a session needs `session` (its id).
 */
export const userChangeSchema = changeSubjectSchema.extend({
  reason: reasonSchema,
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

/** The form that confirms a change of an account, as it was typed. */
export const userChangeFormSchema = z.object({
  reason: z.string().default(''),
  revision: z.string().default(''),
  role: z.string().default(''),
  confirmEmail: z.string().default(''),
});

export type UserChangeForm = z.output<typeof userChangeFormSchema>;

export type UserChangeInput = z.input<typeof userChangeSchema>;

const TEMPLATES = ['payment_failed', 'card_expired', 'dispute', 'refund_request'] as const;

/** Resolves or escalates a billing issue. */
export const changeIssueSchema = z.object({
  /** The status the administrator saw; a different one means that someone else has changed the issue. */
  seen: z.enum(['open', 'escalated'], { error: 'This issue has changed. Look at it again.' }),
  reason: reasonSchema,
});

/** The buttons of an issue; `list` is the one to return to. */
export const issueFormSchema = changeIssueSchema.extend({
  step: z.enum(['escalate', 'resolve'], { error: 'Choose what to do with this issue.' }),
  list: z.enum(ISSUE_STATUSES).optional().catch(undefined),
});

export type ChangeIssueInput = z.input<typeof changeIssueSchema>;

/** A mail to the owner of an issue. */
export const contactUserSchema = z.object({
  template: z.enum(TEMPLATES, { error: 'Choose a template' }),
  note: z.string().trim().max(2000, { error: 'The note must be at most 2000 characters' }).optional(),
  saveKey: saveKeyField,
});

export type ContactUserInput = z.input<typeof contactUserSchema>;

/** An action on the server itself. */
export const systemActionSchema = z.object({ reason: reasonSchema });

export type SystemActionInput = z.input<typeof systemActionSchema>;

/** Selects lines of the stored log. */
export const logQuerySchema = z.object({
  level: z.enum(LOG_LEVELS, { error: 'Level must be info, warning or error' }).optional(),
  search: z.string().trim().max(100, { error: 'Search for at most 100 characters' }).default(''),
  before: z.string().max(60).optional(),
});

export type LogQueryInput = z.input<typeof logQuerySchema>;

/** A day, or an instant with its time zone, so that there is no doubt about the hour. */
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;
const TIME_MESSAGE = 'Enter a day such as 2026-11-20 (midnight UTC) or a time such as 2026-11-20T08:00Z';

const time = z
  .string({ error: TIME_MESSAGE })
  .trim()
  .refine((text) => TIME.test(text) && !Number.isNaN(Date.parse(text)), { error: TIME_MESSAGE })
  .transform((text) => new Date(text));

/** The period of an incident; without an end, until now. */
export const breachSchema = z
  .object({ since: time, until: time.optional() })
  .refine(({ since, until }) => until === undefined || since < until, {
    error: 'The end must be after the start',
    path: ['until'],
  });

export type BreachInput = z.input<typeof breachSchema>;

/** Rows of one page of the admin lists. */
const ADMIN_PAGE = 20;

const cursor = z.string().max(2000).optional().catch(undefined);
const limit = z.coerce.number().int().min(1).max(100);
const page = z.coerce.number().int().min(1).max(1_000_000).optional().catch(undefined);

/** A list of accounts. Invalid values fall back to their defaults. `cursor` wins over `page`. */
export const listUsersSchema = z.object({
  search: searchField,
  subscription: z.enum(SUBSCRIPTION_FILTERS).default('all').catch('all'),
  status: z.enum(STATUS_FILTERS).default('all').catch('all'),
  role: z.enum(ROLE_FILTERS).default('all').catch('all'),
  /** Only accounts seen in the last 30 days. */
  active: z.literal('30').optional().catch(undefined),
  sort: z.enum(USER_SORTS).default('newest').catch('newest'),
  cursor,
  page,
  limit: limit.default(ADMIN_PAGE).catch(ADMIN_PAGE),
});

export type ListUsersInput = z.input<typeof listUsersSchema>;
export type ListUsersQuery = z.output<typeof listUsersSchema>;

const day = z.iso.date().optional().catch(undefined);

/** A list of audit entries. People are named by email or id, a terminal user by `cli:NAME`. Both days are included. */
export const listAuditSchema = z.object({
  actor: searchField,
  subject: searchField,
  action: searchField,
  startDate: day,
  endDate: day,
  cursor,
  page,
  limit: limit.default(50).catch(50),
});

export type ListAuditInput = z.input<typeof listAuditSchema>;
export type ListAuditQuery = z.output<typeof listAuditSchema>;

/** Switches a flag. `state` is the new state, so that submitting twice does not switch it back. */
export const switchFlagSchema = z.object({
  name: z.enum(FLAGS, { error: 'There is no such switch' }),
  state: z.enum(['on', 'off'], { error: 'Choose on or off' }),
  reason: reasonSchema,
});

export type SwitchFlagInput = z.input<typeof switchFlagSchema>;
