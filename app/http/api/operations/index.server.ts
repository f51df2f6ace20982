import type { Operation } from '../operation.ts';
import { adminOperations } from './admin.server.ts';
import { adminDeskOperations } from './admin-desk.server.ts';
import { adherenceOperations } from './adherence.server.ts';
import { apiTokenOperations } from './api-tokens.server.ts';
import { authOperations } from './auth.server.ts';
import { billingTrialOperations } from './billing-trial.server.ts';
import { billingOperations } from './billing.server.ts';
import { calculationOperations } from './calculations.server.ts';
import { compoundOperations } from './compounds.server.ts';
import { doseOperations } from './doses.server.ts';
import { exportOperations } from './export.server.ts';
import { healthOperations } from './health.server.ts';
import { importOperations } from './imports.server.ts';
import { injectionSiteOperations } from './injection-sites.server.ts';
import { nutritionOperations } from './nutrition.server.ts';
import { orderPaperOperations } from './order-papers.server.ts';
import { orderOperations } from './orders.server.ts';
import { profileOperations } from './profile.server.ts';
import { referralOperations } from './referrals.server.ts';
import { reminderOperations } from './reminders.server.ts';
import { scheduleOperations } from './schedules.server.ts';
import { sideEffectFigureOperations } from './side-effect-figures.server.ts';
import { sideEffectOperations } from './side-effects.server.ts';
import { supplierOperations } from './suppliers.server.ts';

/** Every call of the API, in the order of the document. A call that is not in here is not documented, and a test fails. */
export const OPERATIONS: readonly Operation[] = [
  ...authOperations,
  ...profileOperations,
  ...apiTokenOperations,
  ...referralOperations,
  ...calculationOperations,
  ...compoundOperations,
  ...scheduleOperations,
  ...doseOperations,
  ...reminderOperations,
  ...adherenceOperations,
  ...sideEffectOperations,
  ...sideEffectFigureOperations,
  ...injectionSiteOperations,
  ...nutritionOperations,
  ...healthOperations,
  ...supplierOperations,
  ...orderOperations,
  ...orderPaperOperations,
  ...exportOperations,
  ...importOperations,
  ...billingTrialOperations,
  ...billingOperations,
  ...adminOperations,
  ...adminDeskOperations,
];
