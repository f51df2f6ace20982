import { accountSamples } from './account.ts';
import { adminSamples } from './admin.ts';
import { billingSamples } from './billing.ts';
import { calculationSamples } from './calculations.ts';
import { compoundSamples } from './compounds.ts';
import { doseSamples } from './doses.ts';
import { importSamples } from './imports.ts';
import { lotSamples } from './lots.ts';
import { profileSamples } from './profile.ts';
import { proposalSamples } from './proposals.ts';
import { reminderSamples } from './reminders.ts';
import { scheduleSamples } from './schedules.ts';
import type { Samples } from './sample.ts';
import { supplySamples } from './supplies.ts';
import { trackingSamples } from './tracking.ts';
import { vendorSamples } from './vendors.ts';
import { webhookSamples } from './webhooks.ts';

/** A request for every call of the API. A call without one fails the tests. */
export const SAMPLES: Samples = {
  ...accountSamples,
  ...adminSamples,
  ...billingSamples,
  ...calculationSamples,
  ...compoundSamples,
  ...doseSamples,
  ...importSamples,
  ...lotSamples,
  ...supplySamples,
  ...profileSamples,
  ...proposalSamples,
  ...reminderSamples,
  ...scheduleSamples,
  ...trackingSamples,
  ...vendorSamples,
  ...webhookSamples,
};
