import { AppError, conflict } from '#app/domain/errors.ts';
import { IMAGE_MESSAGES, MAX_IMAGES_EACH } from '#app/domain/forms/image-schema.ts';
import type { SideEffectImage } from '#app/domain/tracking/side-effect-schema.ts';
import { cleanPicture } from '#app/integrations/pictures.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { pictureStorage, releaseFile, reserveStorage } from '#app/platform/files/storage-quota.server.ts';
import { getSideEffect } from './side-effects.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { heavyWork } from '#app/platform/heavy-work.server.ts';

/** A picture as it is sent to its owner. */
export interface StoredPicture {
  bytes: Buffer;
  contentType: string;
}

const noPicture = () => new AppError('NOT_FOUND', IMAGE_MESSAGES.notFound);
const tooMany = () => conflict('LIMIT_REACHED', IMAGE_MESSAGES.each);

/**
 * Adds a picture to one of the signed-in user's side effects: re-encoded, without metadata.
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_INPUT, CONFLICT when
 * there is no room for more, RATE_LIMITED
 */
export async function addSideEffectImage(
  ctx: Ctx,
  sideEffectId: string,
  sent: Uint8Array,
): Promise<SideEffectImage> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const effect = await getSideEffect(ctx, sideEffectId);
  if (effect.images.length >= MAX_IMAGES_EACH) throw tooMany();
  await ctx.throttle.take({ rule: THROTTLE_RULES.pictures, who: user.id });
  const { bytes, ...about } = await heavyWork('picture', user.id, () => cleanPicture(sent));
  const id = idFromKey('img', ctx.now(), user.id);
  const image = { id, ...about, bytes: bytes.length, addedAt: ctx.now() };
  const storage = pictureStorage(ctx);
  await reserveStorage(storage, user.id, bytes.length);
  const { contentType } = about;
  await ctx.repos.pictures.create(user.id, { id, of: sideEffectId, contentType, bytes, at: ctx.now() });
  if (await ctx.repos.sideEffects.addImage(user.id, sideEffectId, image, MAX_IMAGES_EACH)) return image;
  // It was deleted meanwhile, or reached its limit.
  await releaseFile(storage, user.id, id);
  throw tooMany();
}

/** A picture of the signed-in user's. @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function readSideEffectImage(
  ctx: Ctx,
  sideEffectId: string,
  imageId: string,
): Promise<StoredPicture> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const picture = await ctx.repos.pictures.read(user.id, sideEffectId, imageId);
  if (picture === null) throw noPicture();
  return picture;
}

/** @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function deleteSideEffectImage(ctx: Ctx, sideEffectId: string, imageId: string): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  if (!(await ctx.repos.sideEffects.deleteImage(user.id, sideEffectId, imageId))) throw noPicture();
  await releaseFile(pictureStorage(ctx), user.id, imageId);
}
