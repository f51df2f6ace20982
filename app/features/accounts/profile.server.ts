import type * as z from 'zod';
import {
  type Profile,
  profileChangesSchema,
  type ProfileChangesInput,
} from '#app/domain/accounts/profile.ts';
import { findSyringe, OWN_PREFIX, syringeIdOf, type OwnSyringe } from '#app/domain/calculator/calculation.ts';
import {
  OWN_SYRINGE_MESSAGES,
  ownSyringeSchema,
  syringesProblem,
  usualSyringe,
  type OwnSyringeInput,
} from '#app/domain/calculator/own-syringe.ts';
import { AppError, fieldError } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import { accountView, findOwner, type AccountView, type Owner } from '#app/platform/access/owner.server.ts';
import { authorise, authoriseUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { repos } from './repositories.server.ts';

/**
 * An account with its profile.
 * @param email the owner, when called from the terminal
 * @throws AppError UNAUTHENTICATED, NOT_FOUND
 */
export async function getAccount(ctx: Ctx, email?: string): Promise<AccountView> {
  const owner = await findOwner(ctx, email);
  authorise(ctx.actor, 'profile.read', { ownerId: owner.id });
  return accountView(owner, ctx);
}

type SentProfile = z.output<typeof profileChangesSchema>;

/** @throws AppError NOT_FOUND */
export async function getSyringe(ctx: Ctx, id: string): Promise<OwnSyringe> {
  const { syringes } = await getAccount(ctx);
  return syringeIn(syringes, id);
}

function syringeIn(syringes: readonly OwnSyringe[], id: string): OwnSyringe {
  const found = syringes.find((own) => own.id === id);
  if (found === undefined) throw new AppError('NOT_FOUND', OWN_SYRINGE_MESSAGES.unknown);
  return found;
}

/** The list of an owner's syringes as they sent it, where those without an id are new. */
function syringesOf(owner: Owner, sent: SentProfile['syringes'] & {}, now: Date): OwnSyringe[] {
  const unknown = sent.find(({ id }) => id !== undefined && owner.syringes.every((own) => own.id !== id));
  const problem = unknown === undefined ? syringesProblem(sent) : OWN_SYRINGE_MESSAGES.unknown;
  if (problem !== null) throw fieldError('syringes', problem);
  return sent.map(({ id, ...measures }) => ({ id: id ?? `${OWN_PREFIX}${newId(now)}`, ...measures }));
}

/** What an owner's syringes become: one that is gone can't be the one they draw with. */
function syringeChanges(
  ctx: Ctx,
  owner: Owner,
  { syringe, syringes: sent }: Pick<SentProfile, 'syringe' | 'syringes'>,
): Partial<Profile> {
  const syringes = sent === undefined ? owner.syringes : syringesOf(owner, sent, ctx.now());
  if (syringe !== undefined && findSyringe(syringe, syringes) === undefined)
    throw fieldError('syringe', OWN_SYRINGE_MESSAGES.unknown);
  const usual = usualSyringe({ syringe: syringe ?? owner.syringe, syringes });
  return { syringe: syringeIdOf(usual), syringes };
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
  const { name, syringe, syringes, ...rest } = parseInput(profileChangesSchema, input);
  const sentFields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const changes: Partial<Profile> = { ...sentFields, ...(name === undefined ? {} : { name: name || null }) };
  await ctx.transaction(async () => {
    if (syringe !== undefined || syringes !== undefined)
      Object.assign(changes, syringeChanges(ctx, await findOwner(ctx, email), { syringe, syringes }));
    if (Object.keys(changes).length > 0) await repos(ctx).users.setProfile(id, changes);
  });
  return getAccount(ctx, email);
}

/**
 * Adds a syringe to the signed-in user's own, or changes one of them. What was calculated or drawn with it before stays as it was.
 * @param id null for a new one
 * @throws AppError UNAUTHENTICATED, INVALID_INPUT, NOT_FOUND
 */
export async function saveSyringe(ctx: Ctx, id: string | null, input: OwnSyringeInput): Promise<void> {
  authoriseUser(ctx.actor, 'profile.change');
  const measures = parseInput(ownSyringeSchema, input);
  await ctx.transaction(async () => {
    const owner = await findOwner(ctx);
    if (id !== null) syringeIn(owner.syringes, id);
    const changed = { id: id ?? `${OWN_PREFIX}${newId(ctx.now())}`, ...measures };
    const syringes =
      id === null
        ? [...owner.syringes, changed]
        : owner.syringes.map((own) => (own.id === id ? changed : own));
    const problem = syringesProblem(syringes);
    if (problem !== null) throw fieldError('name', problem);
    await repos(ctx).users.setProfile(owner.id, { syringes });
  });
}

/**
 * Removes one of the signed-in user's own syringes.
 * @returns whether it was the one they draw with, which is now the default one
 * @throws AppError UNAUTHENTICATED, NOT_FOUND
 */
export async function removeSyringe(ctx: Ctx, id: string): Promise<{ wasUsual: boolean }> {
  authoriseUser(ctx.actor, 'profile.change');
  return ctx.transaction(async () => {
    const owner = await findOwner(ctx);
    syringeIn(owner.syringes, id);
    const syringes = owner.syringes.filter((own) => own.id !== id);
    await repos(ctx).users.setProfile(owner.id, {
      syringes,
      syringe: syringeIdOf(usualSyringe({ ...owner, syringes })),
    });
    return { wasUsual: owner.syringe === id };
  });
}
