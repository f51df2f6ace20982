export { AccountHeader, trialText, type AccountHeaderProps } from './account-header.tsx';
export { DashboardShell } from './dashboard-shell.tsx';
export { dashboardEntries, type NavEntry } from './nav-entries.ts';
export { LoadingBar } from './loading-bar.tsx';
export { PublicShell } from './public-shell.tsx';
export { SiteFooter } from './site-footer.tsx';
export { SiteHeader } from './site-header.tsx';
