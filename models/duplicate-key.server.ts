/** True for the server's answer that a unique value is taken. */
export function isDuplicateKey(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 11000;
}

/** Two first upserts of one document at once may both try to make it; the second then finds it. */
export async function retryOnDuplicate<T>(attempt: () => PromiseLike<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return attempt();
  }
}
