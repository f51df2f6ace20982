import { AppError } from '#app/domain/errors.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** The vial and the dose that an entry names. */
export interface TrackedLinks {
  compoundId?: string | null | undefined;
  doseId?: string | null | undefined;
}

const refused = (field: string, message: string) =>
  new AppError('INVALID_INPUT', message, { fields: { [field]: [message] } });

/**
 * Makes sure that what an entry names is its owner's; what is missing and what is somebody else's is answered alike.
 * @returns the vial's name, when a vial is named
 * @throws AppError INVALID_INPUT at the field
 */
export async function checkLinks(
  ctx: Ctx,
  ownerId: string,
  { compoundId, doseId }: TrackedLinks,
  messages: { compoundId: string; doseId: string },
): Promise<string | null> {
  const [vial, dose] = await Promise.all([
    compoundId ? ctx.repos.compounds.find(ownerId, compoundId) : null,
    doseId ? ctx.repos.doses.findOne(ownerId, doseId) : null,
  ]);
  if (compoundId && vial === null) throw refused('compoundId', messages.compoundId);
  if (doseId && dose === null) throw refused('doseId', messages.doseId);
  return vial?.name ?? null;
}
