import { config } from 'zod/v4/core';

/**
 * zod tests whether it may create functions from text. The content security policy forbids it and the browser reports every
 * attempt, so this tells zod not to try. Must run before the first schema is used.
 */
config({ jitless: true });
