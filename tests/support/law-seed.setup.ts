import * as fc from 'fast-check';

// Every law draws its cases from this seed; `vitest.config.ts` says where it comes from.
fc.configureGlobal({ seed: Number(process.env['LAW_SEED']) });
