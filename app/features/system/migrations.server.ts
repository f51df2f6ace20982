import type { MigrationStatus } from '#models/index.server.ts';
import { authorise } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/**
 * How the migrations of this version stand. They are run whenever the program opens a database.
 * @throws AppError UNAUTHENTICATED, FORBIDDEN
 */
export async function migrationStatus(ctx: Ctx): Promise<MigrationStatus[]> {
  authorise(ctx.actor, 'admin.worker');
  return ctx.repos.migrations.list();
}
