import { MODULE_FAILED } from '#app/domain/messages.ts';

/** The code of a page did not come, whatever was tried. */
export class ModuleLoadError extends Error {
  override name = 'ModuleLoadError';
  constructor(cause: unknown) {
    super(MODULE_FAILED, { cause });
  }
}

export interface RetryOptions {
  retries: number;
  pauseMs: number;
}

/** Three more tries, one second apart. */
export const MODULE_RETRY: RetryOptions = { retries: 3, pauseMs: 1000 };

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Loads a module, trying again when it does not come. Each further try has an address of its own, because browsers may
 * remember that a module could not be loaded.
 * @throws ModuleLoadError after the last try
 */
export async function loadWithRetry<Module>(
  address: string,
  load: (address: string) => Promise<Module>,
  { retries, pauseMs }: RetryOptions = MODULE_RETRY,
): Promise<Module> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await load(attempt === 0 ? address : `${address}?retry=${attempt}`);
    } catch (error) {
      if (attempt === retries) throw new ModuleLoadError(error);
      await pause(pauseMs);
    }
  }
}
