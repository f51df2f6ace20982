import { fileQuota, type FileLimit } from '#app/domain/billing/quotas.ts';
import { conflict, isAppError, isTransient } from '#app/domain/errors.ts';
import { IMAGE_MESSAGES, IMAGE_QUOTA } from '#app/domain/forms/image-schema.ts';
import { DOCUMENT_MESSAGES, DOCUMENT_QUOTA } from '#app/domain/vendors/document-schema.ts';
import type { FileStore, FileUsage, NewFile, StorageUsageRepository } from '#models/index.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { quotaPlan } from '#app/platform/access/row-quota.server.ts';
import { repos } from './repositories.server.ts';

/** One kind of stored file, and its quota per account. */
export interface FileStorage {
  files: Pick<FileStore, 'create' | 'usage' | 'deleteOf' | 'delete'>;
  usage: StorageUsageRepository;
  limit: FileLimit;
}

// Only Premium has files.
const limitOf = (ctx: Ctx, quota: FileUsage, fullMessage: string, files: string): FileLimit =>
  fileQuota(quotaPlan(ctx, true), { ...quota, fullMessage }, files);

/** Pictures of side effects. */
export const pictureStorage = (ctx: Ctx): FileStorage => ({
  files: repos(ctx).pictures,
  usage: repos(ctx).pictureQuota,
  limit: limitOf(ctx, IMAGE_QUOTA, IMAGE_MESSAGES.quota, 'pictures'),
});

/** Documents of orders and lots. */
export const documentStorage = (ctx: Ctx): FileStorage => ({
  files: repos(ctx).documentFiles,
  usage: repos(ctx).documentQuota,
  limit: limitOf(ctx, DOCUMENT_QUOTA, DOCUMENT_MESSAGES.quota, 'documents'),
});

/**
 * Reserves space for a file in its owner's quota. Recounts once, in case a crash left the recorded usage too high.
 * @throws AppError CONFLICT when the quota is used up
 */
async function reserveStorage(
  { files, usage, limit }: FileStorage,
  ownerId: string,
  bytes: number,
): Promise<void> {
  if (await usage.reserve(ownerId, bytes, limit)) return;
  const recorded = await usage.get(ownerId);
  const real = await files.usage(ownerId);
  if (real.count < recorded.count || real.bytes < recorded.bytes) {
    await usage.correct(ownerId, recorded, real);
    if (await usage.reserve(ownerId, bytes, limit)) return;
  }
  throw conflict('LIMIT_REACHED', limit.fullMessage);
}

/**
 * Stores a file together with what refers to it, once there is room. An interruption leaves only the reservation, which the
 * next recount corrects.
 * @param refer writes what refers to the file, or throws
 * @throws AppError CONFLICT when the quota is used up, and what `refer` throws
 */
export async function storeFile(
  ctx: Pick<Ctx, 'transaction'>,
  storage: FileStorage,
  ownerId: string,
  file: NewFile,
  refer: () => Promise<void>,
): Promise<void> {
  const bytes = file.bytes.length;
  await reserveStorage(storage, ownerId, bytes);
  try {
    await ctx.transaction(async () => {
      await storage.files.create(ownerId, file);
      await refer();
    });
  } catch (error) {
    if (isAppError(error) && !isTransient(error)) await storage.usage.release(ownerId, { count: 1, bytes });
    throw error;
  }
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
