import type { Profile } from '#app/domain/accounts/index.ts';
import { parseInput } from '#app/domain/schemas/parse-input.ts';
import { profileSchema, type ProfileInput } from '#app/domain/schemas/profile.ts';
import { getAccount, type AccountView } from './accounts.server.ts';
import { authoriseUser } from './authorise.server.ts';
import type { Ctx } from './context.server.ts';

/**
 * Sets what the signed-in user tells about themselves. A missing or empty name takes the name out.
 * @throws AppError INVALID_INPUT
 */
export async function updateProfile(ctx: Ctx, input: ProfileInput): Promise<AccountView> {
  const { id } = authoriseUser(ctx.actor, 'account.change');
  const { name, timeZone, doseUnit, units } = parseInput(profileSchema, input);
  const profile: Profile = { name: name || null, timeZone, doseUnit, units };
  await ctx.repos.users.setProfile(id, profile);
  return getAccount(ctx);
}
