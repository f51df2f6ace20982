import { AppError } from '#app/domain/errors.ts';
import { isPremiumArea } from '#app/domain/billing/plans.ts';
import { forUsers, type UserPageArgs } from '#app/platform/http/route-handlers.server.ts';

/** A premium area says so to a free user; whatever has no page is not found. */
function refuse({ params, user }: UserPageArgs): null {
  if (isPremiumArea(params.area ?? '') && !user.entitlement.isPremium) {
    throw new AppError('PREMIUM_REQUIRED', 'Premium users only');
  }
  throw new AppError('NOT_FOUND', 'There is no such page.');
}

export const loader = forUsers(refuse);

export const action = forUsers(refuse);

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function NoPage() {
  return null;
}
