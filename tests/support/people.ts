import type { RegisterInput } from '#app/domain/accounts/account-schema.ts';
import { register, type SignedIn } from '#app/features/accounts/accounts.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { resolveSession } from '#app/features/accounts/sessions.server.ts';
import type { TestDatabase } from './database.ts';

export const PASSWORD = 'blue-kettle-47';

/** A valid registration form. */
export function registration(email: string, more: Partial<RegisterInput> = {}): RegisterInput {
  return {
    email,
    password: PASSWORD,
    confirmPassword: PASSWORD,
    agreeToTerms: true,
    ageVerification: true,
    ...more,
  };
}

/** Somebody with a session. */
export interface Person {
  email: string;
  signedIn: SignedIn;
  ctx: Ctx;
}

/** The context of whoever holds a token. */
export async function ctxOfToken(database: TestDatabase, token: string): Promise<Ctx> {
  const resolved = await resolveSession(database.ctx(), token);
  if (resolved === null) throw new Error('the token opens nothing');
  return database.ctx(resolved.actor);
}

/** Registers somebody and signs them in. */
export async function newPerson(
  database: TestDatabase,
  email: string,
  more: Partial<RegisterInput> = {},
): Promise<Person> {
  const signedIn = await register(database.ctx(), registration(email, more));
  return { email, signedIn, ctx: await ctxOfToken(database, signedIn.token) };
}
