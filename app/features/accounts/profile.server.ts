import {
  type Profile,
  profileChangesSchema,
  profileSchema,
  type ProfileChangesInput,
  type ProfileInput,
} from '#app/domain/accounts/profile.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { accountView, findOwner, type AccountView } from '#app/platform/access/owner.server.ts';
import { authorise, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { repos } from './repositories.server.ts';

/**
 * An account with its profile.
 * @param email the owner, when called from the terminal
 * @throws AppError UNAUTHENTICATED, NOT_FOUND
 */
export async function getAccount(ctx: Ctx, email?: string): Promise<AccountView> {
  const owner = await findOwner(ctx, email);
  authorise(ctx.actor, 'profile.read', { ownerId: owner.id });
  return accountView(owner, ctx.now());
}

/**
 * Sets the whole profile of the signed-in user. A missing or empty name removes it.
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
  await repos(ctx).users.setProfile(id, profile);
  return getAccount(ctx);
}

/**
 * Changes parts of an owner's profile; the rest stays. An empty name removes it.
 * @param email the owner, when called from the terminal
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, NOT_FOUND
 */
export async function changeProfile(
  ctx: Ctx,
  input: ProfileChangesInput,
  email?: string,
): Promise<AccountView> {
  const { id } = await findOwner(ctx, email);
  authorise(ctx.actor, 'profile.change', { ownerId: id });
  const { name, ...rest } = parseInput(profileChangesSchema, input);
  const sentFields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const changes: Partial<Profile> = { ...sentFields, ...(name === undefined ? {} : { name: name || null }) };
  if (Object.keys(changes).length > 0) await repos(ctx).users.setProfile(id, changes);
  return getAccount(ctx, email);
}
