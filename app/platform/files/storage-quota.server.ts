import { AppError } from '#app/domain/errors.ts';
import { IMAGE_MESSAGES, IMAGE_QUOTA } from '#app/domain/forms/image-schema.ts';
import { PAPER_MESSAGES, PAPER_QUOTA } from '#app/domain/vendors/paper-schema.ts';
import type { FileRoom, FileStore, Room } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** A kind of files that people keep, and how much of it. */
export interface Shelf {
  files: Pick<FileStore, 'usage' | 'removeOf' | 'remove'>;
  room: FileRoom;
  quota: Room;
  /** What is said when there is no room. */
  fullMessage: string;
}

/** Pictures of side effects. */
export const pictureShelf = ({ repos: { pictures, pictureQuota } }: Ctx): Shelf => ({
  files: pictures,
  room: pictureQuota,
  quota: IMAGE_QUOTA,
  fullMessage: IMAGE_MESSAGES.quota,
});

/** Papers of orders. */
export const paperShelf = ({ repos: { paperFiles, paperQuota } }: Ctx): Shelf => ({
  files: paperFiles,
  room: paperQuota,
  quota: PAPER_QUOTA,
  fullMessage: PAPER_MESSAGES.quota,
});

/**
 * Takes room for a file out of its owner's quota. A book that a crash left too full is put right by counting, once.
 * @throws AppError CONFLICT when there is none
 */
export async function takeRoom(
  { files, room, quota, fullMessage }: Shelf,
  ownerId: string,
  bytes: number,
): Promise<void> {
  if (await room.take(ownerId, bytes, quota)) return;
  const before = await room.find(ownerId);
  const real = await files.usage(ownerId);
  if (real.count < before.count || real.bytes < before.bytes) {
    await room.correct(ownerId, before, real);
    if (await room.take(ownerId, bytes, quota)) return;
  }
  throw new AppError('CONFLICT', fullMessage);
}

/** Removes one file and gives its room back. */
export async function releaseFile({ files, room }: Shelf, ownerId: string, id: string): Promise<void> {
  const bytes = await files.remove(ownerId, id);
  await room.give(ownerId, { count: 1, bytes });
}

/** Removes all files of something and gives their room back. */
export async function releaseFilesOf({ files, room }: Shelf, ownerId: string, of: string): Promise<void> {
  const freed = await files.removeOf(ownerId, of);
  if (freed.count > 0) await room.give(ownerId, freed);
}
