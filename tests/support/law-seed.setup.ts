import * as fc from 'fast-check';

// The seed for all property tests; see `vitest.config.ts`.
fc.configureGlobal({ seed: Number(process.env['LAW_SEED']) });
