import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** One for each processor: left alone, vitest keeps one of them for itself, which is half of a machine of two. */
const WORKERS = Math.max(2, Math.min(4, availableParallelism()));

/**
 * Three projects: `unit` (pure code and laws), `integration` (real engine, real services, real files) and
 * `browser` (Chromium against the built server). `tests/support/*.setup.ts` builds and starts what they need.
 */
export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.{test,prop.test}.{ts,tsx}'],
          setupFiles: ['tests/support/fail-on-console.ts'],
          // Laws take as long as the machine needs: what is slow there is no failure.
          testTimeout: 60_000,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.{test,prop.test}.{ts,tsx}'],
          globalSetup: ['tests/support/bundles.setup.ts'],
          setupFiles: ['tests/support/fail-on-console.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.spec.ts'],
          globalSetup: ['tests/support/bundles.setup.ts', 'tests/support/browser.setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          // What a page shows is waited for: a page is read while it may still be on its way.
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: WORKERS,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
