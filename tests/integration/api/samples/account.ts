import { PASSWORD } from '#tests/support/people.ts';
import { registration } from '../client.ts';
import type { Samples } from './sample.ts';

let registered = 0;

export const accountSamples: Samples = {
  login: {
    prepare: ({ email }) => ({ body: { email, password: PASSWORD } }),
    expect: { nobody: 400, suspended: 403 },
  },
  register: { prepare: () => ({ body: registration(`sample-${(registered += 1)}@example.org`) }) },
  me: {},
  refresh: { prepare: () => ({ body: {} }), altersOwner: true },
  changePassword: {
    prepare: () => ({
      body: {
        currentPassword: PASSWORD,
        newPassword: 'green-lantern-12',
        confirmPassword: 'green-lantern-12',
      },
    }),
    altersOwner: true,
  },
  logout: { prepare: () => ({ body: {} }), altersOwner: true },
  startTrial: { prepare: () => ({ body: {} }), altersOwner: true, expect: { premium: 409, other: 409 } },
  exportData: { prepare: () => ({ query: { format: 'csv', types: 'calculations' } }) },
};
