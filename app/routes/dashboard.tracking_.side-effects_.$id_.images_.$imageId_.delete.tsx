import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Confirmation } from '#app/ui/confirmation.tsx';
import { done } from '#app/platform/http/forms.server.ts';
import { forPremiumUsers } from '#app/platform/http/route-handlers.server.ts';
import { deleteSideEffectImage, readSideEffectImage } from '#app/features/tracking/index.server.ts';

const pageOf = (id = '') => `/dashboard/tracking/side-effects/${id}`;

export const meta: MetaFunction = () => [{ title: 'Delete picture – Vialbook' }];

export const loader = forPremiumUsers(async ({ ctx, params, url }) => {
  await readSideEffectImage(ctx, params.id ?? '', params.imageId ?? '');
  return {
    path: url.pathname,
    back: pageOf(params.id),
    picture: `${pageOf(params.id)}/images/${params.imageId}`,
  };
});

export const action = forPremiumUsers(async ({ ctx, params }) => {
  await deleteSideEffectImage(ctx, params.id ?? '', params.imageId ?? '');
  throw await done(pageOf(params.id), 'Picture deleted');
});

export { clientAction } from '#app/ui/connection/client-action.ts';

/** Asks before deleting a picture. */
export default function DeletePicture() {
  const { path, back, picture } = useLoaderData<typeof loader>();
  return (
    <Confirmation title="Delete this picture?" action={path} yes="Delete" noHref={back}>
      <img src={picture} alt="Preview" className="max-h-64 max-w-full" />
      <p className="mt-3">Deleting cannot be undone.</p>
    </Confirmation>
  );
}
