import { defineConfig } from 'vitest/config';

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
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
