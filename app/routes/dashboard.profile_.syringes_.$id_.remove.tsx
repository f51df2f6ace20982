import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { RemoveSyringe } from '#app/features/accounts/index.ts';
import { getAccount, getSyringe, removeSyringe } from '#app/features/accounts/index.server.ts';
import { OWN_SYRINGE_MESSAGES } from '#app/domain/calculator/own-syringe.ts';
import { done } from '#app/platform/http/forms.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction = () => [{ title: 'Remove a syringe – Vialbook' }];

export const loader = forUsers(async ({ ctx, params }) => {
  const own = await getSyringe(ctx, params.id ?? '');
  return { own, isUsual: (await getAccount(ctx)).syringe === own.id };
});

export const action = forUsers(async ({ ctx, params }) => {
  const { wasUsual } = await removeSyringe(ctx, params.id ?? '');
  const { removed, removedUsual } = OWN_SYRINGE_MESSAGES;
  throw await done('/dashboard/profile/units', wasUsual ? removedUsual : removed);
});

export { clientAction } from '#app/ui/connection/client-action.ts';

export default function RemoveOwnSyringe() {
  return <RemoveSyringe {...useLoaderData<typeof loader>()} />;
}
