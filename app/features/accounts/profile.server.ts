import type { Profile } from '#app/domain/accounts/profile.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import {
  profileChangesSchema,
  profileSchema,
  type ProfileChangesInput,
  type ProfileInput,
} from '#app/domain/accounts/profile-schema.ts';
import { AppError } from '#app/domain/errors.ts';
import { accountView, type AccountView } from '#app/platform/access/owner.server.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** The signed-in user's account. */
export async function getAccount(ctx: Ctx): Promise<AccountView> {
  const { id } = authoriseUser(ctx.actor, 'account.read');
  const user = await ctx.repos.users.find(id);
  if (user === null) throw new AppError('NOT_FOUND', 'There is no such account.');
  return accountView(user, ctx.now());
}

/**
 * Sets the whole profile of the signed-in user. A missing or empty name removes the name.
 * @throws AppError INVALID_INPUT
 */
export async function updateProfile(ctx: Ctx, input: ProfileInput): Promise<AccountView> {
  const { id } = authoriseUser(ctx.actor, 'account.change');
  const { name, timeZone, doseUnit, units, syringe, deadSpaceMl } = parseInput(profileSchema, input);
  const profile: Partial<Profile> = {
    name: name || null,
    timeZone,
    doseUnit,
    units,
    ...(syringe && { syringe }),
    ...(deadSpaceMl && { deadSpaceMl }),
  };
  await ctx.repos.users.setProfile(id, profile);
  return getAccount(ctx);
}

/**
 * Changes parts of the signed-in user's profile; the rest stays. An empty name removes the name.
 * @throws AppError INVALID_INPUT
 */
export async function changeProfile(ctx: Ctx, input: ProfileChangesInput): Promise<AccountView> {
  const { id } = authoriseUser(ctx.actor, 'account.change');
  const { name, ...rest } = parseInput(profileChangesSchema, input);
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const changes: Partial<Profile> = { ...given, ...(name === undefined ? {} : { name: name || null }) };
  if (Object.keys(changes).length > 0) await ctx.repos.users.setProfile(id, changes);
  return getAccount(ctx);
}
