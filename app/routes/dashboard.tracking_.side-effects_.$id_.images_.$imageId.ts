import { forUsersFile } from '#app/platform/http/route-handlers.server.ts';
import { pictureResponse } from '#app/features/tracking/side-effects/side-effect-pages.server.ts';
import { readSideEffectImage } from '#app/features/tracking/index.server.ts';

/** A picture; only its signed-in owner can open it. */
export const loader = forUsersFile(async ({ ctx, params }) =>
  pictureResponse(await readSideEffectImage(ctx, params.id ?? '', params.imageId ?? '')),
);
