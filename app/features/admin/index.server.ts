export { type AdminStats, adminStats, recentActivity } from './overview.server.ts';
export { countAccounts } from './account-count.server.ts';
export { type AuditEntry, countAudit, listAudit } from './audit-trail.server.ts';
export {
  contactUser,
  escalateIssue,
  eventTypeOf,
  getBillingIssue,
  listBillingIssues,
  listSubscriptionEvents,
  previewContact,
  resolveIssue,
} from './subscriptions/billing-admin.server.ts';
export { subscriptionAnalytics, subscriptionFigures } from './subscriptions/subscription-figures.server.ts';
export { breachReport, type BreachReport } from './system/breach.server.ts';
export {
  type LogPage,
  clearCaches,
  listLogs,
  restartWorkers,
  systemHealth,
  systemReport,
  clearExpiredRows,
  trimAudit,
  trimLogs,
} from './system/system.server.ts';
export { createAdmin } from './users/admin-accounts.server.ts';
export { changeUser, openUserChange } from './users/user-changes.server.ts';
export { viewUser } from './users/user-detail.server.ts';
export { prepareUsersFile, type ListedUser, countUsers, listUsers } from './users/users.server.ts';
