import type { Connection } from 'mongoose';
import { createCalendarFeedRepository } from './schedules/calendar-feed.server.ts';
import { guardRepository } from './store/database-errors.server.ts';
import { createDeliveryRepository, createReminderRepository } from './reminders/reminder.server.ts';
import {
  createDoseRemindingRepository,
  createDoseRepository,
  createTakenDosesRepository,
  createDoseImport,
} from './doses/dose.server.ts';
import {
  createPushSubscriptionRepository,
  createNotificationChoicesRepository,
  createNtfyTopicRepository,
} from './reminders/notifications.server.ts';
import { createStorageQuota } from './store/storage-quota.server.ts';
import { createFileStore } from './store/file-store.server.ts';
import {
  createInjectionSiteImport,
  createInjectionSiteRepository,
} from './tracking/injection-site.server.ts';
import { createMailRepository } from './mail/mail.server.ts';
import { createMeasurementImport, createMeasurementRepository } from './tracking/measurement.server.ts';
import { createNutritionImport, createNutritionRepository } from './tracking/nutrition.server.ts';
import { createSideEffectImport, createSideEffectRepository } from './tracking/side-effect.server.ts';
import { createTrackingChoiceRepository } from './tracking/tracking-choice.server.ts';
import { createAddressRepository, createUserRepository } from './accounts/user.server.ts';
import { createStockCheckRepository } from './reminders/stock-check.server.ts';
import { createAddressPartRepository } from './accounts/address-part.server.ts';
import { createAccountStandingRepository } from './accounts/account-standing.server.ts';
import { createAdminFiguresRepository } from './admin/admin-figures.server.ts';
import { createAnnouncementRepository } from './site/announcement.server.ts';
import { createApiTokenRepository } from './accounts/api-token.server.ts';
import { createAnalyticsRepository } from './analytics/analytics.server.ts';
import { createAuditListRepository, createAuditRepository } from './audit/audit.server.ts';
import { createBackupRepository } from './system/backup.server.ts';
import { createBillingAdminRepository } from './billing/billing-admin.server.ts';
import {
  createBillingEventRepository,
  createBillingIssueRepository,
  createBillingRepository,
  createRenewalShiftRepository,
  createStripeCustomerRepository,
  createSubscriptionEventRepository,
} from './billing/billing.server.ts';
import { createCalculationImport, createCalculationRepository } from './calculator/calculation.server.ts';
import { createVialRepository, createVialImport } from './vials/vial.server.ts';
import { createDemoInterestRepository } from './demo/demo-interest.server.ts';
import { createExpiredRows } from './store/expired-rows.server.ts';
import { createFeatureFlagRepository } from './admin/feature-flag.server.ts';
import { createDoseCeilingRepository } from './amounts/dose-ceiling.server.ts';
import { createHalfLifeRepository } from './amounts/half-life.server.ts';
import { createPersonalDataRepository } from './store/personal-data.server.ts';
import { createJobRunRepository } from './system/job-run.server.ts';
import { createIdClaimRepository } from './import/id-claim.server.ts';
import { createImportRepository } from './import/import.server.ts';
import { createScheduleImport, createScheduleRepository } from './schedules/schedule.server.ts';
import { createIdempotentCallRepository } from './requests/idempotent-call.server.ts';
import { createLotImport, createLotDocumentRepository, createLotRepository } from './lots/lot.server.ts';
import { createSupplyImport, createSupplyRepository } from './supplies/supply.server.ts';
import { createOneTimeSecretRepository } from './accounts/one-time-secret.server.ts';
import { createOrderRepository, createOrderDocumentRepository } from './vendors/order.server.ts';
import { createProductRepository, createSupplierRepository } from './vendors/supplier.server.ts';
import { createProposalRepository } from './proposals/proposal.server.ts';
import { createReferralCodeRepository, createReferralRepository } from './referrals/referral.server.ts';
import { createReportRepository } from './reports/report.server.ts';
import { createReportShareRepository } from './reports/report-share.server.ts';
import { createRowQuota } from './store/row-quota.server.ts';
import {
  createSuperAdminRepository,
  createUserAdminRepository,
  createUserCountRepository,
  createUserListRepository,
} from './admin/user-admin.server.ts';
import { createScheduleTemplateRepository } from './schedules/schedule-template.server.ts';
import {
  createSecondFactorRepository,
  createIdentityRepository,
  createPasskeyRepository,
} from './accounts/sign-in-credentials.server.ts';
import { createServerLogRepository } from './system/server-log.server.ts';
import {
  createProcessSignalRepository,
  createServerProcessRepository,
} from './system/server-process.server.ts';
import { createSessionRepository } from './accounts/session.server.ts';
import { createThrottleRepository } from './requests/throttle.server.ts';
import { createWebhookRepository, createWebhookDeliveryRepository } from './webhooks/webhook.server.ts';

/** The factory of each repository, by noun. */
const FACTORIES = {
  addressParts: createAddressPartRepository,
  addresses: createAddressRepository,
  accountStandings: createAccountStandingRepository,
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
  vials: createVialRepository,
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
  idClaims: createIdClaimRepository,
  idempotentCalls: createIdempotentCallRepository,
  importedCalculations: createCalculationImport,
  importedVials: createVialImport,
  importedDoses: createDoseImport,
  importedInjectionSites: createInjectionSiteImport,
  importedLots: createLotImport,
  importedMeasurements: createMeasurementImport,
  importedNutrition: createNutritionImport,
  identities: createIdentityRepository,
  importedSchedules: createScheduleImport,
  importedSideEffects: createSideEffectImport,
  importedSupplies: createSupplyImport,
  imports: createImportRepository,
  injectionSites: createInjectionSiteRepository,
  jobRuns: createJobRunRepository,
  lotDocuments: createLotDocumentRepository,
  lots: createLotRepository,
  supplies: createSupplyRepository,
  mails: createMailRepository,
  measurements: createMeasurementRepository,
  notificationChoices: createNotificationChoicesRepository,
  ntfyTopics: createNtfyTopicRepository,
  nutrition: createNutritionRepository,
  oneTimeSecrets: createOneTimeSecretRepository,
  orderDocuments: createOrderDocumentRepository,
  orders: createOrderRepository,
  documentFiles: (connection: Connection) => createFileStore(connection, 'papers'),
  documentQuota: (connection: Connection) => createStorageQuota(connection, 'paper_room'),
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
  stockChecks: createStockCheckRepository,
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
