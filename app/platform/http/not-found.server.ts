import { isAppError } from '#app/domain/errors.ts';

/** What `work` gives, or what stands for it where it finds nothing: for a page that has more to say than "not found". */
export async function orWhenNotFound<T, N>(work: () => Promise<T>, instead: () => N): Promise<T | N> {
  try {
    return await work();
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return instead();
    throw error;
  }
}
