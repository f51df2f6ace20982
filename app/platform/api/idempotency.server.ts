import { createHash } from 'node:crypto';
import { AppError } from '#app/domain/errors.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { runOnce } from '#app/platform/idempotency/idempotency.server.ts';
import type { Envelope } from './answer.server.ts';
import { FileReply, type Operation } from './operation.ts';

const KEY = /^[\x21-\x7e]{1,200}$/;

function keyOf(request: Request): string | null {
  const key = request.headers.get('Idempotency-Key');
  if (key === null || KEY.test(key)) return key;
  const message = 'An Idempotency-Key has 1 to 200 visible ASCII characters';
  throw new AppError('INVALID_INPUT', message, { fields: { 'Idempotency-Key': [message] } });
}

/** What two requests must have in common to be the same one. */
async function fingerprint(request: Request, checked: { body: unknown; file: File | null }): Promise<string> {
  const { pathname, search } = new URL(request.url);
  const hash = createHash('sha256').update(JSON.stringify([request.method, pathname, search, checked.body]));
  if (checked.file) hash.update(new Uint8Array(await checked.file.arrayBuffer()));
  return hash.digest('base64url');
}

/**
 * Runs a write once for each `Idempotency-Key` of a user: a repetition gets the first one's answer. Without a key, for
 * visitors and for reads it simply runs.
 * @throws AppError INVALID_INPUT; KEY_REUSED, KEY_IN_USE and SECRET_NOT_KEPT as conflicts
 */
export async function onlyOnce(
  request: Request,
  ctx: Ctx,
  operation: Operation,
  checked: { body: unknown; file: File | null },
  run: () => Promise<Envelope | FileReply>,
): Promise<Envelope | FileReply> {
  if (operation.scope === 'read' || ctx.actor.kind !== 'user') return run();
  const key = keyOf(request);
  if (key === null) return run();
  let file: FileReply | null = null;
  const { answer, isRepeated } = await runOnce<Envelope>(
    ctx,
    { key, fingerprint: await fingerprint(request, checked), keepsAnswer: operation.holdsSecret !== true },
    async () => {
      const result = await run();
      if (!(result instanceof FileReply)) return result;
      file = result;
      return { status: operation.status, body: '', headers: {} };
    },
  );
  if (file !== null) return file;
  return isRepeated ? { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } } : answer;
}
