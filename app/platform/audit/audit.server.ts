import { actorName } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { afterCommit } from '#models/index.server.ts';
import { newId } from '#app/platform/ids.server.ts';
import { repos } from './repositories.server.ts';

/** A change to an account, for the audit trail. */
export interface AuditedChange {
  /** `user.suspend`, `admin.create` … */
  action: string;
  subjectId: string;
  /** The changed fields, with old and new values. Never a secret. */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason?: string | null | undefined;
}

/** Writes an audit entry: who, what, whom, before, after, when, from where. People are named by id. */
export async function recordAudit(ctx: Ctx, change: AuditedChange): Promise<void> {
  const { actor } = ctx;
  const at = ctx.now();
  await repos(ctx).audit.append({
    id: newId(at),
    at,
    actor: actor.kind === 'visitor' ? 'visitor' : actorName(actor),
    action: change.action,
    subjectId: change.subjectId,
    before: change.before,
    after: change.after,
    reason: change.reason || null,
    from: ctx.client.address,
  });
  void afterCommit(() =>
    ctx.log.info({ action: change.action, subjectId: change.subjectId }, 'audited change'),
  );
}
