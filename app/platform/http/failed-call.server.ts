import { AppError, isAppError } from '#app/domain/errors.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/**
 * Does something for a page. An error that nobody foresaw is logged, and the person reads these words for it: in the form that was
 * sent if its call is in `submit`, otherwise on the error page.
 * @throws AppError FAILED; an `AppError` or response that `act` throws, whose own message says more
 */
export async function orFailed<T>(ctx: Ctx, message: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (isAppError(error) || error instanceof Response) throw error;
    ctx.log.error({ err: error }, message);
    throw new AppError('FAILED', message, { cause: error });
  }
}
