import type { Connection } from 'mongoose';
import { createAddressRepository } from './address.repository.server.ts';
import { createAdminFiguresRepository } from './admin-figures.repository.server.ts';
import { createAnnouncementRepository } from './announcement.repository.server.ts';
import { createApiTokenRepository } from './api-token.repository.server.ts';
import { createAnalyticsRepository } from './analytics.repository.server.ts';
import { createAuditListRepository } from './audit-list.repository.server.ts';
import { createAuditRepository } from './audit.repository.server.ts';
import { createBackupRepository } from './backup.repository.server.ts';
import { createBillingDeskRepository } from './billing-desk.repository.server.ts';
import { createBillingEventRepository } from './billing-event.repository.server.ts';
import { createBillingIssueRepository } from './billing-issue.repository.server.ts';
import { createBillingRepository } from './billing.repository.server.ts';
import { createCalculationBook } from './calculation-book.server.ts';
import { createCompoundRepository } from './compound.repository.server.ts';
import { guardRepository } from './database-errors.server.ts';
import { createDemoInterestRepository } from './demo-interest.repository.server.ts';
import { createDoseCountRepository } from './dose-count.repository.server.ts';
import { createDoseLogRepository } from './dose-log.repository.server.ts';
import { createDoseSweepRepository } from './dose-sweep.repository.server.ts';
import { createDoseRepository } from './dose.repository.server.ts';
import { createFeatureFlagRepository } from './feature-flag.repository.server.ts';
import { createFileRoom } from './file-room.server.ts';
import { createFileStore } from './file-store.server.ts';
import { createHalfLifeRepository } from './half-life.repository.server.ts';
import { createHoldingsRepository } from './holdings.repository.server.ts';
import { createJobRunRepository } from './job-run.repository.server.ts';
import { createNotificationChoicesRepository } from './notification-choices.repository.server.ts';
import { createDoseIntakeRepository } from './dose-intake.repository.server.ts';
import { createImportRepository } from './import.repository.server.ts';
import { createCalculationImport } from './calculation-import.server.ts';
import { createCompoundImport } from './compound-import.server.ts';
import { createDoseImport } from './dose-import.server.ts';
import { createScheduleImport } from './schedule-import.server.ts';
import {
  createInjectionSiteImport,
  createNutritionImport,
  createSideEffectImport,
} from './tracked-import.server.ts';
import { createIdempotentCallRepository } from './idempotent-call.repository.server.ts';
import { createOneTimeSecretRepository } from './one-time-secret.repository.server.ts';
import { createOrderRepository } from './order.repository.server.ts';
import { createOrderPaperRepository } from './order-paper.repository.server.ts';
import { createProductRepository } from './product.repository.server.ts';
import { createReferralCodeRepository } from './referral-code.repository.server.ts';
import { createReferralRepository } from './referral.repository.server.ts';
import { createReportRepository } from './report.repository.server.ts';
import { createReportShareRepository } from './report-share.repository.server.ts';
import { createRenewalShiftRepository } from './renewal-shift.repository.server.ts';
import { reminderRepositories, type ReminderRepositories } from './reminder-repositories.server.ts';
import { createRoleHoldersRepository } from './role-holders.repository.server.ts';
import { createScheduleRepository } from './schedule.repository.server.ts';
import { createScheduleTemplateRepository } from './schedule-template.repository.server.ts';
import { createSecondFactorRepository } from './second-factor.repository.server.ts';
import { createServerLogRepository } from './server-log.repository.server.ts';
import { createServerSignalRepository } from './server-signal.repository.server.ts';
import { createSessionRepository } from './session.repository.server.ts';
import { createStripeCustomerRepository } from './stripe-customer.repository.server.ts';
import { createSubscriptionEventRepository } from './subscription-event.repository.server.ts';
import { createSupplierRepository } from './supplier.repository.server.ts';
import { createThrottleRepository } from './throttle.repository.server.ts';
import { createUserAdminRepository } from './user-admin.repository.server.ts';
import { createUserBillingRepository } from './user-billing.repository.server.ts';
import { trackingRepositories, type TrackingRepositories } from './tracking-repositories.server.ts';
import { createUserCountRepository } from './user-count.repository.server.ts';
import { createUserCreditRepository } from './user-credit.repository.server.ts';
import { createUserDeletionRepository } from './user-deletion.repository.server.ts';
import { createUserListRepository } from './user-list.repository.server.ts';
import { createUserRepository } from './user.repository.server.ts';
import { createUserStandingRepository } from './user-standing.repository.server.ts';

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
