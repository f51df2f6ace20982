import { conflict } from '#app/domain/errors.ts';
import { IMAGE_MESSAGES, IMAGE_QUOTA } from '#app/domain/forms/image-schema.ts';
import { PAPER_MESSAGES, PAPER_QUOTA } from '#app/domain/vendors/paper-schema.ts';
import type { FileStore, FileUsage, StorageUsageRepository } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** One kind of stored file, and its quota per account. */
export interface FileStorage {
  files: Pick<FileStore, 'usage' | 'deleteOf' | 'delete'>;
  usage: StorageUsageRepository;
  quota: FileUsage;
  /** The message when the quota is used up. */
  fullMessage: string;
}

/** Pictures of side effects. */
export const pictureStorage = ({ repos: { pictures, pictureQuota } }: Ctx): FileStorage => ({
  files: pictures,
  usage: pictureQuota,
  quota: IMAGE_QUOTA,
  fullMessage: IMAGE_MESSAGES.quota,
});

/** Documents of orders and lots. */
export const paperStorage = ({ repos: { paperFiles, paperQuota } }: Ctx): FileStorage => ({
  files: paperFiles,
  usage: paperQuota,
  quota: PAPER_QUOTA,
  fullMessage: PAPER_MESSAGES.quota,
});

/**
 * Reserves space for a file in its owner's quota. Recounts once, in case a crash left the recorded usage too high.
 * @throws AppError CONFLICT when the quota is used up
 */
export async function reserveStorage(
  { files, usage, quota, fullMessage }: FileStorage,
  ownerId: string,
  bytes: number,
): Promise<void> {
  if (await usage.reserve(ownerId, bytes, quota)) return;
  const recorded = await usage.get(ownerId);
  const real = await files.usage(ownerId);
  if (real.count < recorded.count || real.bytes < recorded.bytes) {
    await usage.correct(ownerId, recorded, real);
    if (await usage.reserve(ownerId, bytes, quota)) return;
  }
  throw conflict('LIMIT_REACHED', fullMessage);
}

/** Deletes one file and releases its space. */
export async function releaseFile({ files, usage }: FileStorage, ownerId: string, id: string): Promise<void> {
  const bytes = await files.delete(ownerId, id);
  await usage.release(ownerId, { count: 1, bytes });
}

/** Deletes all files that belong to something and releases their space. */
export async function releaseFilesOf(
  { files, usage }: FileStorage,
  ownerId: string,
  of: string,
): Promise<void> {
  const freed = await files.deleteOf(ownerId, of);
  if (freed.count > 0) await usage.release(ownerId, freed);
}
