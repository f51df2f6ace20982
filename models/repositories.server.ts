import type { Connection } from 'mongoose';
import { createAddressRepository } from './address.server.ts';
import { createAdminFiguresRepository } from './admin-figures.server.ts';
import { createAnnouncementRepository } from './announcement.server.ts';
import { createApiTokenRepository } from './api-token.server.ts';
import { createAnalyticsRepository } from './analytics.server.ts';
import { createAuditListRepository } from './audit-list.repository.server.ts';
import { createAuditRepository } from './audit.server.ts';
import { createBackupRepository } from './backup.server.ts';
import { createBillingDeskRepository } from './billing-desk.server.ts';
import { createBillingEventRepository } from './billing-event.server.ts';
import { createBillingIssueRepository } from './billing-issue.server.ts';
import { createBillingRepository } from './billing.server.ts';
import { createCalculationBook } from './calculation.server.ts';
import { createCompoundRepository } from './compound.server.ts';
import { guardRepository } from './database-errors.server.ts';
import { createDemoInterestRepository } from './demo-interest.server.ts';
import { createDoseCountRepository } from './dose-count.repository.server.ts';
import { createDoseLogRepository } from './dose-log.repository.server.ts';
import { createDoseSweepRepository } from './dose-sweep.repository.server.ts';
import { createDoseRepository } from './dose.server.ts';
import { createFeatureFlagRepository } from './feature-flag.server.ts';
import { createFileRoom } from './storage-quota.server.ts';
import { createFileStore } from './file-store.server.ts';
import { createHalfLifeRepository } from './half-life.server.ts';
import { createHoldingsRepository } from './personal-data.server.ts';
import { createJobRunRepository } from './job-run.server.ts';
import { createNotificationChoicesRepository } from './notification-choices.server.ts';
import { createDoseIntakeRepository } from './taken-doses.repository.server.ts';
import { createImportRepository } from './import.server.ts';
import { createCalculationImport } from './calculation-import.server.ts';
import { createCompoundImport } from './compound-import.server.ts';
import { createDoseImport } from './dose-import.server.ts';
import { createScheduleImport } from './schedule-import.server.ts';
import {
  createInjectionSiteImport,
  createNutritionImport,
  createSideEffectImport,
} from './tracked-import.server.ts';
import { createIdempotentCallRepository } from './idempotent-call.server.ts';
import { createOneTimeSecretRepository } from './one-time-secret.server.ts';
import { createOrderRepository } from './order.server.ts';
import { createOrderPaperRepository } from './order-paper.repository.server.ts';
import { createProductRepository } from './product.server.ts';
import { createReferralCodeRepository } from './referral-code.server.ts';
import { createReferralRepository } from './referral.server.ts';
import { createReportRepository } from './report.server.ts';
import { createReportShareRepository } from './report-share.server.ts';
import { createRenewalShiftRepository } from './renewal-shift.server.ts';
import { reminderRepositories, type ReminderRepositories } from './reminder-repositories.server.ts';
import { createRoleHoldersRepository } from './super-admins.server.ts';
import { createScheduleRepository } from './schedule.server.ts';
import { createScheduleTemplateRepository } from './schedule-template.server.ts';
import { createSecondFactorRepository } from './second-factor.server.ts';
import { createServerLogRepository } from './server-log.server.ts';
import { createServerSignalRepository } from './process-signals.server.ts';
import { createSessionRepository } from './session.server.ts';
import { createStripeCustomerRepository } from './stripe-customer.server.ts';
import { createSubscriptionEventRepository } from './subscription-event.server.ts';
import { createSupplierRepository } from './supplier.server.ts';
import { createThrottleRepository } from './throttle.server.ts';
import { createUserAdminRepository } from './user-admin.repository.server.ts';
import { createUserBillingRepository } from './user-billing.repository.server.ts';
import { trackingRepositories, type TrackingRepositories } from './tracking-repositories.server.ts';
import { createUserCountRepository } from './user-count.repository.server.ts';
import { createUserCreditRepository } from './user-credit.repository.server.ts';
import { createUserDeletionRepository } from './user-deletion.repository.server.ts';
import { createUserListRepository } from './user-list.repository.server.ts';
import { createUserRepository } from './user.server.ts';
import { createUserStandingRepository } from './user-trial.repository.server.ts';

/** How each kind of thing that is stored is opened, by noun. */
const FACTORIES = {
  adminFigures: createAdminFiguresRepository,
  addresses: createAddressRepository,
  announcements: createAnnouncementRepository,
  apiTokens: createApiTokenRepository,
  analytics: createAnalyticsRepository,
  audit: createAuditRepository,
  auditLists: createAuditListRepository,
  backups: createBackupRepository,
  billing: createBillingRepository,
  billingDesk: createBillingDeskRepository,
  billingEvents: createBillingEventRepository,
  billingIssues: createBillingIssueRepository,
  calculations: createCalculationBook,
  compounds: createCompoundRepository,
  demoInterest: createDemoInterestRepository,
  doses: (connection: Connection) => ({
    ...createDoseRepository(connection),
    ...createDoseLogRepository(connection),
    ...createDoseCountRepository(connection),
    ...createDoseSweepRepository(connection),
  }),
  featureFlags: createFeatureFlagRepository,
  halfLives: createHalfLifeRepository,
  holdings: createHoldingsRepository,
  jobRuns: createJobRunRepository,
  notificationChoices: createNotificationChoicesRepository,
  doseIntake: createDoseIntakeRepository,
  imports: createImportRepository,
  importedCalculations: createCalculationImport,
  importedCompounds: createCompoundImport,
  importedDoses: createDoseImport,
  importedSchedules: createScheduleImport,
  importedNutrition: createNutritionImport,
  importedSideEffects: createSideEffectImport,
  importedInjectionSites: createInjectionSiteImport,
  idempotentCalls: createIdempotentCallRepository,
  oneTimeSecrets: createOneTimeSecretRepository,
  orders: createOrderRepository,
  orderPapers: createOrderPaperRepository,
  paperFiles: (connection: Connection) => createFileStore(connection, 'papers'),
  paperRoom: (connection: Connection) => createFileRoom(connection, 'paper_room'),
  products: createProductRepository,
  referralCodes: createReferralCodeRepository,
  referrals: createReferralRepository,
  reports: createReportRepository,
  reportShares: createReportShareRepository,
  renewalShifts: createRenewalShiftRepository,
  roleHolders: createRoleHoldersRepository,
  schedules: createScheduleRepository,
  scheduleTemplates: createScheduleTemplateRepository,
  secondFactors: createSecondFactorRepository,
  serverLogs: createServerLogRepository,
  serverSignals: createServerSignalRepository,
  sessions: createSessionRepository,
  stripeCustomers: createStripeCustomerRepository,
  subscriptionEvents: createSubscriptionEventRepository,
  suppliers: createSupplierRepository,
  throttles: createThrottleRepository,
  users: (connection: Connection) => ({
    ...createUserRepository(connection),
    ...createUserBillingRepository(connection),
    ...createUserStandingRepository(connection),
    ...createUserDeletionRepository(connection),
    ...createUserCreditRepository(connection),
  }),
  userAdmin: createUserAdminRepository,
  userCounts: createUserCountRepository,
  userLists: createUserListRepository,
};

type Factories = typeof FACTORIES;

/** Everything that is stored, by noun. */
export type Repositories = ReminderRepositories &
  TrackingRepositories & {
    [Noun in keyof Factories]: ReturnType<Factories[Noun]>;
  };

/** Opens all of them; whatever one throws reaches the caller as an error of ours. */
export function repositoriesOf(connection: Connection): Repositories {
  const opened = Object.entries(FACTORIES).map(([noun, open]) => [noun, guardRepository(open(connection))]);
  return {
    ...reminderRepositories(connection),
    ...trackingRepositories(connection),
    ...Object.fromEntries(opened),
  } as Repositories;
}
