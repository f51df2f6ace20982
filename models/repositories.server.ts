import type { Connection } from 'mongoose';
import { createCalendarFeedRepository } from './calendar-feed.server.ts';
import { guardRepository } from './database-errors.server.ts';
import { createDeliveryRepository, createReminderRepository } from './reminder.server.ts';
import {
  createDoseRemindingRepository,
  createDoseRepository,
  createTakenDosesRepository,
  createDoseImport,
} from './dose.server.ts';
import {
  createPushSubscriptionRepository,
  createNotificationChoicesRepository,
  createNtfyTopicRepository,
} from './notifications.server.ts';
import { createStorageQuota } from './storage-quota.server.ts';
import { createFileStore } from './file-store.server.ts';
import { createInjectionSiteImport, createInjectionSiteRepository } from './injection-site.server.ts';
import { createMailRepository } from './mail.server.ts';
import { createMeasurementImport, createMeasurementRepository } from './measurement.server.ts';
import { createNutritionImport, createNutritionRepository } from './nutrition.server.ts';
import { createSideEffectImport, createSideEffectRepository } from './side-effect.server.ts';
import { createTrackingChoiceRepository } from './tracking-choice.server.ts';
import { createAddressRepository, createUserRepository } from './user.server.ts';
import { createAdminFiguresRepository } from './admin-figures.server.ts';
import { createAnnouncementRepository } from './announcement.server.ts';
import { createApiTokenRepository } from './api-token.server.ts';
import { createAnalyticsRepository } from './analytics.server.ts';
import { createAuditListRepository, createAuditRepository } from './audit.server.ts';
import { createBackupRepository } from './backup.server.ts';
import { createBillingAdminRepository } from './billing-admin.server.ts';
import {
  createBillingEventRepository,
  createBillingIssueRepository,
  createBillingRepository,
  createRenewalShiftRepository,
  createStripeCustomerRepository,
  createSubscriptionEventRepository,
} from './billing.server.ts';
import { createCalculationImport, createCalculationRepository } from './calculation.server.ts';
import { createCompoundRepository, createCompoundImport } from './compound.server.ts';
import { createDemoInterestRepository } from './demo-interest.server.ts';
import { createExpiredRows } from './expired-rows.server.ts';
import { createFeatureFlagRepository } from './feature-flag.server.ts';
import { createDoseCeilingRepository } from './dose-ceiling.server.ts';
import { createHalfLifeRepository } from './half-life.server.ts';
import { createPersonalDataRepository } from './personal-data.server.ts';
import { createJobRunRepository } from './job-run.server.ts';
import { createImportRepository } from './import.server.ts';
import { createScheduleImport, createScheduleRepository } from './schedule.server.ts';
import { createIdempotentCallRepository } from './idempotent-call.server.ts';
import { createLotImport, createLotPaperRepository, createLotRepository } from './lot.server.ts';
import { createSupplyImport, createSupplyRepository } from './supply.server.ts';
import { createOneTimeSecretRepository } from './one-time-secret.server.ts';
import { createOrderRepository, createOrderPaperRepository } from './order.server.ts';
import { createProductRepository, createSupplierRepository } from './supplier.server.ts';
import { createProposalRepository } from './proposal.server.ts';
import { createReferralCodeRepository, createReferralRepository } from './referral.server.ts';
import { createReportRepository } from './report.server.ts';
import { createReportShareRepository } from './report-share.server.ts';
import { createRowQuota } from './row-quota.server.ts';
import {
  createSuperAdminRepository,
  createUserAdminRepository,
  createUserCountRepository,
  createUserListRepository,
} from './user-admin.server.ts';
import { createScheduleTemplateRepository } from './schedule-template.server.ts';
import { createSecondFactorRepository, createPasskeyRepository } from './sign-in-credentials.server.ts';
import { createServerLogRepository } from './server-log.server.ts';
import { createProcessSignalRepository, createServerProcessRepository } from './server-process.server.ts';
import { createSessionRepository } from './session.server.ts';
import { createThrottleRepository } from './throttle.server.ts';
import { createWebhookRepository, createWebhookDeliveryRepository } from './webhook.server.ts';

/** The factory of each repository, by noun. */
const FACTORIES = {
  addresses: createAddressRepository,
  adminFigures: createAdminFiguresRepository,
  analytics: createAnalyticsRepository,
  announcements: createAnnouncementRepository,
  apiTokens: createApiTokenRepository,
  audit: createAuditRepository,
  auditLists: createAuditListRepository,
  backups: createBackupRepository,
  billing: createBillingRepository,
  billingAdmin: createBillingAdminRepository,
  billingEvents: createBillingEventRepository,
  billingIssues: createBillingIssueRepository,
  calculations: createCalculationRepository,
  calendarFeeds: createCalendarFeedRepository,
  compounds: createCompoundRepository,
  deliveries: createDeliveryRepository,
  demoInterest: createDemoInterestRepository,
  takenDoses: createTakenDosesRepository,
  doseReminding: createDoseRemindingRepository,
  doseCeilings: createDoseCeilingRepository,
  doses: createDoseRepository,
  featureFlags: createFeatureFlagRepository,
  expiredRows: createExpiredRows,
  halfLives: createHalfLifeRepository,
  personalData: createPersonalDataRepository,
  idempotentCalls: createIdempotentCallRepository,
  importedCalculations: createCalculationImport,
  importedCompounds: createCompoundImport,
  importedDoses: createDoseImport,
  importedInjectionSites: createInjectionSiteImport,
  importedLots: createLotImport,
  importedMeasurements: createMeasurementImport,
  importedNutrition: createNutritionImport,
  importedSchedules: createScheduleImport,
  importedSideEffects: createSideEffectImport,
  importedSupplies: createSupplyImport,
  imports: createImportRepository,
  injectionSites: createInjectionSiteRepository,
  jobRuns: createJobRunRepository,
  lotPapers: createLotPaperRepository,
  lots: createLotRepository,
  supplies: createSupplyRepository,
  mails: createMailRepository,
  measurements: createMeasurementRepository,
  notificationChoices: createNotificationChoicesRepository,
  ntfyTopics: createNtfyTopicRepository,
  nutrition: createNutritionRepository,
  oneTimeSecrets: createOneTimeSecretRepository,
  orderPapers: createOrderPaperRepository,
  orders: createOrderRepository,
  paperFiles: (connection: Connection) => createFileStore(connection, 'papers'),
  paperQuota: (connection: Connection) => createStorageQuota(connection, 'paper_room'),
  pictureQuota: (connection: Connection) => createStorageQuota(connection, 'picture_room'),
  pictures: (connection: Connection) => createFileStore(connection, 'pictures'),
  passkeys: createPasskeyRepository,
  products: createProductRepository,
  proposals: createProposalRepository,
  pushSubscriptions: createPushSubscriptionRepository,
  referralCodes: createReferralCodeRepository,
  referrals: createReferralRepository,
  reminders: createReminderRepository,
  renewalShifts: createRenewalShiftRepository,
  reportShares: createReportShareRepository,
  reports: createReportRepository,
  rowQuota: createRowQuota,
  superAdmins: createSuperAdminRepository,
  scheduleTemplates: createScheduleTemplateRepository,
  schedules: createScheduleRepository,
  secondFactors: createSecondFactorRepository,
  serverLogs: createServerLogRepository,
  processSignals: createProcessSignalRepository,
  serverProcesses: createServerProcessRepository,
  sessions: createSessionRepository,
  sideEffects: createSideEffectRepository,
  stripeCustomers: createStripeCustomerRepository,
  subscriptionEvents: createSubscriptionEventRepository,
  suppliers: createSupplierRepository,
  throttles: createThrottleRepository,
  trackingChoices: createTrackingChoiceRepository,
  userAdmin: createUserAdminRepository,
  userCounts: createUserCountRepository,
  userLists: createUserListRepository,
  users: createUserRepository,
  webhookDeliveries: createWebhookDeliveryRepository,
  webhooks: createWebhookRepository,
};

type Factories = typeof FACTORIES;

/** All repositories, by noun. */
export type Repositories = { [Noun in keyof Factories]: ReturnType<Factories[Noun]> };

/** Creates all repositories; database errors reach the caller as AppError. */
export function repositoriesOf(connection: Connection): Repositories {
  const opened = Object.entries(FACTORIES).map(([noun, open]) => [noun, guardRepository(open(connection))]);
  return Object.fromEntries(opened) as Repositories;
}
