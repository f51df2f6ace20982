import { PASSWORD } from '#tests/support/people.ts';
import { registration } from '../client.ts';
import type { Samples } from './sample.ts';

let registered = 0;

export const accountSamples: Samples = {
  login: {
    given: ({ email }) => ({ body: { email, password: PASSWORD } }),
    expect: { nobody: 400, suspended: 403 },
  },
  register: { given: () => ({ body: registration(`sample-${(registered += 1)}@example.org`) }) },
  me: {},
  refresh: { given: () => ({ body: {} }), altersOwner: true },
  changePassword: {
    given: () => ({
      body: {
        currentPassword: PASSWORD,
        newPassword: 'green-lantern-12',
        confirmPassword: 'green-lantern-12',
      },
    }),
    altersOwner: true,
  },
  logout: { given: () => ({ body: {} }), altersOwner: true },
  startTrial: { given: () => ({ body: {} }), altersOwner: true, expect: { premium: 409, other: 409 } },
  exportData: { given: () => ({ query: { format: 'csv', types: 'calculations' } }) },
};
