import { forUsersFile } from '#app/http/page.server.ts';
import { pictureResponse } from '#app/http/picture-response.ts';
import { readSideEffectImage } from '#app/services/side-effect-images.server.ts';

/** A picture, for the session of its owner alone. */
export const loader = forUsersFile(async ({ ctx, params }) =>
  pictureResponse(await readSideEffectImage(ctx, params.id ?? '', params.imageId ?? '')),
);
