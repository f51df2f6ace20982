import * as z from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { registerSchema, signInSchema } from '#app/domain/accounts/account-schema.ts';
import { changePasswordSchema } from '#app/domain/accounts/profile-schema.ts';
import { getAccount, register } from './accounts.server.ts';
import { changePassword } from './password-change.server.ts';
import { rotateSession, signOut } from './sessions.server.ts';
import { signIn } from './sign-in.server.ts';
import { endedSessionCookie } from '#app/platform/http/session.server.ts';
import { operation, Reply } from '#app/platform/api/operation.ts';
import { named } from '#app/platform/api/shapes.ts';
import { accountShape, EXAMPLE_USER } from '#app/platform/api/account-shape.ts';

const tag = 'Sign-in';

const signedInShape = named(
  'SignedIn',
  z.object({
    token: z.string().describe('Send it as "Authorization: Bearer …"'),
    user: accountShape,
  }),
);

/** A page leaves out what a link spoils; a program that sends something else than the document says is told so. */
const registration = registerSchema.safeExtend({
  plan: z.literal('trial').optional(),
  ref: z.string().max(64).optional().describe('Code of who recommended us; an unknown one is left out'),
  timeZone: z.string().max(64).optional().describe('IANA zone; an unknown one is left out'),
});

const EXAMPLE_TOKEN = 'mK3vQ9dV0yq1sX7pZcR2tB8nLw5eHj4uGaFo6iTkNxY';
const signedInExample = { token: EXAMPLE_TOKEN, user: EXAMPLE_USER };
const credentials = { email: 'ada@example.org', password: 'blue-kettle-47' };

export const login = operation({
  id: 'login',
  method: 'POST',
  path: '/api/auth/login',
  tag,
  summary: 'Sign in with address and password',
  description:
    'Gives a token that works until it is not used for a day, or for 30 days with `remember`. An account with ' +
    'two-step sign-in answers 401 `SECOND_FACTOR_REQUIRED`: send the same again with `code`, from the ' +
    'authenticator app or a recovery code.',
  access: 'public',
  body: signInSchema.extend({
    code: z.string().max(64).optional().describe('Code of the second step, where the account has one'),
  }),
  response: signedInShape,
  holdsSecret: true,
  errors: ['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'SUSPENDED'],
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
  tag,
  summary: 'Make an account and sign in',
  description: '`plan: "trial"` starts the 14-day trial; `ref` is the code of who recommended us.',
  access: 'public',
  creates: true,
  body: registration,
  response: signedInShape,
  holdsSecret: true,
  errors: ['REGISTRATION_FAILED'],
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
  tag,
  summary: 'The signed-in account',
  access: 'user',
  response: z.object({ user: accountShape }),
  example: { data: { user: EXAMPLE_USER } },
  run: async (ctx) => ({ user: await getAccount(ctx) }),
});

export const refresh = operation({
  id: 'refresh',
  method: 'POST',
  path: '/api/auth/refresh',
  tag,
  summary: 'Change the token for a new one',
  description: 'The old token is dead from then on. For bearer tokens of a sign-in; a cookie renews itself.',
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
  tag,
  summary: 'Change the password',
  description: 'Ends all other sign-ins of the account; this one goes on.',
  access: 'user',
  sessionOnly: true,
  body: changePasswordSchema,
  errors: ['CONFLICT'],
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
  tag,
  summary: 'End this sign-in',
  description: 'The token is dead. Calculations of a free account, which live in the sign-in, go with it.',
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
