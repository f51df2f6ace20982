export { Analytics, type MonthView } from './analytics.tsx';
export { ContactForm, type MailShown } from './contact-form.tsx';
export { EventFilter, EventTable, type EventRow } from './event-table.tsx';
export { IssueDetail, IssueList, type IssueRow } from './issue-list.tsx';
export { SubscriptionPage, type SubscriptionTab } from './subscription-page.tsx';
