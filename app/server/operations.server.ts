import type { Operation } from '#app/platform/api/operation.ts';
import { adminOperations } from '#app/features/admin/api.server.ts';
import { ceilingOperations } from '#app/features/amounts/api.server.ts';
import { adherenceOperations } from '#app/features/doses/adherence-api.server.ts';
import { apiTokenOperations, authOperations, profileOperations } from '#app/features/accounts/api.server.ts';
import { billingOperations } from '#app/features/billing/api.server.ts';
import { calculationOperations } from '#app/features/calculator/api.server.ts';
import { compoundOperations } from '#app/features/vials/api.server.ts';
import { doseOperations } from '#app/features/doses/api.server.ts';
import { exportOperations } from '#app/features/export/api.server.ts';
import { healthOperations } from '#app/features/tracking/health/health-api.server.ts';
import { importOperations } from '#app/features/import/api.server.ts';
import { injectionSiteOperations } from '#app/features/tracking/sites/injection-sites-api.server.ts';
import { nutritionOperations } from '#app/features/tracking/nutrition/nutrition-api.server.ts';
import { lotOperations } from '#app/features/lots/api.server.ts';
import { supplyOperations } from '#app/features/supplies/api.server.ts';
import { orderOperations, orderDocumentOperations } from '#app/features/vendors/order-api.server.ts';
import { proposalOperations } from '#app/features/proposals/api.server.ts';
import { referralOperations } from '#app/features/referrals/api.server.ts';
import { reminderOperations } from '#app/features/reminders/api.server.ts';
import { calendarFeedOperations } from '#app/features/schedules/calendar-feed-api.server.ts';
import { scheduleOperations } from '#app/features/schedules/api.server.ts';
import {
  sideEffectFigureOperations,
  sideEffectOperations,
} from '#app/features/tracking/side-effects/side-effects-api.server.ts';
import { webhookOperations } from '#app/features/webhooks/api.server.ts';
import { supplierOperations } from '#app/features/vendors/supplier-api.server.ts';

/** Every call of the API, in the order of the document. A test fails for a call that is missing here. */
export const OPERATIONS: readonly Operation[] = [
  ...authOperations,
  ...profileOperations,
  ...apiTokenOperations,
  ...referralOperations,
  ...calculationOperations,
  ...compoundOperations,
  ...scheduleOperations,
  ...calendarFeedOperations,
  ...doseOperations,
  ...ceilingOperations,
  ...reminderOperations,
  ...webhookOperations,
  ...adherenceOperations,
  ...sideEffectOperations,
  ...sideEffectFigureOperations,
  ...injectionSiteOperations,
  ...nutritionOperations,
  ...healthOperations,
  ...lotOperations,
  ...supplyOperations,
  ...supplierOperations,
  ...orderOperations,
  ...orderDocumentOperations,
  ...exportOperations,
  ...importOperations,
  ...proposalOperations(() => OPERATIONS),
  ...billingOperations,
  ...adminOperations,
];
