import * as z from 'zod';
import { registerSchema, signInSchema, changePasswordSchema } from '#app/domain/accounts/account-schema.ts';
import { API_TOKEN_SCOPES, createApiTokenSchema } from '#app/domain/accounts/api-token.ts';
import { profileChangesSchema } from '#app/domain/accounts/profile.ts';
import { AppError } from '#app/domain/errors.ts';
import {
  DEFAULT_NOTIFICATION_CHOICES,
  notificationChangesSchema,
} from '#app/domain/reminders/notification-choices.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import {
  accountShape,
  EXAMPLE_USER,
  idParams,
  instant,
  named,
  pageQuery,
  cursorPageShape,
  cursorQuery,
} from '#app/platform/api/shapes.ts';
import { pageOfAll } from '#app/platform/pagination.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import { endedSessionCookie } from '#app/platform/http/session.server.ts';
import {
  getNotificationChoices,
  updateNotificationChoices,
} from '#app/platform/mail/notification-choices.server.ts';
import { createApiToken, getApiToken, listApiTokens, revokeApiToken } from './api-tokens.server.ts';
import { changePassword } from './password-change.server.ts';
import { changeProfile, getAccount } from './profile.server.ts';
import { register } from './registration.server.ts';
import { rotateSession, signOut } from './sessions.server.ts';
import { signIn } from './sign-in.server.ts';

const SIGN_IN = 'Sign-in';
const PROFILE = 'Profile';

const signedInShape = named(
  'SignedIn',
  z.object({
    token: z.string().describe('Send it as "Authorization: Bearer …"'),
    user: accountShape,
  }),
);

/** Unlike the page, which ignores a damaged link, the API reports undocumented input as an error. */
const registration = registerSchema.safeExtend({
  plan: z.literal('trial').optional(),
  invite: z.string().max(64).optional().describe('The token of an invitation, where one is needed'),
  ref: z.string().max(64).optional().describe('Referral code; an unknown one is ignored'),
  timeZone: z.string().max(64).optional().describe('IANA zone; an unknown one is ignored'),
});

const EXAMPLE_TOKEN = 'mK3vQ9dV0yq1sX7pZcR2tB8nLw5eHj4uGaFo6iTkNxY';
const signedInExample = { token: EXAMPLE_TOKEN, user: EXAMPLE_USER };
const credentials = { email: 'ada@example.org', password: 'blue-kettle-47' };

export const login = operation({
  id: 'login',
  method: 'POST',
  path: '/api/auth/login',
  tag: SIGN_IN,
  summary: 'Sign in with address and password',
  description:
    'Returns a token that expires after a day without use, or after 30 days with `remember`. An account with ' +
    'two-step sign-in answers 401 `SECOND_FACTOR_REQUIRED`: send the same again with `code`, from the ' +
    'authenticator app or a recovery code.',
  access: 'public',
  body: signInSchema.extend({
    code: z.string().max(64).optional().describe('Code for two-step sign-in, if the account has it'),
  }),
  response: signedInShape,
  holdsSecret: true,
  errors: ['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'SUSPENDED', 'SWITCHED_OFF'],
  example: { body: credentials, data: signedInExample },
  async run(ctx, { body: { code, ...body } }) {
    const { token, user } = await signIn(ctx, { ...body, ...(code === undefined ? {} : { code }) });
    return { token, user };
  },
});

export const registerAccount = operation({
  id: 'register',
  method: 'POST',
  path: '/api/auth/register',
  tag: SIGN_IN,
  summary: 'Create an account and sign in',
  description: '`plan: "trial"` starts the 14-day trial; `ref` is the referral code of an existing user.',
  access: 'public',
  creates: '/api/auth/me',
  body: registration,
  response: signedInShape,
  holdsSecret: true,
  errors: ['REGISTRATION_FAILED', 'SWITCHED_OFF'],
  example: {
    body: {
      ...credentials,
      confirmPassword: credentials.password,
      agreeToTerms: true,
      ageVerification: true,
      plan: 'trial',
    },
    data: signedInExample,
  },
  async run(ctx, { body }) {
    const { token, user } = await register(ctx, body);
    return { token, user };
  },
});

export const me = operation({
  id: 'me',
  method: 'GET',
  path: '/api/auth/me',
  tag: SIGN_IN,
  summary: 'The signed-in account',
  description: 'With its current entitlement. The same as `GET /api/profile`.',
  access: 'user',
  response: z.object({ user: accountShape }),
  example: { data: { user: EXAMPLE_USER } },
  run: async (ctx) => ({ user: await getAccount(ctx) }),
});

export const refresh = operation({
  id: 'refresh',
  method: 'POST',
  path: '/api/auth/refresh',
  tag: SIGN_IN,
  summary: 'Replace the token with a new one',
  description: 'The old token stops working. For bearer tokens of a session; cookies renew themselves.',
  access: 'user',
  sessionOnly: true,
  response: signedInShape,
  holdsSecret: true,
  example: { body: {}, data: signedInExample },
  async run(ctx, { token }) {
    if (token === null) throw new AppError('INVALID_INPUT', 'There is no bearer token to renew.');
    const user = await getAccount(ctx);
    const started = await rotateSession(ctx, token);
    return { token: started.token, user };
  },
});

export const changePasswordOfAccount = operation({
  id: 'changePassword',
  method: 'POST',
  path: '/api/auth/change-password',
  tag: SIGN_IN,
  summary: 'Change the password',
  description:
    'Ends all other sessions of the account; this one continues. With two-step sign-in, a missing `code` answers 401 ' +
    '`SECOND_FACTOR_REQUIRED`: send the same again with it.',
  access: 'user',
  sessionOnly: true,
  body: changePasswordSchema,
  errors: ['CHANGED_MEANWHILE', 'SECOND_FACTOR_REQUIRED'],
  example: {
    body: {
      currentPassword: 'blue-kettle-47',
      newPassword: 'green-lantern-12',
      confirmPassword: 'green-lantern-12',
    },
  },
  async run(ctx, { body }) {
    await changePassword(ctx, body);
    return new Reply({}, { message: 'Password changed' });
  },
});

export const logout = operation({
  id: 'logout',
  method: 'POST',
  path: '/api/auth/logout',
  tag: SIGN_IN,
  summary: 'End this session',
  description: 'The token stops working. On the free plan, calculations saved in this session are deleted.',
  access: 'user',
  sessionOnly: true,
  example: { body: {} },
  async run(ctx, { token }) {
    await signOut(ctx);
    const headers: Record<string, string> =
      token === null ? { 'Set-Cookie': await endedSessionCookie() } : {};
    return new Reply({}, { message: 'Signed out', headers });
  },
});

export const authOperations = [login, registerAccount, me, refresh, changePasswordOfAccount, logout];

export const readDetails = operation({
  id: 'getProfile',
  method: 'GET',
  path: '/api/profile',
  tag: PROFILE,
  summary: 'Your account and profile',
  description: 'Change name, time zone and units with `PUT`; the rest changes through other calls.',
  access: 'user',
  response: z.object({ user: accountShape }),
  example: { data: { user: EXAMPLE_USER } },
  run: async (ctx) => ({ user: await getAccount(ctx) }),
});

export const changeDetails = operation({
  id: 'changeProfile',
  method: 'PUT',
  path: '/api/profile',
  tag: PROFILE,
  summary: 'Change name, time zone or units',
  description: 'Fields that are not sent stay the same. An empty name removes the name.',
  access: 'user',
  body: profileChangesSchema,
  response: z.object({ user: accountShape }),
  example: { body: { timeZone: 'Europe/Berlin' }, data: { user: EXAMPLE_USER } },
  async run(ctx, { body }) {
    return new Reply({ user: await changeProfile(ctx, body) }, { message: 'Profile saved' });
  },
});

/** Notification choices in an answer. */
const notificationChoicesShape = named(
  'NotificationChoices',
  z.object({
    inPage: z.boolean().describe('On the page, while it is open'),
    push: z.boolean(),
    email: z.boolean(),
    ntfy: z.boolean().describe('To the topic set at `/api/profile/ntfy`'),
    discreet: z
      .boolean()
      .describe('Push messages, emails and ntfy messages never name a compound or an amount'),
    repeatOverdue: z.boolean().describe('Keep sending reminders of an overdue dose'),
    missedAfterHours: z.int().describe('Hours after its due time at which an open dose counts as missed'),
    leadDefault: z.int().describe('Default minutes of notice for new schedules'),
    lowStock: z.boolean(),
    vialExpiry: z.boolean(),
    escalateAfterMinutes: z
      .int()
      .describe(
        'Minutes after which a push that no browser showed goes out by ntfy, else by mail; 0 for never',
      ),
    quietFrom: z.string().nullable(),
    quietTo: z.string().nullable(),
    urgentOverdue: z.boolean(),
    mutedUntil: instant.nullable().optional(),
  }),
);

/** Choices in the document's examples. */
const EXAMPLE_CHOICES = DEFAULT_NOTIFICATION_CHOICES;

export const getChoices = operation({
  id: 'getNotificationChoices',
  method: 'GET',
  path: '/api/profile/notifications',
  tag: PROFILE,
  summary: 'What you are notified of, and where',
  description: 'The same choices as on the profile page; the defaults until you change them.',
  access: 'user',
  response: z.object({ notifications: notificationChoicesShape }),
  example: { data: { notifications: EXAMPLE_CHOICES } },
  async run(ctx) {
    const { id } = authoriseUser(ctx.actor, 'notification-choices.read');
    return { notifications: await getNotificationChoices(ctx, id) };
  },
});

export const changeChoices = operation({
  id: 'changeNotificationChoices',
  method: 'PUT',
  path: '/api/profile/notifications',
  tag: PROFILE,
  summary: 'Choose what you are notified of, and where',
  description: 'Fields that are not sent stay the same.',
  access: 'user',
  body: notificationChangesSchema,
  response: z.object({ notifications: notificationChoicesShape }),
  example: { body: { discreet: true }, data: { notifications: { ...EXAMPLE_CHOICES, discreet: true } } },
  run: async (ctx, { body }) => ({ notifications: await updateNotificationChoices(ctx, body) }),
});

export const profileOperations = [readDetails, changeDetails, getChoices, changeChoices];

/** A personal token in an answer, without its secret. */
const apiTokenShape = named(
  'ApiToken',
  z.object({
    id: z.string(),
    name: z.string(),
    scope: z.enum(API_TOKEN_SCOPES),
    createdAt: instant,
    expiresAt: instant.nullable().describe('Null for a token that never expires'),
    lastUsedAt: instant.nullable(),
    isOver: z.boolean().describe('The token has expired and no longer works'),
  }),
);

/** A token in the document's examples. */
const EXAMPLE_API_TOKEN = {
  id: '6740f1a29c1b2d3e4f506172',
  name: 'Home server',
  scope: 'read',
  createdAt: '2026-11-22T08:00:00.000Z',
  expiresAt: '2027-02-20T08:00:00.000Z',
  lastUsedAt: null,
  isOver: false,
};

export const listTokens = operation({
  id: 'listApiTokens',
  method: 'GET',
  path: '/api/profile/tokens',
  tag: PROFILE,
  summary: 'Your personal tokens, without their secrets',
  description: 'Newest first. Expired tokens are listed for another 30 days.',
  access: 'user',
  sessionOnly: true,
  isList: true,
  query: z.object({ ...pageQuery(), ...cursorQuery }),
  response: z.object({ tokens: z.array(apiTokenShape), ...cursorPageShape }),
  example: { data: { tokens: [EXAMPLE_API_TOKEN], page: 1, limit: 20, total: 1, next: null } },
  async run(ctx, { query }) {
    const { items, paging } = await pageOfAll(query, await listApiTokens(ctx), {
      name: 'tokens',
      kinds: ['instant', 'text'],
      placeOf: ({ createdAt, id }) => [createdAt, id],
      order: -1,
    });
    return { tokens: items, ...paging };
  },
});

export const createToken = operation({
  id: 'createApiToken',
  method: 'POST',
  path: '/api/profile/tokens',
  tag: PROFILE,
  summary: 'Create a personal token',
  description:
    'Returns the token itself, only this once. You must have signed in within the last 15 minutes; an account can have at most 20 tokens.',
  access: 'user',
  sessionOnly: true,
  creates: '/api/profile/tokens',
  body: createApiTokenSchema,
  response: z.object({
    token: z.string().describe('Send it as "Authorization: Bearer …"'),
    apiToken: apiTokenShape,
  }),
  holdsSecret: true,
  errors: ['LIMIT_REACHED', 'RECENT_SIGN_IN_REQUIRED'],
  example: {
    body: { name: 'Home server', scope: 'read', life: '90' },
    data: { token: 'vialbook_mK3vQ9dV0yq1sX7pZcR2tB8nLw5eHj4uGaFo6iTkNxY', apiToken: EXAMPLE_API_TOKEN },
  },
  async run(ctx, { body }) {
    const { secret, token } = await createApiToken(ctx, body);
    return { token: secret, apiToken: token };
  },
});

export const revokeToken = operation({
  id: 'revokeApiToken',
  method: 'DELETE',
  path: '/api/profile/tokens/{id}',
  tag: PROFILE,
  summary: 'Revoke a personal token',
  description: 'Programs that use it lose access immediately.',
  access: 'user',
  sessionOnly: true,
  params: idParams,
  current: {
    shape: z.object({ apiToken: apiTokenShape }),
    read: async (ctx, { params }) => ({ apiToken: await getApiToken(ctx, params.id) }),
  },
  errors: ['NOT_FOUND'],
  example: {},
  async run(ctx, { params }) {
    await revokeApiToken(ctx, params.id);
    return new Reply({}, { message: 'Token revoked' });
  },
});

export const apiTokenOperations = [listTokens, createToken, revokeToken];
