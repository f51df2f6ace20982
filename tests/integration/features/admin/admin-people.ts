import type { Role } from '#app/domain/accounts/account.ts';
import { createAdmin } from '#app/features/admin/users/admin-accounts.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { signIn } from '#app/features/accounts/sign-in.server.ts';
import { TERMINAL, type TestDatabase } from '#tests/support/database.ts';
import { ctxOfToken, PASSWORD } from '#tests/support/people.ts';

/** The context of an account that has just signed in. */
export async function signedInAs(db: TestDatabase, email: string): Promise<Ctx> {
  return ctxOfToken(db, (await signIn(db.ctx(), { email, password: PASSWORD })).token);
}

/** A new administrator, signed in. */
export async function newAdmin(
  db: TestDatabase,
  email: string,
  role: Exclude<Role, 'user'> = 'admin',
): Promise<Ctx> {
  await createAdmin(db.ctx(TERMINAL), { email, password: PASSWORD, role });
  return signedInAs(db, email);
}
